import type { Format, ReportedUsage, Warning } from './engine/format.ts'
import type { ContextDecision, FoldRecord, PartSize, SettlementRecord, TraceStep } from './engine/journal.ts'
import type { OverflowFacts } from './engine/overflow-facts.ts'
import type { ContextPolicy } from './engine/policy.ts'
import type { EntryKind } from './engine/record.ts'
import type { DogearEvent } from './events.ts'

/** What the app hands to `prepare` beside the request. */
export interface PrepareOptions<Request = unknown> {
  /** Detected from the shape of the request when absent. */
  readonly format?: Format
  readonly model?: string
  readonly provider?: string
  readonly url?: string
  /** May lower the ceiling, never raise it (R5, R6). */
  readonly maxInputTokens?: number
  /**
   * Tokens of the cached content that the request names, as its provider reported them when it was made
   * (`usageMetadata.totalTokenCount`). Needed under a ceiling of your own until a response has told them (R41).
   */
  readonly cachedContentTokens?: number
  readonly run?: 'iterative' | 'bounded'
  readonly signal?: AbortSignal
  /**
   * Sends a request of dogear's own, such as one for a summary, the way that this one goes. With it the model of the
   * round writes the summaries of its own conversation, and a request that is rejected for its length is repaired.
   */
  readonly send?: SendOwnRequest<Request>
}

/**
 * Sends a whole request in the format of the one that it is made for, which wants neither to be prepared nor settled,
 * and resolves with the whole response. It must not be streamed, must reject where there is no answer, and must end
 * with the signal. `model` is set where another model than that of the round is asked, and is in the request where
 * the format has a place for it.
 */
export type SendOwnRequest<Request = unknown> = (
  request: Request,
  options: { readonly signal: AbortSignal; readonly model?: string },
) => Promise<unknown>

export interface Prepared<Request = unknown> {
  /** What to send; deep-equals the input when nothing was changed. */
  readonly request: Request
  readonly decision: ContextDecision
  readonly warnings: readonly Warning[]
  /** Says how the request ended. Idempotent: a second call answers with the first settlement. */
  settle(outcome: Outcome): Promise<Settlement<Request>>
}

/**
 * `{ usage: null }`: completed, nothing reported. One that failed or was aborted may have reported its usage by then:
 * it is kept with the settlement, and teaches nothing (R30).
 */
export type Outcome =
  | { readonly response: unknown }
  | { readonly usage: unknown }
  | { readonly error: unknown; readonly status?: number | undefined; readonly usage?: unknown }
  | { readonly aborted: true; readonly usage?: unknown }

export interface Settlement<Request = unknown> {
  readonly usage?: ReportedUsage
  /** Scale in force from now on, rounded to 4 places. */
  readonly scale: number
  /**
   * The provider reported less input than for the request that this one continues, though nothing was taken away
   * (R324): somebody on the way may have cut it. Nothing is done about it.
   */
  readonly inputTruncationSuspected?: true
  /** What the provider said of a request that it rejected for its length. */
  readonly overflow?: OverflowFacts
  /**
   * The same round made to fit: send its request in place of the rejected one, and settle it. At most once per round;
   * absent where it cannot be repaired, so that the provider's error stands.
   */
  readonly retry?: Prepared<Request>
}

export type EntryState = 'verbatim' | 'clipped' | 'note' | 'out'

/** An entry of one request: what stood there of it, or that it was left out. */
export interface CompiledEntry {
  readonly index: number
  readonly kind: EntryKind
  readonly state: EntryState
  /** Counted, unscaled; 0 where it was left out. */
  readonly tokens: number
  /** Code points that were sent of a result that was shortened or cleared. */
  readonly kept?: number
}

export interface MessagePreview {
  readonly index: number
  readonly kind: EntryKind
  readonly state: EntryState
  /** First 120 characters of the readable text (R234). */
  readonly preview: string
  /** Code points of the readable text. */
  readonly chars: number
  /** Function name of a call or result. */
  readonly name?: string
  /** The fold that took the entry out of the view, while it is out, or shortened it, while its copy is there. */
  readonly foldId?: string
  readonly delivered: boolean
}

