import { answerWithBytes, answerWithEstimates } from './engine/byte-bound.ts'
import { type DecidedRequest, decideRequest } from './engine/decide.ts'
import type { DecideInput } from './engine/decide-input.ts'
import type { Warning } from './engine/format.ts'
import { MeasureMemory } from './engine/measure.ts'
import type { Plan, SummaryJob, SummaryOutcome, Wish, WishAnswer } from './engine/plan.ts'
import type { CountTokens } from './ports.ts'
import { breatheBetween, type PieceOptions, runInPieces } from './run-in-pieces.ts'

export interface CountingOptions extends PieceOptions {
  readonly counter: CountTokens
  /** How long a request may wait for the tokenizer before it is estimated. */
  readonly loadTimeoutMs: number
  /** Has a summary written; absent for a preview, for which nothing is sent. */
  readonly summarize?: (job: SummaryJob) => Promise<SummaryOutcome>
}

/**
 * Decides a request with the best numbers at hand (rules.md 6, "Before the tokenizer is there"): where even its
 * bytes are under the fold line nothing is waited for; else the tokenizer is, for a while; else a flagged
 * estimate stands in, which may fold and never refuses.
 */
export async function decideWithCounter(
  input: Omit<DecideInput, 'exact'>,
  options: CountingOptions,
): Promise<DecidedRequest> {
  const { counter } = options
  await breatheBetween(options)
  if (!counter.ready) {
    const bound = await decideByBytes(input, options)
    if (bound !== null) {
      // The next request will want it; a failure shows there.
      counter.load().catch(() => undefined)
      return bound
    }
    const loaded = await within(counter.load(), options)
    if (!loaded) return decideByEstimate(input, options)
  }
  return (await decideByCount(input, options)) ?? decideByEstimate(input, options)
}

const withheld: SummaryOutcome = { type: 'withheld' }

/**
 * Counts come from the tokenizer, summaries from whoever writes them. Null where the tokenizer had to fall back on
 * estimates: those must not reach the plan, which takes them for counts and remembers them.
 */
async function decideByCount(
  input: Omit<DecideInput, 'exact'>,
  options: CountingOptions,
): Promise<DecidedRequest | null> {
  try {
    return await runInPieces(decideRequest({ ...input, exact: true }), {
      ...options,
      answer: exactAnswer(options),
    })
  } catch (error) {
    if (error instanceof OnlyEstimated) return null
    throw error
  }
}

/** Runs any other plan that measures: by counts, or by estimates that are compared with each other only. */
export async function runCounted<Result>(
  plan: (memory: MeasureMemory) => Plan<Result>,
  options: CountingOptions & { readonly memory: MeasureMemory },
): Promise<Result> {
  const { counter, summarize, memory } = options
  if (counter.ready || (await within(counter.load(), options)))
    try {
      return await runInPieces(plan(memory), { ...options, answer: exactAnswer(options) })
    } catch (error) {
      if (!(error instanceof OnlyEstimated)) throw error
    }
  return runInPieces(plan(new MeasureMemory()), {
    ...options,
    answer: async (wish) =>
      wish.type === 'needs-summary' && summarize
        ? { type: 'summary', outcome: await summarize(wish.job) }
        : answerWithEstimates(wish),
  })
}

function exactAnswer({ counter, signal, summarize }: CountingOptions) {
  return async (wish: Wish): Promise<WishAnswer> => {
    if (wish.type === 'needs-summary')
      return { type: 'summary', outcome: summarize ? await summarize(wish.job) : withheld }
    const tokens = await counter.count(wish.texts, signal)
    if (!counter.exact) throw new OnlyEstimated()
    return { type: 'counts', tokens }
  }
}

class OnlyEstimated extends Error {}

/** Null where the bytes are past the line, so that only a count can tell. */
async function decideByBytes(
  input: Omit<DecideInput, 'exact'>,
  options: PieceOptions,
): Promise<DecidedRequest | null> {
  const { asked, window } = input.repair
  if (asked) return null
  const plan = decideRequest({
    ...input,
    // What is over the window by its bytes may be far under it.
    repair: { ...input.repair, window: null },
    exact: true,
    anchor: null,
    stages: null,
    memory: new MeasureMemory(),
  })
  const decided = await runInPieces(plan, { ...options, answer: answerWithBytes })
  const { facts } = decided
  if (facts.line !== null && facts.before >= facts.line) return null
  if (window !== null && facts.before > window) return null
  return { ...decided, facts: { ...facts, ...(window === null ? {} : { window }), method: 'bound' } }
}

async function decideByEstimate(
  input: Omit<DecideInput, 'exact'>,
  options: PieceOptions,
): Promise<DecidedRequest> {
  const plan = decideRequest({ ...input, exact: false, anchor: null, memory: new MeasureMemory() })
  const decided = await runInPieces(plan, { ...options, answer: answerWithEstimates })
  const { facts } = decided
  return { ...decided, facts: { ...facts, warnings: [...facts.warnings, estimatedWarning] } }
}

const estimatedWarning: Warning = {
  code: 'size_estimated',
  message:
    'the tokenizer could not be loaded or did not answer in time, so the size is a high estimate, which may fold but never refuses; dogear.warmUp() loads it ahead and says why it cannot',
}

/** Whether the work ended well within the time that a request may wait; the signal ends the wait at once. */
async function within(
  work: Promise<void>,
  { loadTimeoutMs, signal }: Pick<CountingOptions, 'loadTimeoutMs' | 'signal'>,
): Promise<boolean> {
  const end = new AbortController()
  const waited = new Promise<boolean>((resolve) => {
    const timer = setTimeout(resolve, loadTimeoutMs, false)
    end.signal.addEventListener('abort', () => clearTimeout(timer))
    signal?.addEventListener('abort', () => resolve(false), { signal: end.signal })
    if (signal?.aborted) resolve(false)
  })
  const loaded = work.then(
    () => true,
    () => false,
  )
  const first = await Promise.race([loaded, waited])
  end.abort()
  return first
}
