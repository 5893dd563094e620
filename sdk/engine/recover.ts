import { type Entry, type Line, listEntries, standingOriginals, standsFor } from './record.ts'
import { insertByChronology } from './view.ts'

export type Restored =
  | { readonly type: 'restored'; readonly line: Line; readonly indexes: readonly number[] }
  | { readonly type: 'nothing'; readonly reason: string }

/**
 * Brings entries back into the view, in whole rounds, each in its own place (R118, R220). The original of a copy
 * takes the copy's place (R221). A copy never comes back, and a note only where nothing but notes is asked for;
 * what a note in the view stands for comes back instead of it (R222). A note leaves when all that it stands for
 * is back. What comes back counts as unread, and is not clipped before it was read, so that the next fold does not
 * take it at once (R149; rules.md 6, "Restore").
 */
export function restoreEntries(line: Line, wanted: readonly number[]): Restored {
  const list = entriesOfWindow(line)
  const chosen = new Set(wanted.filter((index) => list.has(index)))
  return chosen.size > 0 ? restoreOriginals(line, chosen) : restoreNotes(line, wanted)
}

function restoreOriginals(line: Line, chosen: ReadonlySet<number>): Restored {
  const roundOf = (index: number): number => line.record[index]?.round ?? -1
  const rounds = new Set([...chosen].map(roundOf).filter((round) => round >= 0))
  const inView = new Set(line.view)
  const standing = standingOriginals(line)
  const indexes = [...entriesOfWindow(line)].filter((index) =>
    chosen.has(index) ? !inView.has(index) : rounds.has(roundOf(index)) && !standing.has(index),
  )
  if (indexes.length === 0)
    return {
      type: 'nothing',
      reason:
        'everything in that range is in the request already; what a message there leaves out is read with read_result',
    }
  const unread = new Set(indexes)
  // An original stands where its copy stood.
  const replaced = line.view.map((index) => {
    const original = standsFor(line.record, index)
    return unread.has(original) ? original : index
  })
  const back = insertByChronology({ ...line, view: replaced }, indexes)
  return {
    type: 'restored',
    line: {
      ...line,
      view: withoutEmptyNotes({ ...line, view: back }),
      delivered: without(line.delivered, unread),
      carried: line.carried.filter((index) => !unread.has(index)),
      recovered: new Set([...line.recovered, ...indexes]),
    },
    indexes,
  }
}

/** What notes in the view stand for; else the notes themselves, where what they stand for is out of the view. */
function restoreNotes(line: Line, wanted: readonly number[]): Restored {
  const entries = wanted.flatMap((index) => line.record[index] ?? [])
  const notes = entries.filter((entry) => entry.note !== undefined)
  if (notes.length === 0) return { type: 'nothing', reason: whyNot(entries) }
  const inView = new Set(line.view)
  const list = entriesOfWindow(line)
  const members = notes.filter((entry) => inView.has(entry.index)).flatMap(membersOf)
  const chosen = new Set(members.filter((index) => list.has(index)))
  if (chosen.size > 0) return restoreOriginals(line, chosen)
  const standing = standingOriginals(line)
  const indexes = notes
    .filter((note) => !inView.has(note.index) && membersOf(note).some((index) => list.has(index)))
    .filter((note) => !membersOf(note).some((index) => standing.has(index)))
    .map((note) => note.index)
  if (indexes.length === 0)
    return { type: 'nothing', reason: 'what that note stands for is in the request already' }
  return { type: 'restored', line: { ...line, view: insertByChronology(line, indexes) }, indexes }
}

function whyNot(entries: readonly Entry[]): string {
  const copy = entries.find((entry) => entry.copy !== undefined)
  return copy?.copy
    ? `entry ${copy.index} is a shortened copy, which is never restored by itself; restore its original, entry ${copy.copy.original}, or read that with read_result`
    : 'no message in that range can be restored; get_messages lists their indexes'
}

/** What a fold took out, by the note that it left, or shortened, by its copies; null where there is no such fold. */
export function foldMembers(line: Line, foldId: string): readonly number[] | null {
  const note = line.record.find((entry) => entry.note?.foldId === foldId)?.note
  if (note) return note.members
  const originals = line.record.flatMap(({ copy }) => (copy?.foldId === foldId ? copy.original : []))
  return originals.length > 0 ? originals : null
}

/** The fold that each entry out of the view went with, or that shortened it; of several, the newest. */
export function foldsOfEntries(line: Line): ReadonlyMap<number, string> {
  const folds = new Map<number, string>()
  const inView = new Set(line.view)
  for (const { index, note, copy } of line.record) {
    if (!inView.has(index)) continue
    if (copy) folds.set(copy.original, copy.foldId)
    for (const member of note?.members ?? []) if (!inView.has(member)) folds.set(member, note?.foldId ?? '')
  }
  return folds
}

/** Record indexes of what the app's list holds now, in its order. */
function entriesOfWindow(line: Line): ReadonlySet<number> {
  const { from, to } = line.window
  return new Set(
    listEntries(line.record)
      .slice(from, to)
      .map((entry) => entry.index),
  )
}

function withoutEmptyNotes(line: Line): readonly number[] {
  const standing = standingOriginals(line)
  return line.view.filter((index) => {
    const note = line.record[index]?.note
    return note === undefined || !note.members.every((member) => standing.has(member))
  })
}

function membersOf(entry: Entry): readonly number[] {
  return entry.note?.members ?? []
}

function without(indexes: ReadonlySet<number>, gone: ReadonlySet<number>): ReadonlySet<number> {
  return new Set([...indexes].filter((index) => !gone.has(index)))
}
