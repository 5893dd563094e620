/**
 * What the engine cannot know by itself. A plan asks by yielding a wish and goes on with the answer, so the
 * engine stays synchronous and free of effects, and the one place that fulfils wishes is the session.
 */
export interface Wish {
  readonly type: 'needs-counts'
  /** Each text once; never empty. */
  readonly texts: readonly string[]
}

export interface WishAnswer {
  readonly type: 'counts'
  /** Tokens of each text, in the order asked. */
  readonly tokens: readonly number[]
}

/** A computation of the engine that may pause on wishes. It must not be shared between two runs. */
export type Plan<Result> = Generator<Wish, Result, WishAnswer>

/** Asks for the tokens of each text, in the order given. */
export function* askCounts(texts: readonly string[]): Plan<readonly number[]> {
  if (texts.length === 0) return []
  const { tokens } = yield { type: 'needs-counts', texts }
  if (tokens.length !== texts.length)
    throw new TypeError(`a plan asked for ${texts.length} counts and was answered with ${tokens.length}`)
  return tokens
}

/** Runs a plan whose wishes can be answered at once: previews, tests, the tokenizer by itself. */
export function runPlan<Result>(plan: Plan<Result>, answer: (wish: Wish) => WishAnswer): Result {
  let step = plan.next()
  while (!step.done) step = plan.next(answer(step.value))
  return step.value
}
