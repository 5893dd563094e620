import type { Format, ReportedUsage, Warning } from './format.ts'
import type { OverflowFacts } from './overflow-facts.ts'

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

/** What had a round made to fit that could not be sent for its size (R315). */
export type RepairTrigger = 'usage' | 'wall' | 'overflow' | 'manual'

/** The app's function wrote no summary, so the model was asked for it once in its place (R342). */
export interface SummaryFallback {
  readonly from: 'delegate'
  /** It threw or rejected, took too long, or brought what is no summary. */
  readonly reason: 'failed' | 'timeout' | 'empty'
}

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
      /**
       * `needs_summary` in a preview only, for which nothing is sent: `after` is then the size without the
       * summary. `no_summarizer`: there is nobody to write one, so the stage did not run; `not_counted`: nor
       * did it on an estimate, for a summary costs more than it may be worth.
       */
      readonly outcome:
        | 'landed'
        | 'rolled_back'
        | 'nothing_to_take'
        | 'needs_summary'
        | 'no_summarizer'
        | 'not_counted'
      readonly before: number
      readonly after: number
      readonly indexes: readonly number[]
      /** Null where nothing says how large the request may be. */
      readonly target: number | null
    }
  /**
   * What would be left if everything that may be summarised were gone (R102): over the ceiling no summary is
   * asked for (R103), over the target one (R104), else as many as it takes (R105).
   */
  | {
      readonly type: 'floor'
      readonly estimate: number
      readonly verdict: 'unsendable' | 'one_pass' | 'passes'
    }
  /** What the notes in the view come to, and whether that is so much that only a reset helps (R278). */
  | { readonly type: 'notes'; readonly estimate: number; readonly limit: number; readonly resets: boolean }
  /** A fold more, because the request as it would leave was still over the ceiling (R59). */
  | { readonly type: 'resumed'; readonly estimate: number; readonly ceiling: number }
  /**
   * The request could not be sent for its size, or somebody asked for less of it (R311). `limit`: what it may come to;
   * null: not known. Only with `repairs` something was tried: with `off` the policy wants none, `blocked` is a request
   * that is never folded, and `repaired_before` one that was given its one repair (R363).
   */
  | {
      readonly type: 'repair'
      readonly trigger: RepairTrigger
      readonly estimate: number
      readonly limit: number | null
      readonly outcome: 'repairs' | 'off' | 'blocked' | 'repaired_before'
    }
  /** The first refusal of a turn stands for the rest of it (R52). */
  | { readonly type: 'refusal_stands'; readonly requestId: string }
  | {
      readonly type: 'refused'
      readonly estimate: number
      readonly ceiling: number | null
      readonly reason: RefusalReason
    }

export type RefusalReason =
  | 'over_ceiling'
  | 'nothing_to_fold'
  | 'no_context_tool'
  | 'bounded_run'
  /** The history is held by the provider, where no fold can reach it (R40). */
  | 'remote_history'
  /** A result cannot be shortened to the bound with its recovery instructions (R179, R188). */
  | 'result_over_bound'
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
  /** Largest input that the model takes; absent: not known. */
  readonly window?: number
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
  /** How the first round stands to the one that was decided (R268); absent: none stays ahead of the folds. */
  readonly frontier?: 'decided' | 'unchanged' | 'changed'
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
  readonly reason: 'threshold' | 'refused' | RepairTrigger
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
  /** Clip only: at most fifty bodies, by the original's index, its length and what is kept of it (R300, R301). */
  readonly clipped?: readonly { readonly index: number; readonly chars: number; readonly kept: number }[]
  readonly clippedTotal?: number
  /** Prune only: at most fifty results, by the original's index and the code points of its readable text. */
  readonly cleared?: readonly { readonly index: number; readonly chars: number }[]
  readonly clearedTotal?: number
  /** Prune only: record index at which the rounds begin whose results all stay (R333, R365). */
  readonly prunedBefore?: number
  /** Summary only: record index of the first entry after what the note stands for (R365). */
  readonly compactedBefore?: number
  /** Who wrote the words of the note: the app alone where no summary was asked for or none came (R298). */
  readonly summarySource: 'model' | 'host' | 'delegate' | null
  /** Absent where whoever was to write the summary was the one who was asked. */
  readonly fallback?: SummaryFallback
  /** Null where no summary was asked for, or nothing was reported (R299). */
  readonly summaryUsage: ReportedUsage | null
  readonly before: number
  readonly after: number
  /** What the request was to come under: the ceiling, or in a repair what its model takes; null: not known. */
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
  /** Less input was reported than for the request that this one continues (R324). */
  readonly inputTruncationSuspected?: true
  /** What its error said of its length. */
  readonly overflow?: OverflowFacts
}
