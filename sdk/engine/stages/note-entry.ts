import { noteText } from '../note-text.ts'
import type { Entry, NoteProvenance } from '../record.ts'
import { codePoints } from '../text.ts'
import type { StageContext } from './stage.ts'

/** A note as the next entry of the record; what it stands for says where its place is (R119, R120). */
export function noteEntry(
  { line, foldId }: Pick<StageContext, 'line' | 'foldId'>,
  facts: Omit<NoteProvenance, 'foldId' | 'firstIndex'>,
): Entry {
  const note: NoteProvenance = { ...facts, foldId, firstIndex: Math.min(...facts.members) }
  return {
    index: line.record.length,
    kind: 'note',
    key: '',
    round: -1,
    note,
    chars: codePoints(noteText(note, { contextTool: null, isGone: () => true })),
  }
}
