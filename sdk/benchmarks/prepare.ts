import type { JsonObject } from '../engine/json.ts'
import { makeConversation, requestAt } from '../testing/conversation.ts'
import { openTestBranch } from '../testing/open-branch.ts'
import { scriptTokenCounter } from '../testing/script-token-counter.ts'
import { createReferenceEncoder } from '../tokenizer/reference-encoder.ts'

/** Bytes of history; each is ten times the one before. */
const SIZES = [100_000, 1_000_000, 10_000_000]
const WARM_UP = 10
const SENDS = 40
const NOTHING_REPORTED = { usage: null } as const

/** An app keeps its messages and adds to them, or has all objects and texts anew, as one that reads its chat from JSON. */
const apps: Readonly<Record<string, (request: JsonObject) => JsonObject>> = {
  'keeps its messages': (request) => request,
  'makes its messages anew': (request) => structuredClone(request),
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
  for (const [kind, asSent] of Object.entries(apps)) {
    const rows: Row[] = []
    for (const size of SIZES) rows.push(await measure(size, asSent))
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

async function measure(historyBytes: number, asSent: (request: JsonObject) => JsonObject): Promise<Row> {
  const conversation = historyOf(historyBytes)
  const { branch } = await openTestBranch({ counter: await scriptTokenCounter() })
  const history = requestAt(conversation, conversation.requests.at(-1) ?? 0)
  const messages = [...(history.messages as JsonObject[])]
  const send = (): Promise<number> => {
    const request = asSent({ ...history, messages: [...messages] })
    return timed(async () => {
      const prepared = await branch.prepare(request)
      await prepared.settle(NOTHING_REPORTED)
    })
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
