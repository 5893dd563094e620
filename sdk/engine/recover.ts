import { noteHolders, noteReach, withoutEmptyNotes } from './note-reach.ts'
import { type Entry, type Line, standingOriginals, standsFor, windowEntries } from './record.ts'
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

/**
 * What notes in the view stand for; else the notes themselves, the newest first, where what they stand for is
 * neither in the view nor held by a note there: nothing is stood for twice (R123).
 */
function restoreNotes(line: Line, wanted: readonly number[]): Restored {
  const entries = wanted.flatMap((index) => line.record[index] ?? [])
  const notes = entries.filter((entry) => entry.note !== undefined)
  if (notes.length === 0) return { type: 'nothing', reason: whyNot(entries) }
  const inView = new Set(line.view)
  const list = entriesOfWindow(line)
  const reaches = noteReach(line)
  const members = notes
    .filter(({ index }) => inView.has(index))
    .flatMap((note) => membersOf(note).filter((member) => reaches(note.index, member)))
  const chosen = new Set(members.filter((index) => list.has(index)))
  if (chosen.size > 0) return restoreOriginals(line, chosen)
  const standing = standingOriginals(line)
  const holders = new Map(noteHolders(line))
  const indexes: number[] = []
  for (const note of notes.toReversed()) {
    const own = membersOf(note)
    if (inView.has(note.index) || !own.some((index) => list.has(index))) continue
    if (own.some((index) => standing.has(index) || holders.has(index))) continue
    for (const index of own) holders.set(index, note.index)
    indexes.unshift(note.index)
  }
  if (indexes.length === 0) return { type: 'nothing', reason: whyNoNote(line, notes) }
  return { type: 'restored', line: { ...line, view: insertByChronology(line, indexes) }, indexes }
}

function whyNoNote(line: Line, notes: readonly Entry[]): string {
  const inView = new Set(line.view)
  const holders = noteHolders(line)
  const held = notes.filter(({ index }) => !inView.has(index)).flatMap(membersOf)
  const holder = held.map((index) => holders.get(index)).find((index) => index !== undefined)
  return holder === undefined
    ? 'what that note stands for is in the request already'
    : `entry ${holder}, a note in the request, stands for some of that already; restore it instead, or the messages one by one`
}

function whyNot(entries: readonly Entry[]): string {
  const copy = entries.find((entry) => entry.copy !== undefined)
  return copy?.copy
    ? `entry ${copy.index} is a shortened copy, which is never restored by itself; restore its original, entry ${copy.copy.original}, or read that with read_result`
    : 'no message in that range can be restored; get_messages lists their indexes'
}

/**
 * What a fold took out, by the note that it left and as far as no other note stands for it by now, or shortened, by
 * its copies; null where there is no such fold. Where others stand for all of it, the note itself.
 */
export function foldMembers(line: Line, foldId: string): readonly number[] | null {
  const note = line.record.find((entry) => entry.note?.foldId === foldId)
  if (note) {
    const reaches = noteReach(line)
    const own = membersOf(note).filter((member) => reaches(note.index, member))
    return own.length > 0 ? own : [note.index]
  }
  const originals = line.record.flatMap(({ copy }) => (copy?.foldId === foldId ? copy.original : []))
  return originals.length > 0 ? originals : null
}

/** The fold that each entry out of the view went with, or that shortened it; of several, the newest. */
export function foldsOfEntries(line: Line): ReadonlyMap<number, string> {
  const folds = new Map<number, string>()
  const standing = standingOriginals(line)
  for (const [member, holder] of noteHolders(line)) {
    const note = line.record[holder]?.note
    if (note && !standing.has(member)) folds.set(member, note.foldId)
  }
  for (const index of line.view) {
    const copy = line.record[index]?.copy
    if (copy) folds.set(copy.original, copy.foldId)
  }
  return folds
}

/** Record indexes of what the app's list holds now, in its order. */
function entriesOfWindow(line: Line): ReadonlySet<number> {
  return new Set(windowEntries(line).map((entry) => entry.index))
}

function membersOf(entry: Entry): readonly number[] {
  return entry.note?.members ?? []
}

function without(indexes: ReadonlySet<number>, gone: ReadonlySet<number>): ReadonlySet<number> {
  return new Set([...indexes].filter((index) => !gone.has(index)))
}
