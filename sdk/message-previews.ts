import type { MessagePreview } from './branch.ts'
import type { KnownMessage } from './engine/intake.ts'
import { noteText } from './engine/note-text.ts'
import type { Entry, Line } from './engine/record.ts'
import { foldsOfEntries } from './engine/recover.ts'
import { clipText } from './engine/text.ts'
import { systemText } from './system-text.ts'

/** Length of a preview in code points (R234). */
const PREVIEW_LIMIT = 120

/** What a person or the model reads when it asks for an entry. */
export function readableText(line: Line, entry: Entry, message: KnownMessage | undefined): string {
  if (entry.note) return noteText(entry.note, { contextTool: null, inView: new Set(line.view) })
  if (entry.source === undefined || message === undefined) return ''
  return entry.slot ? systemText(message.snapshot) : (message.reading.drafts[entry.source.draft]?.text ?? '')
}

/** Previews entries of one line; what depends on the whole line is looked up once. */
export function previewer(line: Line): (entry: Entry, message: KnownMessage | undefined) => MessagePreview {
  const inView = new Set(line.view)
  const folds = foldsOfEntries(line)
  return (entry, message) => {
    const { index, kind, chars, name } = entry
    const foldId = folds.get(index)
    return {
      index,
      kind,
      state: inView.has(index) ? (entry.note ? 'note' : 'verbatim') : 'out',
      preview: clipText(readableText(line, entry, message), PREVIEW_LIMIT),
      chars,
      ...(name === undefined ? {} : { name }),
      ...(foldId === undefined ? {} : { foldId }),
      delivered: line.delivered.has(index),
    }
  }
}
