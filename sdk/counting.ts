import { answerWithBytes, answerWithEstimates } from './engine/byte-bound.ts'
import { type DecidedRequest, type DecideInput, decideRequest } from './engine/decide.ts'
import { MeasureMemory } from './engine/measure.ts'
import { type Plan, runPlan } from './engine/plan.ts'
import type { CountTokens } from './ports.ts'

export interface CountingOptions {
  readonly counter: CountTokens
  /** How long a request may wait for the tokenizer before it is estimated. */
  readonly loadTimeoutMs: number
  readonly signal?: AbortSignal
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
  if (!counter.ready) {
    const bound = decideByBytes(input)
    if (bound !== null) {
      // The next request will want it; a failure shows there.
      counter.load().catch(() => undefined)
      return bound
    }
    const loaded = await within(counter.load(), options.loadTimeoutMs)
    if (!loaded) return decideByEstimate(input)
  }
  return await runCounted(decideRequest({ ...input, exact: counter.exact }), options)
}

/** Answers the counts of a plan from the tokenizer. */
async function runCounted<Result>(
  plan: Plan<Result>,
  options: Pick<CountingOptions, 'counter' | 'signal'>,
): Promise<Result> {
  let step = plan.next()
  while (!step.done) {
    const tokens = await options.counter.count(step.value.texts, options.signal)
    step = plan.next({ type: 'counts', tokens })
  }
  return step.value
}

/** Null where the bytes are past the line, so that only a count can tell. */
function decideByBytes(input: Omit<DecideInput, 'exact'>): DecidedRequest | null {
  const decided = runPlan(
    decideRequest({ ...input, exact: true, anchor: null, stages: [], memory: new MeasureMemory() }),
    answerWithBytes,
  )
  const { facts } = decided
  if (facts.line !== null && facts.before >= facts.line) return null
  return { ...decided, facts: { ...facts, method: 'bound' } }
}

function decideByEstimate(input: Omit<DecideInput, 'exact'>): DecidedRequest {
  return runPlan(
    decideRequest({ ...input, exact: false, anchor: null, memory: new MeasureMemory() }),
    answerWithEstimates,
  )
}

async function within(work: Promise<void>, milliseconds: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  const loaded = work.then(
    () => true,
    () => false,
  )
  const first = await Promise.race([loaded, timeout])
  clearTimeout(timer)
  return first
}
