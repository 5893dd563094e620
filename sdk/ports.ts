import type { FirstTier } from './engine/ceiling.ts'
import type { Anchor } from './engine/choose-method.ts'
import type { Format, NativeMessage } from './engine/format.ts'
import type { ContextDecision, FoldRecord, SettlementRecord } from './engine/journal.ts'
import type { Entry, FirstRoundDecision } from './engine/record.ts'
import type { TurnState } from './engine/turn.ts'

/** Every outside thing that the session needs, as an interface. Implementations live in tokenizer, stores and models. */

export interface TokenizerProgress {
  readonly phase: 'ranks' | 'wasm' | 'ready'
  readonly engine: 'wasm' | 'script'
}

/** Counts o200k_base tokens as `encode_ordinary` would. Never counts one text twice for one call. */
export interface CountTokens {
  /** Whether a count can be answered without loading anything first. */
  readonly ready: boolean
  /** Starts loading; safe to call often; a failed load is retried on the next call. */
  load(): Promise<void>
  /** Tokens of each text, in order. Rejects with a `TokenizerError` when no rung of the ladder works. */
  count(texts: readonly string[], signal?: AbortSignal): Promise<readonly number[]>
  /** `exact` is false on the last rung, where even the ranks could not be loaded. */
  readonly exact: boolean
  onProgress(listener: (progress: TokenizerProgress) => void): () => void
  /** Called when a rung of the ladder failed and the next one took over. */
  onFallback(listener: (fallback: { from: string; to: string; cause: unknown }) => void): () => void
  close(): Promise<void>
}

/** What the shipped slice, or the app, says of a model. Loads the slice on first use; absent where nothing is known. */
export type FindModel = (query: {
  readonly model?: string
  readonly provider?: string
  readonly url?: string
}) => Promise<ModelFacts | undefined>

export interface ModelFacts {
  readonly tier?: FirstTier
  readonly contextWindow?: number
  readonly inputLimit?: number
  /** The app's own ceiling for the model, in force where the policy sets none; null: no ceiling (R17). */
  readonly maxInputTokens?: number | null
}

/**
 * What an app's own summary function is given. Without the signal it comes to at most 65,536 bytes of JSON (R340):
 * where there is more, the oldest of the history is left out, then that of the tail, and a line says how much.
 */
export interface SummaryRequest {
  readonly branchId: string
  /** The request that waits for the summary; absent where somebody asked for it by itself. */
  readonly requestId?: string
  /** Name of the fold record that the summary will belong to. */
  readonly foldId: string
  /** What a model should be told to do: use it as the system prompt, or words of your own to the same end. */
  readonly instructions: string
  /** What is to be summarised: the names of the tools, words as they are, results as pointers (R351, R352). */
  readonly history: string
  /** What follows and stays in the conversation as it is, in the same form; empty where it is not shown (R339, R358). */
  readonly retainedTail: string
  /** Aborts when the request is given up or the time is over. */
  readonly signal: AbortSignal
}

/**
 * Writes a summary. An empty text, the text of an error, and a rejection all mean that there is none. The request
 * that it is for waits meanwhile, so it must not prepare one on the same branch.
 */
export type Summarize = (request: SummaryRequest) => Promise<string | { readonly text: string }>

/**
 * Lets the page do what waits for it. Undefined while dogear has not kept it waiting for long, else a promise that
 * resolves in a later task.
 */
export type Breathe = () => Promise<void> | undefined

/** Milliseconds since the epoch. */
export type Clock = () => number

export type NewId = () => string

/** A branch as it is listed: no body and no entry has to be read for it. */
export interface BranchRow {
  readonly id: string
  readonly createdAt: number
  readonly updatedAt: number
  /** Line that the last prepare chose. */
  readonly lineId: string
  /** Requested policy as the app gave it, validated; absent keys are absent. */
  readonly policy: Readonly<Record<string, unknown>>
  readonly format?: Format
  readonly model?: string
  readonly provider?: string
  readonly entryCount: number
  readonly bytes: number
  /** Next journal sequence. */
  readonly sequence: number
  /** Another one with every commit: whoever knows an older one knows an older branch. */
  readonly revision?: string
  /**
   * Tokens of what the provider may hold, the newest last: of responses, input and output together, by their id,
   * and of cached contents by their name.
   */
  readonly responses?: Readonly<Record<string, number>>
  /** Counted tokens of the tools that those responses were asked with, by the same id; absent where there were none. */
  readonly responseTools?: Readonly<Record<string, number>>
  /** Exact scale pair per model name; '' where the model is unknown (R30, R31). */
  readonly scales: Readonly<Record<string, { readonly reported: number; readonly counted: number }>>
}

