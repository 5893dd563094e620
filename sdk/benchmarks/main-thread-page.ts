import type { JsonObject } from '../engine/json.ts'
import { createDogear, type Outcome } from '../index.ts'
import { makeConversation } from '../testing/conversation.ts'
import { type Blocked, watchMainThread } from './watch-main-thread.ts'

export interface Visit {
  readonly messages: number
  /** Of the JSON text of the list. */
  readonly bytes: number
  readonly measured: readonly (Blocked & { readonly step: string })[]
}

declare global {
  /** What the script calls in the page. */
  var measureMainThread: () => Promise<Visit>
}

const ROUNDS = 165
const RESULT_WORDS = 600
const SENDS = 50
const LETTER_BYTES = 5_000_000
const NOTHING_REPORTED: Outcome = { usage: null }

/** One visit of a page: the tokenizer loads, a chat of 1 MB is opened and goes on, and another is folded. */
globalThis.measureMainThread = async () => {
  const measured: (Blocked & { readonly step: string })[] = []
  const watch = async <Result>(step: string, work: () => Promise<Result>): Promise<Result> => {
    const { result, blocked } = await watchMainThread(work)
    measured.push({ step, ...blocked })
    return result
  }
  const chat = makeConversation({
    seed: 1,
    format: 'openai-chat',
    rounds: ROUNDS,
    resultWords: RESULT_WORDS,
    contextTool: true,
  }).request
  const messages: JsonObject[] = [...chat.messages]
  // The worst of apps: every object and every text of its list is another one on every send.
  const request = (): JsonObject => structuredClone({ ...chat, messages })
  const bytes = new TextEncoder().encode(JSON.stringify(messages)).length
  const dogear = createDogear()
  const open = (maxInputTokens: number | 'none') =>
    dogear.branch(crypto.randomUUID(), { policy: { maxInputTokens } })

  await watch('load the tokenizer', () => dogear.warmUp())

  const branch = await open('none')
  const whole = request()
  const first = await watch('prepare, cold', () => branch.prepare(whole))
  await watch('settle', () => first.settle(NOTHING_REPORTED))
  for (let send = 0; send < SENDS; send++) {
    messages.push(...nextMessages(send))
    const grown = request()
    const prepared = await watch('prepare, 2 KB more', () => branch.prepare(grown))
    await watch('settle', () => prepared.settle(NOTHING_REPORTED))
  }

  const folding = await open(Math.round(first.decision.counted * 0.9))
  const large = request()
  const folded = await watch('prepare, cold, with a fold', () => folding.prepare(large))
  if (folded.decision.action !== 'fold') throw new Error(`Expected a fold, got ${folded.decision.action}.`)
  await watch('settle', () => folded.settle(NOTHING_REPORTED))

  const writing = await open('none')
  const letter = 'The keeper wrote of it in the ledger. '.repeat(LETTER_BYTES / 38)
  const long = { ...chat, messages: [{ role: 'user', content: letter }] }
  await watch('prepare, one message of 5 MB', () => writing.prepare(long))
  await dogear.close()
  return { messages: chat.messages.length, bytes, measured }
}

/** An answer and a new message of 2 KB. */
function nextMessages(send: number): readonly JsonObject[] {
  return [
    { role: 'assistant', content: `Answer ${send}. ${'So it was found. '.repeat(5)}` },
    { role: 'user', content: `Message ${send}. ${'The keeper wrote of it in the ledger. '.repeat(53)}` },
  ]
}
