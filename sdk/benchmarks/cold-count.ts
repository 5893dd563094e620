import { appendMessages } from '../engine/append.ts'
import { ownName } from '../engine/digest.ts'
import { MeasureMemory, measureRequest } from '../engine/measure.ts'
import { answerCounts, asksNothing, runPlan } from '../engine/plan.ts'
import { emptyLine } from '../engine/record.ts'
import { takeInRequest } from '../request-intake.ts'
import { openRequest } from '../request-reading.ts'
import { openAiChat } from '../wire/openai-chat/index.ts'
import { texts } from './counted-texts.ts'
import { type Count, countingEngines, guarded, WASM } from './counting-engines.ts'

/** UTF-16 units of a message. */
const MESSAGE = 10_000

/** The first round only warms the code. */
const ROUNDS = 8

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}

/**
 * What safe cuts and the cache add to an engine: milliseconds of processor time for the whole text at once and in
 * pieces, medians, and the median of their ratios. The two take turns in one process.
 */
export async function measureCold(engine: string): Promise<Readonly<Record<string, number>>> {
  const load = countingEngines[engine]
  if (!load) throw new Error(`Expected a counting engine, got ${engine}.`)
  const request = mixedRequest()
  const wasm = engine === WASM ? await load() : undefined
  const rounds: { whole: Timed; pieces: Timed }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    // The script counter remembers what it has counted, so there each count has a new one.
    const forWhole = wasm ?? (await load())
    const forPieces = wasm ? await guarded(wasm) : await load()
    const whole = (): Timed => timed(wholeText(request, forWhole))
    const pieces = (): Timed => timed(inPieces(request, forPieces))
    rounds.push(round % 2 === 0 ? { whole: whole(), pieces: pieces() } : { pieces: pieces(), whole: whole() })
  }
  const measured = rounds.slice(1)
  const tokens = new Set(rounds.flatMap(({ whole, pieces }) => [whole.tokens, pieces.tokens]))
  return {
    bytes: Buffer.byteLength(JSON.stringify(request)),
    whole: median(measured.map(({ whole }) => whole.time)),
    pieces: median(measured.map(({ pieces }) => pieces.time)),
    ratio: median(measured.map(({ whole, pieces }) => pieces.time / whole.time)),
    different: tokens.size - 1,
  }
}

interface Timed {
  readonly tokens: number
  readonly time: number
}

function timed(count: () => number): Timed {
  const start = process.cpuUsage()
  const tokens = count()
  const { user, system } = process.cpuUsage(start)
  return { tokens, time: (user + system) / 1000 }
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? Number.NaN
}

/** A chat of all kinds of text in turn, of about 5 MB. */
function mixedRequest(): ChatRequest {
  const kinds = Object.values(texts).map((make) => make())
  const messages: { role: string; content: string }[] = []
  const longest = Math.max(...kinds.map((text) => text.length))
  for (let from = 0; from < longest; from += MESSAGE)
    for (const text of kinds)
      if (from < text.length) messages.push({ role: 'user', content: text.slice(from, from + MESSAGE) })
  return { messages: messages.slice(0, Math.round((messages.length * 5) / 6)) }
}

/** A count of the request's JSON text at once, as apps do it. */
function wholeText(request: ChatRequest, count: Count): () => number {
  return () => count(JSON.stringify(request))
}

/** A count of it as `prepare` counts what it has read: its JSON text cut at safe cuts, cached, summed by part. */
function inPieces(request: ChatRequest, count: Count): () => number {
  const opened = openRequest(openAiChat, request)
  const taken = runPlan(takeInRequest(opened, { previous: null, digest: ownName }), asksNothing)
  const { record } = appendMessages(emptyLine(''), taken.messages)
  let index = 0
  const messages = taken.messages.map(({ snapshot, reading }) => ({
    native: snapshot,
    snapshot,
    indexes: reading.drafts.map(() => index++),
  }))
  return () => {
    const plan = measureRequest({
      wire: openAiChat,
      model: undefined,
      fields: taken.fields,
      leading: [],
      messages,
      record,
      memory: new MeasureMemory(),
    })
    return runPlan(
      plan,
      answerCounts((pieces) => pieces.map(count)),
    ).counted
  }
}
