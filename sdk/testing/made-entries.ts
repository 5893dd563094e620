import type { CopyProvenance, Entry, Line, NoteProvenance } from '../engine/record.ts'

/** What a note stands for, and whatever else is to be known of it. */
export type MadeNote = Pick<NoteProvenance, 'members'> & Partial<NoteProvenance>

/** A note as an entry of the record. */
export function madeNote(index: number, note: MadeNote): Entry {
  const provenance: NoteProvenance = { foldId: 'f', firstIndex: note.members[0] ?? 0, calls: [], ...note }
  return { index, kind: 'note', key: '', round: -1, chars: 1, note: provenance }
}

/** The line with a note in the place of its members, or at a position of the view that they have left. */
export function withNote(line: Line, note: MadeNote, position?: number): Line {
  const members = new Set(note.members)
  const place = position ?? line.view.findIndex((index) => members.has(index))
  if (place < 0) throw new TypeError('no member of the note is in the view: say at which position it stands')
  const entry = madeNote(line.record.length, note)
  const view = line.view.filter((index) => !members.has(index)).toSpliced(place, 0, entry.index)
  return { ...line, record: [...line.record, entry], view }
}

/** The line with a copy of a result in its place, or in that of an earlier copy, as a fold may have left it. */
export function withCopy(line: Line, original: number, kept: CopyProvenance['kept'], foldId = 'f'): Line {
  const copied = line.record[original]
  if (copied === undefined) throw new TypeError(`no entry ${original}`)
  const { source: _, ...rest } = copied
  const index = line.record.length
  const copy: Entry = { ...rest, index, kind: 'copy', key: '', copy: { foldId, original, kept } }
  const stands = (shown: number): boolean =>
    shown === original || line.record[shown]?.copy?.original === original
  return {
    ...line,
    record: [...line.record, copy],
    view: line.view.map((shown) => (stands(shown) ? index : shown)),
  }
}
