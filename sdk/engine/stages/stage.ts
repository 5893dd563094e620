import type { SourceMessage } from '../compile.ts'
import type { StageName } from '../journal.ts'
import type { Plan } from '../plan.ts'
import type { Entry, Line } from '../record.ts'

export interface StageContext {
  readonly line: Line
  readonly sources: ReadonlyMap<number, SourceMessage>
  /** Entries that must stay in the view as they are. */
  readonly keep: ReadonlySet<number>
  /** Whole rounds kept beyond the stage's own tail. */
  readonly margin: number
  /** Name of the fold record that a landed proposal gets; a note carries it. */
  readonly foldId: string
}

/** Another view. The runner measures it, and it lands only when it is strictly smaller (R106). */
export interface Proposal {
  readonly view: readonly number[]
  /** Entries to add to the record; their indexes must follow the record's last. */
  readonly added: readonly Entry[]
  /** Record indexes that leave the view, ascending. */
  readonly taken: readonly number[]
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
