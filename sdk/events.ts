import type { Warning } from './engine/format.ts'
import type {
  ContextDecision,
  FoldRecord,
  RepairTrigger,
  SettlementRecord,
  StageName,
} from './engine/journal.ts'
import type { OverflowFacts } from './engine/overflow-facts.ts'

interface EventBase {
  readonly v: 1
  readonly branchId: string
  readonly lineId?: string
  readonly requestId?: string
  /** Rises by one per event of a branch. */
  readonly sequence: number
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** A policy as it is in force for a request: what depends on its model, its format and its tools is known. */
export interface ResolvedPolicy
  extends Pick<ContextDecision, 'ceiling' | 'ceilingSource' | 'tier' | 'line' | 'target'> {
  /** Marks are placed for the provider's cache; not that one was placed, or that anything was read from it (R386). */
  readonly promptCaching: boolean
  /** Code points; null: no bound. */
  readonly toolResultMaxChars: number | null
  /** Shares of the ceiling; null: nothing is folded. */
  readonly contextFold: { readonly at: number; readonly target: number } | null
}

/**
 * A policy was set, or has been resolved for the first request under it. Only then are the ceiling and its
 * source known, for they may depend on the model (R19, R308).
 */
export interface PolicySetEvent extends EventBase {
  readonly type: 'policy-set'
  readonly policy: Readonly<Record<string, unknown>>
  readonly resolved?: ResolvedPolicy
}

export interface RequestMeasuredEvent extends EventBase {
  readonly type: 'request-measured'
  readonly requestId: string
  readonly estimate: number
  readonly counted: number
  readonly method: ContextDecision['method']
}

export interface StageAppliedEvent extends EventBase {
  readonly type: 'stage-applied'
  readonly requestId: string
  readonly stage: StageName
  readonly fold: FoldRecord
}

export interface RequestDecidedEvent extends EventBase {
  readonly type: 'request-decided'
  readonly requestId: string
  readonly decision: ContextDecision
}

export interface RequestSettledEvent extends EventBase {
  readonly type: 'request-settled'
  readonly requestId: string
  readonly settlement: SettlementRecord
}

export interface CalibrationUpdatedEvent extends EventBase {
  readonly type: 'calibration-updated'
  readonly requestId: string
  readonly model: string
  readonly scale: number
  readonly reported: number
  readonly counted: number
}

/** A provider rejected a request for its length; known from its typed code or one of its sentences (R322). */
export interface OverflowClassifiedEvent extends EventBase {
  readonly type: 'overflow-classified'
  readonly requestId: string
  readonly overflow: OverflowFacts
}

/** A request that could not be sent for its size was made to fit (R311, R315). */
export interface RoundRepairedEvent extends EventBase {
  readonly type: 'round-repaired'
  readonly requestId: string
  readonly foldId: string
  readonly trigger: RepairTrigger
  /** By clearing results that were read, or by a summary, of the model or of the app's function (R330). */
  readonly mode: 'prune' | 'summarize' | 'delegate'
  readonly before: number
  readonly after: number
  /** Tokens that it was to come under; null: not known. */
  readonly limit: number | null
}

/** Less input was reported than for the request that this one continues; nothing is done about it (R324, R396). */
export interface TruncationSuspectedEvent extends EventBase {
  readonly type: 'truncation-suspected'
  readonly requestId: string
  /** Input tokens as they were reported. */
  readonly reported: number
  /** The least that could have been reported. */
  readonly expected: number
}

export interface ResultReadEvent extends EventBase {
  readonly type: 'result-read'
  readonly index: number
  readonly offset: number
  /** Code points returned. */
  readonly chars: number
}

export interface EntriesRestoredEvent extends EventBase {
  readonly type: 'entries-restored'
  readonly indexes: readonly number[]
}

/** Entries left the view because somebody asked for it, and not by a fold. */
export interface EntriesEvictedEvent extends EventBase {
  readonly type: 'entries-evicted'
  readonly indexes: readonly number[]
  /** The note that was written for them. */
  readonly noteIndex?: number
}

export interface LineForkedEvent extends EventBase {
  readonly type: 'line-forked'
  readonly lineId: string
  readonly parentLineId: string
  /** First record index that differs. */
  readonly index: number
}

/**
 * Somebody else who shares the storage, such as another tab, changed the branch: its lines, what they hold and its
 * policy may be others from now on. What came into the journal meanwhile is told by no event of its own here.
 */
export interface ChangedElsewhereEvent extends EventBase {
  readonly type: 'changed-elsewhere'
  readonly lineId: string
}

export interface TokenizerProgressEvent extends EventBase {
  readonly type: 'tokenizer-progress'
  readonly phase: 'ranks' | 'wasm' | 'ready'
  readonly engine: 'wasm' | 'script'
}

export interface TokenizerFallbackEvent extends EventBase {
  readonly type: 'tokenizer-fallback'
  readonly from: string
  readonly to: string
  readonly reason: string
}

export interface StoreFailedEvent extends EventBase {
  readonly type: 'store-failed'
  readonly code: string
  readonly message: string
}

export interface WarningEvent extends EventBase {
  readonly type: 'warning'
  readonly warning: Warning
}

/** Everything that dogear says, as plain data: streamed to the panel, exported, asserted in tests. */
export type DogearEvent =
  | PolicySetEvent
  | RequestMeasuredEvent
  | StageAppliedEvent
  | RequestDecidedEvent
  | RequestSettledEvent
  | CalibrationUpdatedEvent
  | OverflowClassifiedEvent
  | RoundRepairedEvent
  | TruncationSuspectedEvent
  | ResultReadEvent
  | EntriesRestoredEvent
  | EntriesEvictedEvent
  | LineForkedEvent
  | ChangedElsewhereEvent
  | TokenizerProgressEvent
  | TokenizerFallbackEvent
  | StoreFailedEvent
  | WarningEvent

/** An event as its source makes it, before the branch adds its own name, number and time. */
export type EventBody = DogearEvent extends infer Event
  ? Event extends DogearEvent
    ? Omit<Event, 'v' | 'branchId' | 'sequence' | 'at'>
    : never
  : never
