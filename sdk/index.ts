export type {
  ArmedReply,
  Branch,
  BranchOptions,
  BranchSummary,
  CompactOutcome,
  CompiledEntry,
  ContextTool,
  ContextToolReply,
  ContextToolShapes,
  EntryState,
  FoldPreview,
  Journal,
  LineSummary,
  MessagePreview,
  MessagePreviews,
  Outcome,
  Prepared,
  PrepareOptions,
  RestoreReply,
  ResultSlice,
  SendOwnRequest,
  Settlement,
  Status,
  VerbReply,
  VerifyReport,
} from './branch.ts'
export { classifyError } from './classify-error.ts'
export { createDogear, type Dogear, type DogearOptions } from './dogear.ts'
export type { Format, LintFault, ReportedUsage, Warning } from './engine/format.ts'
export type {
  CeilingSource,
  ContextDecision,
  FoldRecord,
  MeasureMethod,
  PartName,
  PartSize,
  RefusalReason,
  RepairTrigger,
  SettlementRecord,
  StageName,
  SummaryFallback,
  TraceStep,
} from './engine/journal.ts'
export type { OverflowFacts } from './engine/overflow-facts.ts'
export type { ContextPolicy } from './engine/policy.ts'
export { DogearError, type DogearErrorCode, InputCeilingError, StoreError, TokenizerError } from './errors.ts'
export type { DogearEvent } from './events.ts'
export type { ExportOptions } from './export-branches.ts'
export type { DogearFetchOptions } from './fetch-options.ts'
export type { ImportOptions } from './import-branches.ts'
export { lintRequest } from './lint-request.ts'
export type { ModelEntry, PriceTier } from './models/model-entry.ts'
export type { PortableProgress } from './portable-file.ts'
export type {
  BodyRow,
  BranchChange,
  BranchRow,
  BranchStore,
  EntryRow,
  JournalRow,
  LineRow,
  StoredBranch,
  StoreSharing,
  Summarize,
  SummaryRequest,
} from './ports.ts'
export { readUsage } from './read-usage.ts'
export type { Redact, RedactedPlace } from './redacting.ts'
export type { StorageStatus } from './storage-status.ts'
export { indexedDbStore } from './stores/idb.ts'
export { memoryStore } from './stores/memory.ts'
export type { Tidied, TidyOptions } from './tidying.ts'
export type { TokenizerEngine, TokenizerOptions } from './tokenizer/tokenizer.ts'
export { parseTranscript, type Transcript } from './transcript/transcript.ts'