export interface MessagePreviews {
  readonly total: number
  readonly messages: readonly MessagePreview[]
}

export interface ResultSlice {
  readonly text: string
  /** Code points of the whole text. */
  readonly total: number
  readonly nextOffset: number | null
  /** Limit that was applied, under a body bound (R213). */
  readonly limit?: number
}

export type RestoreReply =
  | { readonly success: true; readonly restored: readonly number[]; readonly estimate: number | null }
  | { readonly success: false; readonly reason: string }

/** What a verb that changes the view did. Tokens are an advisory estimate of message content (R230). */
export type VerbReply =
  | {
      readonly success: true
      /** Record indexes that left the view. */
      readonly indexes: readonly number[]
      /** Of the content that left, unscaled. */
      readonly tokensFreed: number | null
      /** Where a note was written. */
      readonly noteIndex?: number
    }
  | { readonly success: false; readonly reason: string }

/** There is nobody to write a summary now: the next request that can ask its model for one is compacted. */
export interface ArmedReply {
  readonly success: true
  readonly armed: true
}

/** What came of asking for a compaction of all that is before the newest work (R323, R362). */
export type CompactOutcome =
  | {
      readonly type: 'compacted'
      readonly foldId: string
      /** Estimated tokens of the next request, before and after. */
      readonly before: number
      readonly after: number
    }
  /** The next request that can ask its model for a summary is compacted. */
  | { readonly type: 'armed' }
  | {
      readonly type: 'refused'
      /**
       * The policy wants none, or the requests are never folded; the oldest part is a summary already; there is
       * nothing before the newest work; the provider holds the history.
       */
      readonly code:
        | 'compaction_disabled'
        | 'already_compacted'
        | 'nothing_to_compact'
        | 'compaction_unavailable_under_raw'
    }

/** What the context tool answers: an object that an app hands to the model as the tool's result. */
export type ContextToolReply = { readonly success: boolean } & Readonly<Record<string, unknown>>

/** JSON schema of the context tool's arguments. */
interface ContextToolSchema {
  [key: string]: unknown
  type: 'object'
  properties: Record<string, { type: 'string' | 'integer'; description?: string; enum?: string[] }>
  required: string[]
}

interface ContextToolFunction {
  name: string
  description: string
  parameters: ContextToolSchema
}

/** The context tool as the list of tools of each format takes it. */
export interface ContextToolShapes {
  'openai-chat': { type: 'function'; function: ContextToolFunction }
  'openai-responses': { type: 'function'; strict: false } & ContextToolFunction
  anthropic: { name: string; description: string; input_schema: ContextToolSchema }
  gemini: { functionDeclarations: { name: string; description: string; parameters: object }[] }
  'ai-sdk': { type: 'function'; name: string; description: string; inputSchema: ContextToolSchema }
}

/** The tool by which a model curates its own context: status, get_messages, read_result, restore, evict, compact. */
export interface ContextTool {
  /** In the shape that the list of tools of that format takes. */
  definition<Known extends Format>(format: Known): ContextToolShapes[Known]
  /** Runs one call. Never throws for bad arguments: it answers `success: false` with a reason. */
  run(args: unknown): Promise<ContextToolReply>
}

export interface VerifyReport {
  readonly ok: boolean
  readonly entries: number
  readonly originals: number
  /** Record indexes whose original is not there, or cannot be read. */
  readonly missing: readonly number[]
  /** Record indexes whose original is not what was stored under its hash. */
  readonly altered: readonly number[]
  /** Record indexes whose entry is not there, or is none; what is said of it is lost, and all others keep their place. */
  readonly damaged: readonly number[]
}

/** The next request as the engine would send it now. Computed by the engine; changes nothing. */
export interface FoldPreview {
  readonly before: number
  readonly after: number
  /** How the sizes are known; `bound`: an upper bound, until the tokenizer is there. */
  readonly method: ContextDecision['method']
  readonly ceiling: number | null
  readonly line: number | null
  readonly target: number | null
  readonly parts: readonly PartSize[]
  readonly action: ContextDecision['action']
  readonly steps: readonly TraceStep[]
}

