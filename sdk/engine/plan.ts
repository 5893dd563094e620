import type { ReportedUsage } from './format.ts'
import type { SummaryFallback } from './journal.ts'
import type { Scale } from './scale.ts'

/**
 * What the engine cannot know by itself. A plan asks by yielding a wish and goes on with the answer, so the
 * engine stays synchronous and free of effects, and the one place that fulfils wishes is the session.
 */
export type Wish =
  | {
      readonly type: 'needs-counts'
      /** Each text once; never empty. */
      readonly texts: readonly string[]
    }
  | { readonly type: 'needs-summary'; readonly job: SummaryJob }

export type WishAnswer =
  | {
      readonly type: 'counts'
      /** Tokens of each text, in the order asked. */
      readonly tokens: readonly number[]
    }
  | { readonly type: 'summary'; readonly outcome: SummaryOutcome }

/** What one summary request reads, and nothing else of the conversation (R156). */
export interface SummaryJob {
  /** Name of the fold record that the summary will belong to. */
  readonly foldId: string
  /** The request that it is for; absent where somebody asked for it by itself. */
  readonly requestId?: string
  /** What is asked of the writer. */
  readonly instructions: string
  /** Names the tools, so that no other is spoken of (R351). */
  readonly opening: string
  /** The span, oldest first: earlier notes, words as they are, results as pointers. */
  readonly history: string
  /** What follows the span and stays, in the same form; empty where none of it is shown (R358). */
  readonly retainedTail: string
}

export type SummaryOutcome =
  | {
      readonly type: 'written'
      readonly text: string
      readonly source: 'model' | 'delegate'
      readonly usage: ReportedUsage | null
      /** Scale in force now, where the summary request raised it (R107). */
      readonly scale?: Scale
      readonly fallback?: SummaryFallback
    }
  | {
      readonly type: 'failed'
      readonly reason?: SummaryFallback['reason']
      readonly usage: ReportedUsage | null
      readonly scale?: Scale
      readonly fallback?: SummaryFallback
    }
  /** Nothing is sent for a preview. */
  | { readonly type: 'withheld' }

/** A point at which a plan may be left for a while: whoever runs it may let the page do something else first. */
export interface MayPause {
  readonly type: 'may-pause'
}

/** Goes on with a plan that was left at a point where it may pause. */
export interface Resumed {
  readonly type: 'resumed'
}

export const resumed: Resumed = { type: 'resumed' }

/** A computation of the engine that may pause on wishes. It must not be shared between two runs. */
export type Plan<Result> = Generator<Wish | MayPause, Result, WishAnswer | Resumed>

/** Asks for the tokens of each text, in the order given. */
export function* askCounts(texts: readonly string[]): Plan<readonly number[]> {
  if (texts.length === 0) return []
  const answer = yield { type: 'needs-counts', texts }
  if (answer.type !== 'counts')
    throw new TypeError(`a plan asked for counts and was answered with a ${answer.type}`)
  const { tokens } = answer
  if (tokens.length !== texts.length)
    throw new TypeError(`a plan asked for ${texts.length} counts and was answered with ${tokens.length}`)
  return tokens
}

/** Asks for the tokens of texts among which some may be equal, or empty. */
export function* askCountsOf(texts: readonly string[]): Plan<readonly number[]> {
  const asked = [...new Set(texts)].filter((text) => text !== '')
  const tokens = yield* askCounts(asked)
  const known = new Map(asked.map((text, place) => [text, tokens[place] ?? 0]))
  return texts.map((text) => known.get(text) ?? 0)
}

/** Asks for a summary. */
export function* askSummary(job: SummaryJob): Plan<SummaryOutcome> {
  const answer = yield { type: 'needs-summary', job }
  if (answer.type !== 'summary')
    throw new TypeError(`a plan asked for a summary and was answered with ${answer.type}`)
  return answer.outcome
}

/** Answers wishes at once from a function that counts; nothing is sent, so no summary is written. */
export function answerCounts(
  count: (texts: readonly string[]) => readonly number[],
): (wish: Wish) => WishAnswer {
  return (wish) =>
    wish.type === 'needs-counts'
      ? { type: 'counts', tokens: count(wish.texts) }
      : { type: 'summary', outcome: { type: 'withheld' } }
}

/** For a plan that may pause, and asks for nothing. */
export function asksNothing(wish: Wish): never {
  throw new TypeError(`a plan that should ask for nothing came with ${wish.type}`)
}

/** Runs a plan whose wishes can be answered at once: previews, tests, the tokenizer by itself. */
export function runPlan<Result>(plan: Plan<Result>, answer: (wish: Wish) => WishAnswer): Result {
  let step = plan.next()
  while (!step.done) step = plan.next(step.value.type === 'may-pause' ? resumed : answer(step.value))
  return step.value
}
