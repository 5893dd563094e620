import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createDogear } from '../dogear.ts'
import { memoryStore } from '../stores/memory.ts'

const CHUNKS = 200
/** About what a fast model takes for a token or two. */
const PAUSE_MS = 4
const ROUNDS = 7

interface Heard {
  /** From the sending of a chunk to its arrival, in milliseconds. */
  readonly delays: readonly number[]
  readonly isAsSent: boolean
}

/** What the answer that is under way has sent. */
let sentText = ''

/** Streams an answer, each chunk of which holds the time at which it left. */
const server = createServer(async (incoming, outgoing) => {
  for await (const _ of incoming);
  sentText = ''
  const send = (text: string): void => {
    sentText += text
    outgoing.write(text)
  }
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let chunk = 0; chunk < CHUNKS; chunk++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    const choices = [{ index: 0, delta: { content: ` word ${chunk}` } }]
    const usage = chunk === CHUNKS - 1 ? { prompt_tokens: 20, completion_tokens: CHUNKS * 2 } : null
    send(`data: ${JSON.stringify({ choices, usage, sent: performance.now() })}\n\n`)
  }
  send('data: [DONE]\n\n')
  outgoing.end()
})

/** Streams through `dogear.fetch` against a bare `fetch`, in turns, from a server on this machine. */
async function main(): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`
  const dogear = createDogear({ store: memoryStore(), policy: { maxInputTokens: 100_000 } })
  await dogear.warmUp()
  const ways = { 'bare fetch': fetch, 'dogear.fetch': dogear.fetch({ branch: 'chat' }) }
  const heard: Record<keyof typeof ways, Heard[]> = { 'bare fetch': [], 'dogear.fetch': [] }
  for (let round = 0; round <= ROUNDS; round++)
    for (const way of Object.keys(ways) as (keyof typeof ways)[]) {
      const answer = await listen(ways[way], url, round)
      // The first round warms up.
      if (round > 0) heard[way].push(answer)
    }
  console.table(
    Object.entries(heard).map(([way, answers]) => {
      const firsts = answers.map(({ delays }) => delays[0] ?? Number.NaN)
      const all = answers.flatMap(({ delays }) => delays)
      return {
        way,
        'first chunk, median ms': at(firsts, 0.5),
        'chunk, median ms': at(all, 0.5),
        'chunk, p95 ms': at(all, 0.95),
        chunks: all.length,
        'bytes as sent': answers.every(({ isAsSent }) => isAsSent),
      }
    }),
  )
  await dogear.close()
  server.close()
}

async function listen(send: typeof fetch, url: string, round: number): Promise<Heard> {
  const messages = [{ role: 'user', content: `Tell me ${round} words.` }]
  const response = await send(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'any', stream: true, messages }),
  })
  const delays: number[] = []
  const decoder = new TextDecoder()
  let heard = ''
  for await (const bytes of response.body ?? []) {
    const now = performance.now()
    const text = decoder.decode(bytes, { stream: true })
    heard += text
    for (const [, sent] of text.matchAll(/"sent":([\d.]+)/g)) delays.push(now - Number(sent))
  }
  return { delays, isAsSent: heard === sentText }
}

function at(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? Number.NaN) * 1000) / 1000
}

await main()
