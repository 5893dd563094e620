import type { Warning } from './engine/format.ts'
import type { ContextDecision, FoldRecord, SettlementRecord, StageName } from './engine/journal.ts'

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

/**
 * A policy was set, or has been resolved for the first request under it. Only then are the ceiling and its
 * source known, for they may depend on the model (R19, R308).
 */
export interface PolicySetEvent extends EventBase {
  readonly type: 'policy-set'
  readonly policy: Readonly<Record<string, unknown>>
  readonly resolved?: Pick<ContextDecision, 'ceiling' | 'ceilingSource' | 'tier' | 'line' | 'target'>
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

export interface LineForkedEvent extends EventBase {
  readonly type: 'line-forked'
  readonly lineId: string
  readonly parentLineId: string
  /** First record index that differs. */
  readonly index: number
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
  | ResultReadEvent
  | EntriesRestoredEvent
  | LineForkedEvent
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
