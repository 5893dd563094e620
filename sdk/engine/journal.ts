import type { Format, ReportedUsage, Warning } from './format.ts'

export type PartName =
  | 'system'
  | 'tools'
  | 'instruction'
  | 'answer'
  | 'call'
  | 'result'
  | 'note'
  | 'media'
  | 'other'

/** Tokens of one part of a request; the tokens of all parts add up to `counted`. */
export interface PartSize {
  readonly part: PartName
  readonly tokens: number
  readonly entries: number
}

export type CeilingSource = 'policy' | 'model' | 'call' | 'default' | 'auto' | 'none' | 'unpriced'

export type MeasureMethod = 'counted' | 'anchored' | 'remote' | 'bound' | 'estimate'

export type StageName = 'tool_io' | 'clip' | 'all' | 'reset' | 'prune' | 'summary'

/** One step of a decision, in the engine's own numbers, so that a sentence can be made without deriving anything. */
export type TraceStep =
  | {
      readonly type: 'measured'
      readonly estimate: number
      readonly line: number | null
      readonly ceiling: number | null
    }
  | {
      readonly type: 'stage'
      readonly stage: StageName
      readonly keptTail: number | null
      readonly outcome: 'landed' | 'rolled_back' | 'nothing_to_take'
      readonly before: number
      readonly after: number
      readonly indexes: readonly number[]
      readonly target: number
    }
  | {
      readonly type: 'refused'
      readonly estimate: number
      readonly ceiling: number
      readonly reason: RefusalReason
    }

export type RefusalReason =
  | 'over_ceiling'
  | 'nothing_to_fold'
  | 'no_context_tool'
  | 'bounded_run'
  /** The history is held by the provider, where no fold can reach it (R40). */
  | 'remote_history'
  /** Nothing on record says how large the history is that the provider holds (R41). */
  | 'remote_unmeasured'

/** What was decided about one request (R295, R296). Versioned and additive. Numbers are tokens. */
export interface ContextDecision {
  readonly v: 1
  readonly branchId: string
  readonly lineId: string
  readonly parentLineId?: string
  readonly requestId: string
  /** 1 for the first send; a retry of the same list counts up. */
  readonly attempt: number
  readonly sequence: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly model?: string
  readonly format: Format
  readonly ceiling: number | null
  readonly ceilingSource: CeilingSource
  readonly tier?: { readonly maxPromptTokens: number; readonly revision: string }
  /** Token values of the fold line and target in force; null without a ceiling. */
  readonly line: number | null
  readonly target: number | null
  readonly method: MeasureMethod
  readonly before: number
  readonly after: number
  /** Tokens counted locally of the request as it leaves, before the scale. */
  readonly counted: number
  /** Rounded to 4 places; comparisons use the exact pair. */
  readonly scale: number
  readonly parts: readonly PartSize[]
  readonly action: 'pass' | 'notice' | 'fold' | 'repair' | 'refuse'
  readonly folded: readonly number[]
  /** Whether the request was handed to the app. */
  readonly sent: boolean
  readonly trace: readonly TraceStep[]
  readonly warnings: readonly Warning[]
}

/** One pass of a stage, landed or rolled back (R298 to R301). */
export interface FoldRecord {
  readonly v: 1
  readonly id: string
  readonly at: number
  readonly requestId: string
  readonly noteIndex?: number
  /** Half-open ranges of record indexes. */
  readonly replaced: readonly { readonly start: number; readonly end: number }[]
  readonly reason: 'threshold' | 'refused' | 'usage' | 'wall' | 'overflow' | 'manual'
  readonly stage: StageName
  readonly keptTail: number | null
  readonly messagesFolded: number
  /** At most fifty; `callsTotal` counts them all. */
  readonly calls: readonly {
    readonly index: number
    readonly function: string
    readonly arguments: string
    readonly outputChars: number | null
  }[]
  readonly callsTotal: number
  readonly summarySource: 'model' | 'host' | 'delegate' | null
  readonly summaryUsage: ReportedUsage | null
  readonly before: number
  readonly after: number
  readonly ceiling: number | null
  readonly scale: number
  readonly outcome: 'landed' | 'rolled_back'
  readonly targetReached: boolean
}

export interface SettlementRecord {
  readonly requestId: string
  readonly attempt: number
  readonly outcome: 'completed' | 'failed' | 'aborted' | 'inferred'
  readonly usage?: ReportedUsage
  readonly scale: number
  /** From the return of `prepare` to `settle`. */
  readonly ms?: number
  readonly inputTruncationSuspected?: true
}
