import type { JsonObject } from '../engine/json.ts'
import { memoryStore } from '../stores/memory.ts'
import { makeConversation } from '../testing/conversation.ts'
import { openTestBranch } from '../testing/open-branch.ts'
import { messagesOf } from '../testing/play-conversation.ts'
import { scriptTokenCounter } from '../testing/script-token-counter.ts'
import { texts } from './counted-texts.ts'
import { countingEngines, SCRIPT } from './counting-engines.ts'

/**
 * A fold by every stage but the summary, as `npm run bench:fold`: its time against one count of the whole request
 * as text, and what the counter was given against the text that the fold wrote. All texts of the request are counted already,
 * so that this is the fold alone; once they are not, and the fold begins with a count of everything. The last two
 * have the same change behind histories of words, which no stage takes, of 1 MB and of 10 MB.
 */
const REPEATS = 5

interface Scene {
  readonly name: string
  readonly messages: readonly JsonObject[]
  /** Messages that an earlier request carried and that were read; the rest is new. */
  readonly read: number
  /** The same branch has measured the whole request before it folds, so that all its texts are counted. */
  readonly isCounted: boolean
  /** Messages before it are words that no stage takes. */
  readonly words: number
}

async function main(): Promise<void> {
  const rows = []
  for (const scene of scenes()) rows.push(await measure(scene))
  console.table(rows)
}

function scenes(): readonly Scene[] {
  const code = new TextSource('code JSON')
  const calls = toolRounds(156, 900, code)
  const newest = toolRounds(1, 20_000, code)
  const change = [...toolRounds(20, 900, code), ...newest]
  const scene = (name: string, messages: readonly JsonObject[], words: number): Scene => ({
    name,
    messages,
    read: messages.length - newest.length,
    isCounted: true,
    words,
  })
  const whole = scene('1 MB of calls', [...calls, ...newest], 0)
  const english = new TextSource('English')
  const short = chat(1_000_000, english)
  const long = chat(10_000_000, english)
  return [
    whole,
    { ...whole, name: '1 MB of calls, never counted', isCounted: false },
    scene('1 MB of words, the same change', [...short, ...change], short.length),
    scene('10 MB of words, the same change', [...long, ...change], long.length),
  ]
}

/** Rounds of calls with results of very different lengths, cut from real texts. */
function toolRounds(rounds: number, resultWords: number, source: TextSource): readonly JsonObject[] {
  const { request } = makeConversation({ seed: rounds, format: 'openai-chat', rounds, resultWords })
  return messagesOf(request)
    .slice(1)
    .map((message) =>
      message.role === 'tool'
        ? { ...message, content: source.take(String(message.content).length) }
        : message,
    )
}

/** Questions and answers of 2 KB each. */
function chat(bytes: number, source: TextSource): readonly JsonObject[] {
  return Array.from({ length: Math.ceil(bytes / 2000) }, (_, position) => ({
    role: position % 2 === 0 ? 'user' : 'assistant',
    content: `${position}. ${source.take(2000)}`,
  }))
}

/** Goes through a text and begins anew at its end. */
class TextSource {
  readonly #text: string
  #at = 0

  constructor(kind: string) {
    this.#text = texts[kind]?.() ?? ''
  }

  take(length: number): string {
    if (this.#at + length > this.#text.length) this.#at = 0
    const taken = this.#text.slice(this.#at, this.#at + length)
    this.#at += length
    return taken
  }
}

async function measure(scene: Scene): Promise<Record<string, number | string>> {
  const request = { model: 'test-model', messages: scene.messages }
  const text = JSON.stringify({ messages: scene.messages })
  const tiktoken = await fullCount('@dqbd/tiktoken', text)
  const script = await fullCount(SCRIPT, text)
  const folds = []
  for (let repeat = 0; repeat <= REPEATS; repeat++) folds.push(await fold(scene, request))
  // The first one warms the code up.
  const measured = folds.slice(1)
  const time = median(measured.map(({ milliseconds }) => milliseconds))
  const { stages, tokenized, written, before, after } = measured[0] ?? {}
  return {
    fold: scene.name,
    messages: scene.messages.length,
    stages: stages ?? '',
    tokens: `${before} to ${after}`,
    'passing, ms': round(median(measured.map(({ passing }) => passing))),
    'fold, ms': round(time),
    'tiktoken, ms': round(tiktoken),
    'in its counts': round(time / tiktoken),
    'script, ms': round(script),
    'in those': round(time / script),
    'characters tokenized': tokenized ?? Number.NaN,
    'per character written': round((tokenized ?? Number.NaN) / (written ?? Number.NaN)),
  }
}

interface MeasuredFold {
  readonly milliseconds: number
  /** The same request where nothing is to be folded, counted as it is. */
  readonly passing: number
  readonly stages: string
  /** Characters that the counter was given for it. */
  readonly tokenized: number
  /** Characters of the messages that the app did not send: the note and what was shortened. */
  readonly written: number
  readonly before: number
  readonly after: number
}

async function fold(scene: Scene, request: JsonObject): Promise<MeasuredFold> {
  const counter = await scriptTokenCounter()
  const store = memoryStore()
  const options = { counter, store }
  const reader = await openTestBranch(options)
  const read = { ...request, messages: scene.messages.slice(0, scene.read) }
  const words = { ...request, messages: scene.messages.slice(0, scene.words) }
  const fixed = scene.words === 0 ? 0 : (await reader.branch.prepare(words)).decision.counted
  await (await reader.branch.prepare(read)).settle({ usage: null })
  const whole = await reader.branch.prepare(request)
  await whole.settle({ aborted: true })
  const tokens = whole.decision.counted
  // So low that calls have to go by both tails, and what is left of them has to be shortened.
  const policy = {
    maxInputTokens: tokens,
    contextFoldTarget: Math.round(((fixed + 12_000) / tokens) * 1e6) / 1e6,
    contextFoldAt: 0.999,
    compaction: { mode: 'off' },
  } as const
  const passing = structuredClone(request)
  const passed = await timed(async () => (await reader.branch.prepare(passing)).settle({ aborted: true }))
  const { branch } = scene.isCounted ? reader : await openTestBranch(options)
  await branch.setPolicy(policy)
  const given = counter.counted.length
  const incoming = structuredClone(request)
  const folded = await timed(() => branch.prepare(incoming))
  const { request: sent, decision } = folded.result
  const own = new Set(messagesOf(incoming))
  const written = messagesOf(sent).filter((message) => !own.has(message))
  return {
    milliseconds: folded.milliseconds,
    passing: passed.milliseconds,
    stages: decision.trace
      .flatMap((step) =>
        step.type === 'stage' ? [`${step.stage} ${step.keptTail ?? ''}: ${step.outcome}`] : [],
      )
      .join(', '),
    tokenized: counter.counted.slice(given).reduce((sum, { length }) => sum + length, 0),
    written: JSON.stringify(written).length,
    before: decision.before,
    after: decision.after,
  }
}

/** Milliseconds of one count of a whole text that the counter has not seen, after the code is warm. */
async function fullCount(engine: string, text: string): Promise<number> {
  const times = []
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const count = await countingEngines[engine]?.()
    const start = performance.now()
    count?.(text)
    times.push(performance.now() - start)
  }
  return median(times)
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ milliseconds: number; result: Result }> {
  const start = performance.now()
  const result = await work()
  return { milliseconds: performance.now() - start, result }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

await main()
