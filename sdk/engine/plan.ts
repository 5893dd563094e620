import type { NativeMessage } from './format.ts'

/**
 * What the engine cannot know by itself. A plan asks by yielding a wish and goes on with the answer, so the
 * engine stays synchronous and free of effects, and the one place that fulfils wishes is the session.
 */
export type Wish =
  | { readonly type: 'needs-counts'; readonly texts: readonly string[] }
  | { readonly type: 'needs-bodies'; readonly hashes: readonly string[] }

export type WishAnswer =
  | { readonly type: 'counts'; readonly tokens: readonly number[] }
  | { readonly type: 'bodies'; readonly messages: readonly NativeMessage[] }

/** A computation of the engine that may pause on wishes. It must not be shared between two runs. */
export type Plan<Result> = Generator<Wish, Result, WishAnswer>

/** Asks for the tokens of each text, in the order given. */
export function* askCounts(texts: readonly string[]): Plan<readonly number[]> {
  if (texts.length === 0) return []
  const answer = yield { type: 'needs-counts', texts }
  if (answer.type !== 'counts' || answer.tokens.length !== texts.length)
    throw new TypeError(`a plan asked for ${texts.length} counts and was answered with ${answer.type}`)
  return answer.tokens
}

/** Asks for stored native messages by content hash, in the order given. */
export function* askBodies(hashes: readonly string[]): Plan<readonly NativeMessage[]> {
  if (hashes.length === 0) return []
  const answer = yield { type: 'needs-bodies', hashes }
  if (answer.type !== 'bodies' || answer.messages.length !== hashes.length)
    throw new TypeError(`a plan asked for ${hashes.length} bodies and was answered with ${answer.type}`)
  return answer.messages
}

/** Runs a plan whose wishes can be answered at once: tests, the tokenizer by itself, small previews. */
export function runPlan<Result>(plan: Plan<Result>, answer: (wish: Wish) => WishAnswer): Result {
  let step = plan.next()
  while (!step.done) step = plan.next(answer(step.value))
  return step.value
}

/** Runs a plan whose wishes take time. A rejected answer ends the plan and rejects. */
export async function runPlanAsync<Result>(
  plan: Plan<Result>,
  answer: (wish: Wish) => WishAnswer | Promise<WishAnswer>,
): Promise<Result> {
  let step = plan.next()
  while (!step.done) step = plan.next(await answer(step.value))
  return step.value
}
