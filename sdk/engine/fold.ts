import { type FoldOutcome, FoldRun, type FoldRunInput } from './fold-run.ts'
import type { Plan } from './plan.ts'
import type { Stage, SummaryStage } from './stages/stage.ts'

export interface FoldStages {
  /** In order; each runs at most once in a fold (R95, R96). */
  readonly ordinary: readonly Stage[]
  /** In order, the one that keeps least last. */
  readonly summaries: readonly SummaryStage[]
  /** The same over everything after the first round, while the provider's cache is placed (R277). */
  readonly resets: readonly SummaryStage[]
}

export interface FoldInput extends FoldRunInput {
  readonly stages: FoldStages
}

/** Folds a line under its ceiling: the stages in their order, until one reaches the target (R97). */
export function* runFold(input: FoldInput): Plan<FoldOutcome> {
  const { stages, placesMarks, summaries } = input
  const run = new FoldRun(input)
  let tried = false
  if (placesMarks && summaries === 'available' && (yield* run.notesCallForReset())) {
    tried = yield* run.summarise(stages.resets)
    // Alone, where that is enough to send; what a reset cannot do must not keep the others from it (R278).
    if (run.landed && run.isSendable) return run.outcome()
  }
  for (const stage of stages.ordinary) yield* run.pass(stage)
  yield* run.summarise(stages.summaries)
  // Only the last of them: the tails were kept as short as they may be before it (R279). Nothing is summarised
  // twice for one request (rules.md 4, U10).
  if (placesMarks && !tried) yield* run.summarise(stages.resets.slice(-1))
  return run.outcome()
}
