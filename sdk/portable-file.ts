import type { EntryRow, JournalRow, LineRow } from './ports.ts'

/** Of the file; a reader refuses what is newer. */
export const PORTABLE_VERSION = 1

/** What tells a file of branches from any other. */
export const PORTABLE_FORMAT = 'dogear-branches'

/** A row without the branch that it belongs to. */
export type Unowned<Row> = Row extends unknown ? Omit<Row, 'branchId'> : never

/**
 * The lines of a portable file, each a JSON text of its own: the header, then each branch with its lines, entries and
 * journal behind it, and each body once, ahead of the branch that needs it first; at last the end, without which the
 * file is not whole. No row names its branch, for it may be imported under another name.
 */
export type PortableRow =
  | {
      readonly type: 'header'
      readonly format: typeof PORTABLE_FORMAT
      readonly v: number
      readonly at: number
    }
  | { readonly type: 'body'; readonly hash: string; readonly json: string }
  | { readonly type: 'branch'; readonly row: unknown }
  | { readonly type: 'line'; readonly row: Unowned<LineRow> }
  | { readonly type: 'entry'; readonly row: Unowned<EntryRow> }
  | { readonly type: 'journal'; readonly row: Unowned<JournalRow> }
  | { readonly type: 'end'; readonly branches: number; readonly rows: number }

/** How far an export or an import has come. */
export interface PortableProgress {
  /** Bytes written or read so far. */
  readonly bytes: number
  /** Of the whole; an estimate while a file is being written. */
  readonly of: number
}