export interface LineRow {
  readonly branchId: string
  readonly lineId: string
  readonly parent?: { readonly lineId: string; readonly index: number }
  readonly view: readonly number[]
  /** Absent where nobody recorded it: then what stands before the newest answer was read (R86). */
  readonly delivered?: readonly number[]
  readonly carried: readonly number[]
  readonly window: { readonly from: number; readonly to: number }
  /** Last completed request whose input was reported for it alone. */
  readonly anchor?: Anchor
  readonly pinned?: readonly number[]
  readonly recovered?: readonly number[]
  readonly firstRound?: FirstRoundDecision
  readonly turn?: TurnState
  readonly updatedAt: number
}

/** A line's own entries only: those below its parent's divergence belong to the parent. */
export interface EntryRow extends Entry {
  readonly branchId: string
  readonly lineId: string
}

/** A native message as JSON text, stored once by content hash and shared between lines, branches and clones. */
export interface BodyRow {
  readonly hash: string
  readonly json: string
}

export type JournalRow = { readonly branchId: string; readonly sequence: number } & (
  | { readonly type: 'decision'; readonly record: ContextDecision }
  | { readonly type: 'fold'; readonly record: FoldRecord }
  | { readonly type: 'settlement'; readonly record: SettlementRecord }
)

/** One step's outcome: rows of one branch only. All of it is stored, or none. */
export interface BranchChange {
  readonly branch: BranchRow
  /**
   * Revision of the stored branch that the change was made from, '' for one without; null: there was no branch. Where
   * another one is stored the change must be rejected with `store_stale`. Absent: whatever is there.
   */
  readonly from?: string | null
  readonly lines: readonly LineRow[]
  /**
   * Append-only: an entry that is there already with other content must reject with `store_conflict`. One
   * whose body neither is stored nor comes with it must reject with `body_missing`.
   */
  readonly entries: readonly EntryRow[]
  /** A body that is there already stays as it is. */
  readonly bodies: readonly BodyRow[]
  /** Append-only, as entries are. */
  readonly journal: readonly JournalRow[]
  /** Record writes wait for the disk; caches need not. */
  readonly durability: 'strict' | 'relaxed'
}

/** A branch as `from` names it: its revision, '' where it has none; null: there is no branch. */
export function revisionOf(row: BranchRow | null | undefined): string | null {
  return row ? (row.revision ?? '') : null
}

export interface StoredBranch {
  readonly branch: BranchRow
  readonly lines: readonly LineRow[]
  readonly entries: readonly EntryRow[]
}

/** What a store can do whose storage others share: tabs, workers, other stores of this page. */
export interface StoreSharing {
  /**
   * Runs a step while nobody else runs one on that branch. A step that could not have it to itself within five seconds
   * runs all the same, and is told so: what it commits is checked against the revision that it was made from.
   */
  exclusively<Result>(branchId: string, step: (isAlone: boolean) => Promise<Result>): Promise<Result>
  /** Tells which branch somebody else changed or deleted. Returns the unsubscribe. */
  subscribe(listener: (branchId: string) => void): () => void
  /** Says that a branch is open here until the function that it returns is called. */
  hold(branchId: string): () => void
  /** Those that are open anywhere. */
  held(): Promise<ReadonlySet<string>>
}

/**
 * Keeps branches. Every method rejects with a `StoreError`. What it returns is frozen, and nothing it was
 * given is kept by reference.
 */
export interface BranchStore {
  /** The one that was updated last comes first. */
  branches(): Promise<readonly BranchRow[]>
  /** A branch's own row, and nothing else of it is read; null where there is none. */
  row(branchId: string): Promise<BranchRow | null>
  /** Null where there is no such branch. Lines by id, entries by line and index. Bodies stay where they are. */
  load(branchId: string): Promise<StoredBranch | null>
  /** Several at once are stored together, or none of them. */
  commit(...changes: readonly BranchChange[]): Promise<void>
  /** In the order asked; rejects with `body_missing` naming the first hash that is not there. */
  bodies(hashes: readonly string[]): Promise<readonly NativeMessage[]>
  /** By sequence. */
  journal(branchId: string): Promise<readonly JournalRow[]>
  /** Entries, lines, journal, and the bodies that nothing else refers to. Deleting what is not there is no error. */
  delete(branchId: string): Promise<void>
  /** Deletes the bodies that no branch refers to, and says how many there were. */
  collect(): Promise<number>
  /** Waits for what is under way and lets go of the storage; a later call takes it up again. */
  close(): Promise<void>
  /** Absent where nobody can share the storage. */
  readonly sharing?: StoreSharing
}
