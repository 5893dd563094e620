import { type Line, standingOriginals, windowEntries } from './record.ts'

/**
 * The note of a view that holds an entry, by the entry's index; of several, the newest. What was folded, restored
 * and folded again belongs to the note of its last fold, so that it is listed once (R123).
 */
export function noteHolders({ record, view }: Pick<Line, 'record' | 'view'>): ReadonlyMap<number, number> {
  const notes = view.filter((index) => record[index]?.note).sort((left, right) => left - right)
  return new Map(
    notes.flatMap((note) => (record[note]?.note?.members ?? []).map((member) => [member, note] as const)),
  )
}

/** Whether a note stands for an entry: it is not in the view itself, and no other note there holds it (R117, R123). */
export function noteReach(line: Pick<Line, 'record' | 'view'>): (note: number, index: number) => boolean {
  const standing = standingOriginals(line)
  const holders = noteHolders(line)
  return (note, index) => !standing.has(index) && (holders.get(index) ?? note) === note
}

/** The view without the notes that stand for nothing any more of what the app's list holds. */
export function withoutEmptyNotes(line: Line): readonly number[] {
  const reaches = noteReach(line)
  const inList = new Set(windowEntries(line).map((entry) => entry.index))
  return line.view.filter((index) => {
    const note = line.record[index]?.note
    return note === undefined || note.members.some((member) => inList.has(member) && reaches(index, member))
  })
}
