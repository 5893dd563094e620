import { makeConversation, requestAt } from '../testing/conversation.ts'
import { openTestBranch } from '../testing/open-branch.ts'
import { scriptTokenCounter } from '../testing/script-token-counter.ts'
import { createReferenceEncoder } from '../tokenizer/reference-encoder.ts'

/** One more send of a long chat: a new message of 2 KB on a history, as objects, against encoding it all anew. */
async function main(): Promise<void> {
  const rows = []
  for (const size of [100_000, 1_000_000, 10_000_000]) rows.push(await measure(size))
  console.table(rows)
}

async function measure(historyBytes: number): Promise<Record<string, number>> {
  const conversation = historyOf(historyBytes)
  const { branch } = await openTestBranch({ counter: await scriptTokenCounter() })
  const history = requestAt(conversation, conversation.requests.at(-1) ?? 0)
  const messages = [...(history.messages as object[])]
  const cold = await timed(async () => {
    const prepared = await branch.prepare(structuredClone({ ...history, messages }))
    await prepared.settle({ usage: null })
  })
  const warm: number[] = []
  for (let send = 0; send < 25; send++) {
    messages.push({ role: 'assistant', content: `Answer ${send}. ${'So it was found. '.repeat(5)}` })
    messages.push({
      role: 'user',
      content: `Message ${send}. ${'The keeper wrote of it in the ledger. '.repeat(53)}`,
    })
    const request = structuredClone({ ...history, messages })
    const milliseconds = await timed(async () => {
      const prepared = await branch.prepare(request)
      await prepared.settle({ usage: null })
    })
    if (send >= 5) warm.push(milliseconds)
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
    ratio: round(whole / warmMedian),
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
