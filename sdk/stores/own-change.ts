import { sortedJson } from '../engine/json.ts'
import { type BranchChange, type BranchRow, type EntryRow, type JournalRow, revisionOf } from '../ports.ts'
import { foreignRow, rowConflict, staleChange, storeFailure } from './failures.ts'
import { frozen } from './frozen.ts'

/**
 * A store's own copy of a change. Must be taken before anything is awaited, so that the caller may go on
 * with its objects. Throws for rows that cannot be copied, for rows of another branch (R68) and for two
 * rows with one key and two contents.
 */
export function ownChange(change: BranchChange): BranchChange {
  const own = frozen(copied(change))
  for (const row of [...own.lines, ...own.entries, ...own.journal])
    if (row.branchId !== own.branch.id) throw foreignRow(own.branch.id, row.branchId)
  assertOneContent(own.entries, entryKey)
  assertOneContent(own.journal, (row) => row.sequence)
  return own
}

/** Throws where a change was made from another branch than the one that is stored. */
export function assertFresh(stored: BranchRow | undefined, change: BranchChange): void {
  if (change.from !== undefined && change.from !== revisionOf(stored)) throw staleChange(change)
}

/** Names an entry within its branch. */
export function entryKey(entry: EntryRow): string {
  return `${entry.index} ${entry.lineId}`
}

/**
 * Bodies that the branch needs from now on, by hash: those its entries name, and those that came with the
 * change, which alone have their text here.
 */
export function neededBodies(change: BranchChange): ReadonlyMap<string, string | undefined> {
  const needed = new Map<string, string | undefined>()
  for (const { source } of change.entries) if (source) needed.set(source.hash, undefined)
  for (const body of change.bodies) needed.set(body.hash, body.json)
  return needed
}

/** A row of an append-only list may come again as it is, never with other content. */
export function assertUnchanged(stored: EntryRow | JournalRow, row: EntryRow | JournalRow): void {
  if (sortedJson(stored) !== sortedJson(row)) throw rowConflict(row)
}

function assertOneContent<Row extends EntryRow | JournalRow>(
  rows: readonly Row[],
  keyOf: (row: Row) => string | number,
): void {
  const seen = new Map<string | number, Row>()
  for (const row of rows) {
    const earlier = seen.get(keyOf(row))
    if (earlier) assertUnchanged(earlier, row)
    else seen.set(keyOf(row), row)
  }
}

function copied(change: BranchChange): BranchChange {
  try {
    const { bodies, ...rows } = change
    // Texts never change, and those of bodies are long.
    return { ...structuredClone(rows), bodies: bodies.map(({ hash, json }) => ({ hash, json })) }
  } catch (cause) {
    throw storeFailure('copying a change', cause)
  }
}
