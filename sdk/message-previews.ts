import type { EntryState, MessagePreview } from './branch.ts'
import type { KnownMessage } from './engine/intake.ts'
import { noteReach } from './engine/note-reach.ts'
import { noteText, PREVIEW_LIMIT } from './engine/note-text.ts'
import { type Entry, type Line, originalOf, standingOriginals } from './engine/record.ts'
import { foldsOfEntries } from './engine/recover.ts'
import { clipText } from './engine/text.ts'
import { systemText } from './system-text.ts'

/** What a person or the model reads when it asks for an entry; for a copy, all that it was cut from (R209). */
export function readableText(line: Line, entry: Entry, message: KnownMessage | undefined): string {
  if (entry.note) return noteText(entry.note, { contextTool: null, isGone: goneFrom(line, entry.index) })
  const source = originalOf(line.record, entry.index)?.source
  if (source === undefined || message === undefined) return ''
  return entry.slot ? systemText(message.snapshot) : (message.reading.drafts[source.draft]?.text ?? '')
}

/** What a note in the view stands for; of one that left it, all that is not in the view itself. */
function goneFrom(line: Line, note: number): (index: number) => boolean {
  const standing = standingOriginals(line)
  const reaches = noteReach(line)
  return line.view.includes(note) ? (index) => reaches(note, index) : (index) => !standing.has(index)
}

/**
 * Previews entries of one line, each with the message that it came in, a copy with its original's; what depends
 * on the whole line is looked up once.
 */
export function previewer(line: Line): (entry: Entry, message: KnownMessage | undefined) => MessagePreview {
  const inView = new Set(line.view)
  const copies = new Map(line.view.flatMap((index) => copyOf(line, index)))
  const folds = foldsOfEntries(line)
  const stateOf = ({ index, note, copy }: Entry): EntryState => {
    if (copies.has(index)) return 'clipped'
    if (!inView.has(index)) return 'out'
    return note ? 'note' : copy ? 'clipped' : 'verbatim'
  }
  return (entry, message) => {
    const { index, kind, chars, name } = entry
    const foldId = folds.get(index)
    return {
      index,
      kind,
      state: stateOf(entry),
      preview: clipText(readableText(line, entry, message), PREVIEW_LIMIT),
      chars,
      ...(name === undefined ? {} : { name }),
      ...(foldId === undefined ? {} : { foldId }),
      // A result was read when what the view shows of it was.
      delivered: line.delivered.has(copies.get(index) ?? index),
    }
  }
}

/** An original and the copy that stands for it in the view. */
function copyOf({ record }: Line, index: number): readonly (readonly [number, number])[] {
  const copy = record[index]?.copy
  return copy === undefined ? [] : [[copy.original, index]]
}