export interface Status {
  readonly branchId: string
  readonly lineId: string
  readonly entries: number
  readonly inView: number
  readonly folded: number
  readonly ceiling: number | null
  readonly scale: number
  readonly lastEstimate: number | null
  /** Tokens of the messages of the request, unscaled, without system and tools (R230); null: not counted yet. */
  readonly contentTokens: number | null
}

export interface Journal {
  readonly decisions: readonly ContextDecision[]
  readonly folds: readonly FoldRecord[]
  readonly settlements: readonly SettlementRecord[]
}

export interface LineSummary {
  readonly id: string
  readonly parentId?: string
  readonly divergence?: number
  readonly updatedAt: number
}

export interface BranchSummary {
  readonly id: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly entryCount: number
  readonly bytes: number
  readonly format?: string
  readonly model?: string
}

export interface BranchOptions {
  readonly policy?: ContextPolicy
  /** Where the requests do not name one. */
  readonly model?: string
  readonly provider?: string
}

/** One conversation: its record, its view, its policy, its decisions. */
export interface Branch {
  readonly id: string
  readonly policy: ContextPolicy
  /** The events of this branch alone, from now on, as `dogear.subscribe` gives those of all. Returns the unsubscribe. */
  subscribe(listener: (event: DogearEvent) => void): () => void
  /**
   * Measures the request, folds it under the ceiling where it must, and keeps every original.
   * Rejects with `InputCeilingError` where it cannot fit, and with `DogearError` for a request it cannot read.
   */
  prepare<Request>(request: Request, options?: PrepareOptions<Request>): Promise<Prepared<Request>>
  status(): Promise<Status>
  getMessages(options?: { scope?: 'active' | 'all'; start?: number; end?: number }): Promise<MessagePreviews>
  /** Characters `offset` to `offset + limit` of an original; never changes the view (R208 to R211). */
  readResult(options: { index: number; offset?: number; limit?: number }): Promise<ResultSlice>
  restore(options: { start: number; end?: number }): Promise<RestoreReply>
  /** Brings back everything that one fold took out. */
  restoreFold(foldId: string): Promise<RestoreReply>
  readonly contextTool: ContextTool
  /** Takes entries out of the view, calls with their results, without a note; `restore` brings them back. */
  evict(options: { start: number; end?: number }): Promise<VerbReply>
  /** Takes the calls and results of all but the newest `keep` rounds out of the view; 2. */
  evictActionResults(options?: { keep?: number }): Promise<VerbReply>
  /** Replaces a range by one note: with the summary that is handed over, else with one that is written. */
  compact(options?: { start?: number; end?: number; summary?: string }): Promise<VerbReply | ArmedReply>
  /** Has everything before the newest work summarised: now, or with the next request where only its model can (R323). */
  compactNow(): Promise<CompactOutcome>
  /** A pinned entry is neither folded nor shortened until it is unpinned. */
  pin(index: number): Promise<void>
  unpin(index: number): Promise<void>
  /** Ends the refusal of the current turn, so that the next request is decided anew. */
  clearRefusal(): Promise<void>
  /** Another branch that starts from this one's view; this one is not changed (R290). */
  clone(id?: string): Promise<Branch>
  /** Reads every original back and compares it with the hash it was stored under. */
  verify(): Promise<VerifyReport>
  setPolicy(policy: ContextPolicy): Promise<void>
  /**
   * What a request held, in send order, with what was left out in its place. Known of the newest 50 requests of this
   * page; rejects with `invalid_argument` for others.
   */
  compiled(requestId: string): Promise<readonly CompiledEntry[]>
  preview(policy?: ContextPolicy): Promise<FoldPreview | null>
  lines(): Promise<readonly LineSummary[]>
  journal(): Promise<Journal>
  delete(): Promise<void>
}
