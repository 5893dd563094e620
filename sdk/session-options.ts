import type { BranchStateOptions } from './branch-state.ts'
import type { CountingOptions } from './counting.ts'
import type { MeasureMemory } from './engine/measure.ts'
import type { EventBody } from './events.ts'
import type { FindModel, Summarize } from './ports.ts'
import type { FormatRegistry } from './request-reading.ts'

export interface SessionOptions
  extends BranchStateOptions,
    Pick<CountingOptions, 'breathe' | 'counter' | 'loadTimeoutMs'> {
  /** The app's own summary function. */
  readonly summarize?: Summarize
  readonly findModel: FindModel
  readonly formats: FormatRegistry
  readonly contextToolName: string
  /** Counts that branches share: they stay bounded together, and a clone's texts are known already. */
  readonly memory: MeasureMemory
  readonly model?: string
  readonly provider?: string
  /** Somebody else deleted the branch. */
  readonly onGone: () => void
  /** Adds what every event of the branch carries, and passes it on. */
  readonly emit: (event: EventBody) => void
}
