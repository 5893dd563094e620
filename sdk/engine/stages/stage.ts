import type { SourceMessage } from '../compile.ts'
import type { NativeMessage, ToolFacts, WireFormat } from '../format.ts'
import type { FoldRecord, StageName } from '../journal.ts'
import type { RequestSize } from '../measure.ts'
import type { Plan, SummaryOutcome } from '../plan.ts'
import type { ProjectionRules } from '../projection.ts'
import { type Entry, type Line, standsFor } from '../record.ts'

export interface StageContext {
  readonly line: Line
  readonly sources: ReadonlyMap<number, SourceMessage>
  readonly wire: WireFormat
  readonly rules: ProjectionRules
  /** Registered name of the context tool, to tell its calls; null where the request carries none. */
  readonly contextTool: string | null
  /** Tools that the request declares, for the summary (R351). */
  readonly tools: readonly ToolFacts[]
  /** The summary reads results shortened instead of as pointers. */
  readonly summaryBodies: boolean
  /** Entries that must stay in the view as they are, by their own and by their original's index. */
  readonly keep: ReadonlySet<number>
  /** The provider's cache is placed, so that an included first round goes on with its own bound (R272). */
  readonly placesMarks: boolean
  /** First position in the view that a stage may take or shorten; what stands before it stays (R276). */
  readonly from: number
  /** Whole rounds, with calls or without, kept beyond the stage's own tail. */
  readonly margin: number
  /** Name of the fold record that a landed proposal gets; a note or copy carries it. */
  readonly foldId: string
  /** Size of the line's view. */
  readonly size: RequestSize
  /** Greatest count at which the estimate is at or under the target. */
  readonly targetCounted: number
  /** Greatest count at which the estimate is at or under the ceiling. */
  readonly ceilingCounted: number
  /** The same for whoever reads what a summary is written of; absent: the ceiling itself (R360). */
  readonly readerCounted?: number
  /** The request that the stage runs for; absent where somebody asked for it by itself. */
  readonly requestId?: string
  /** Counts a whole request over another line. */
  readonly measure: (line: Line) => Plan<RequestSize>
  /** Tokens that a message has more, or less, than another in its place; null: only `measure` can tell. */
  readonly measureChange: (before: NativeMessage, after: NativeMessage) => Plan<number | null>
}

/** Another view. The runner measures it, and it lands only when it is strictly smaller (R106). */
export interface Proposal {
  readonly view: readonly number[]
  /** Entries to add to the record; their indexes must follow the record's last. */
  readonly added: readonly Entry[]
  /** Record indexes of the originals that leave the view, ascending; a clip takes none. */
  readonly taken: readonly number[]
  /** Bodies that were shortened, by the original's index (R300). */
  readonly clipped?: readonly { readonly index: number; readonly chars: number; readonly kept: number }[]
  /** Results that were cleared, by the original's index, and where those begin that all stay (R333). */
  readonly cleared?: NonNullable<FoldRecord['cleared']>
  readonly prunedBefore?: number
  /** Record index of the first entry after what a summary was put in the place of (R365). */
  readonly compactedBefore?: number
  /** What came of the summary request; absent: none was asked for. */
  readonly summary?: SummaryOutcome
}

/**
 * One step of a fold. Must not change the line it is given, must take whole rounds, must leave undelivered and
 * kept entries alone, and must give the same proposal for the same context.
 */
export interface Stage {
  readonly name: StageName
  readonly keptTail: number | null
  /** Null where there is nothing that it may take. */
  propose(context: StageContext): Plan<Proposal | null>
}

/** A stage that has a summary written of what it takes. */
export interface SummaryStage extends Stage {
  /** What it would take out of the view, without asking for anything: the rest is the floor view (R102). */
  takes(context: StageContext): ReadonlySet<number>
}

/** Record indexes of what entries of the view stand for, ascending. */
export function originalsOf(line: Line, entries: readonly Entry[]): readonly number[] {
  return entries.map(({ index }) => standsFor(line.record, index)).sort((left, right) => left - right)
}

/** Whether the model has read what an entry of the view stands for: the entry itself or, of a copy, its original. */
export function wasRead({ delivered, record }: Line, index: number): boolean {
  return delivered.has(index) || delivered.has(standsFor(record, index))
}

/** Whether somebody keeps an entry of the view as it is, by its own index or, for a copy, by its original's. */
export function isKept({ line, keep }: Pick<StageContext, 'line' | 'keep'>, index: number): boolean {
  const original = line.record[index]?.copy?.original
  return keep.has(index) || (original !== undefined && keep.has(original))
}
