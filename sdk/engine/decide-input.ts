import type { Anchor } from './choose-method.ts'
import type { RequestFacts } from './compile-request.ts'
import type { Digest } from './digest.ts'
import type { FoldStages } from './fold.ts'
import type { FoldConditions } from './fold-conditions.ts'
import type { ToolFacts } from './format.ts'
import type { Line } from './record.ts'
import type { RepairFacts } from './repair.ts'
import type { Scale } from './scale.ts'

/** All that a decision about one request depends on. */
export interface DecideInput extends FoldConditions, Omit<RequestFacts, 'rules' | 'placesMarks'> {
  readonly requestId: string
  readonly at: number
  readonly line: Line
  readonly scale: Scale
  readonly anchor: Anchor | null
  /** The provider wants the first round of the current turn as it was. */
  readonly keepsTurnHead: boolean
  /** Reasoning of the request is bound to all that stands before it, so nothing may be said only once. */
  readonly bindsReasoning: boolean
  /** What the first attempt of a retry told the model, so that the same bytes leave; absent: it is no retry. */
  readonly repeated?: { readonly notice: string | null }
  /** Stages that may run; none for a retry, which must send the same bytes again, and under a refusal that stands. */
  readonly stages: FoldStages | null
  /** Who writes summaries: nobody where the app wants none, or where there is no way to ask for one. */
  readonly summaries: 'available' | 'off' | 'missing'
  readonly repair: RepairFacts
  /** Further folds that the turn may still have when the request as it would leave is over the ceiling (R60). */
  readonly resumptions: number
  readonly tools: readonly ToolFacts[]
  /** Names the first round where it is decided; null: nothing is sent, so nothing is decided (R262). */
  readonly digest: Digest | null
  /** False where even the ranks could not be loaded: such a count may fold, it never refuses. */
  readonly exact: boolean
}
