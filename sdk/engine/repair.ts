import { type FoldOutcome, FoldRun, type FoldRunInput } from './fold-run.ts'
import type { RepairTrigger } from './journal.ts'
import type { Plan } from './plan.ts'
import { type Estimate, over, type Ratio } from './scale.ts'
import type { Stage, SummaryStage } from './stages/stage.ts'

/** The two ways to make a round smaller (R330). */
export type RepairArm = 'prune' | 'summary'

export interface RepairStages {
  /** Clears results that were read, where that alone is enough (R331). */
  readonly prune: Stage
  /** Puts a summary in the place of everything before the tail. */
  readonly summary: SummaryStage
}

/** Why a round is made to fit whatever its estimate is: its provider rejected it, or somebody asked. */
export type RepairRequest =
  | {
      readonly trigger: 'overflow'
      /** Largest input that the provider says it takes, in its own tokens; null: it does not say. */
      readonly limit: number | null
      /** What it says the input came to; null: it does not say. */
      readonly reported: number | null
    }
  | { readonly trigger: 'manual' }
  | {
      /** The request has more bytes than its provider takes, whatever its tokens are (R318). */
      readonly trigger: 'wall'
      /** Bytes are seen in what is written, so whoever asks sees whether the first arm was enough. */
      readonly arm: RepairArm
    }

/** What a round can be repaired by that cannot be sent for its size (R311). */
export interface RepairFacts {
  /** Largest input that the model takes, in its own tokens; null: not known. Never learned from an error (R327). */
  readonly window: number | null
  /** Largest input of a model of its own that writes the summaries; null: there is none, or it is not known. */
  readonly readerWindow: number | null
  readonly asked: RepairRequest | null
  /** Null where none may run: the policy wants none, or this round was repaired before (R344, R363). */
  readonly stages: RepairStages | null
}

/**
 * What calls for a repair (R315): a rejection or a person; else the window, by the provider's own last report where
 * the request continues it and by the count where it does not (R316, R318). What is no count never does (R320).
 */
export function repairTrigger(
  { window, asked }: RepairFacts,
  measured: { readonly estimate: Estimate; readonly isAnchored: boolean; readonly exact: boolean },
): RepairTrigger | null {
  if (asked) return asked.trigger
  if (window === null || !measured.exact || !over(measured.estimate, window)) return null
  return measured.isAnchored ? 'usage' : 'wall'
}

/**
 * Tokens that a repaired request may come to: what the rejection says, else the window; null: neither is known, or it
 * is no matter of tokens.
 */
export function repairLimit({ window, asked }: RepairFacts): number | null {
  if (asked === null) return window
  return asked.trigger === 'overflow' ? (asked.limit ?? window) : null
}

/**
 * The least factor that a rejection leaves possible: what was rejected was as large as the provider says, or at least
 * as large as what it takes (rules.md 4, U14).
 */
export function rejectedFactor(repair: RepairFacts, counted: number): Ratio | null {
  if (repair.asked?.trigger !== 'overflow' || counted === 0) return null
  const least = Math.max(repair.asked.reported ?? 0, repairLimit(repair) ?? 0)
  return least === 0 ? null : { numerator: BigInt(least), denominator: BigInt(counted) }
}

export interface RepairInput extends FoldRunInput {
  readonly reason: RepairTrigger
  readonly stages: RepairStages
  /** The one arm that is wanted; absent: the first that is enough. */
  readonly arm?: RepairArm
}

/**
 * Makes a round fit, by one of two arms (R330): results that were read are cleared where that reaches the target,
 * which only a trigger with a number can tell (R337); else a summary stands in place of what is before the tail.
 */
export function* runRepair(input: RepairInput): Plan<FoldOutcome> {
  const { reason, stages, summaries, arm } = input
  const run = new FoldRun(input)
  const hasNumber = reason === 'usage' || reason === 'wall'
  if (hasNumber && arm !== 'summary' && summaries === 'available')
    yield* run.pass(stages.prune, { onlyToTarget: arm === undefined })
  if (!run.landed && arm !== 'prune') yield* run.summarise([stages.summary])
  return run.outcome()
}
