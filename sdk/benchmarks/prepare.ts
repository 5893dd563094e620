import { createDogear } from '../dogear.ts'
import type { JsonObject } from '../engine/json.ts'
import { memoryStore } from '../stores/memory.ts'
import { makeConversation, requestAt } from '../testing/conversation.ts'
import { openTestBranch } from '../testing/open-branch.ts'
import { scriptTokenCounter } from '../testing/script-token-counter.ts'
import { createReferenceEncoder } from '../tokenizer/reference-encoder.ts'

/** Bytes of history; each is ten times the one before. */
const SIZES = [100_000, 1_000_000, 10_000_000]
const WARM_UP = 10
const SENDS = 40
const NOTHING_REPORTED = { usage: null } as const

/** How an app sends: what it does by itself with its request, which is not timed, and then the send. */
interface App {
  readonly made: (request: JsonObject) => unknown
  readonly send: (made: unknown) => Promise<void>
  readonly close: () => Promise<void>
}

async function throughPrepare(made: App['made']): Promise<App> {
  const { branch } = await openTestBranch({ counter: await scriptTokenCounter() })
  return {
    made,
    async send(request) {
      const prepared = await branch.prepare(request)
      await prepared.settle(NOTHING_REPORTED)
    },
    close: async () => undefined,
  }
}

/** The body is parsed, prepared and sent on as the text that it was, to a provider that answers at once. */
async function throughFetch(): Promise<App> {
  const dogear = createDogear({ store: memoryStore(), policy: { maxInputTokens: 'none' } })
  const answer = JSON.stringify({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } })
  const send = dogear.fetch({
    branch: 'chat',
    fetch: async () => new Response(answer, { headers: { 'content-type': 'application/json' } }),
  })
  await dogear.warmUp()
  return {
    made: (request) => JSON.stringify(request),
    async send(body) {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: String(body) }
      await (await send('https://provider.test/v1/chat/completions', init)).text()
    },
    close: () => dogear.close(),
  }
}

const apps: Readonly<Record<string, () => Promise<App>>> = {
  'keeps its messages': () => throughPrepare((request) => request),
  'makes its messages anew, as one that reads its chat from JSON': () =>
    throughPrepare((request) => structuredClone(request)),
  'sends through dogear.fetch': throughFetch,
}

interface Row {
  readonly 'history, KB': number
  readonly messages: number
  readonly 'cold, ms': number
  readonly 'next send, ms': number
  readonly 'encode whole text, ms': number
  readonly 'encode / next send': number
}

/** One more send of a long chat: a new message of 2 KB on a history, as objects, against encoding it all anew. */
async function main(): Promise<void> {
  for (const [kind, open] of Object.entries(apps)) {
    const rows: Row[] = []
    for (const size of SIZES) {
      const app = await open()
      rows.push(await measure(size, app))
      await app.close()
    }
    console.log(`\nAn app that ${kind}`)
    console.table(
      rows.map((row, place) => ({
        ...row,
        'next send, 10x / 1x': round(
          row['next send, ms'] / (rows[place - 1]?.['next send, ms'] ?? Number.NaN),
        ),
      })),
    )
  }
}

async function measure(historyBytes: number, app: App): Promise<Row> {
  const conversation = historyOf(historyBytes)
  const history = requestAt(conversation, conversation.requests.at(-1) ?? 0)
  const messages = [...(history.messages as JsonObject[])]
  const send = (): Promise<number> => {
    const made = app.made({ ...history, messages: [...messages] })
    return timed(() => app.send(made))
  }
  const cold = await send()
  const warm: number[] = []
  for (let sent = 0; sent < WARM_UP + SENDS; sent++) {
    messages.push({ role: 'assistant', content: `Answer ${sent}. ${'So it was found. '.repeat(5)}` })
    messages.push({
      role: 'user',
      content: `Message ${sent}. ${'The keeper wrote of it in the ledger. '.repeat(53)}`,
    })
    const milliseconds = await send()
    if (sent >= WARM_UP) warm.push(milliseconds)
  }
  const encoder = createReferenceEncoder()
  const text = JSON.stringify({ messages })
  const whole =
    historyBytes > 1_000_000 ? Number.NaN : await timed(async () => void encoder.encode_ordinary(text))
  const warmMedian = median(warm)
  return {
    'history, KB': Math.round(text.length / 1000),
    messages: messages.length,
    'cold, ms': round(cold),
    'next send, ms': round(warmMedian),
    'encode whole text, ms': round(whole),
    'encode / next send': round(whole / warmMedian),
  }
}

function historyOf(bytes: number): ReturnType<typeof makeConversation> {
  let rounds = Math.max(4, Math.round(bytes / 5000))
  for (;;) {
    const conversation = makeConversation({ seed: 1, format: 'openai-chat', rounds, resultWords: 400 })
    const length = JSON.stringify(conversation.request).length
    if (length >= bytes) return conversation
    rounds = Math.ceil((rounds * bytes) / length) + 1
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

await main()
