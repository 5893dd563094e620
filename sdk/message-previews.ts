import type { MessagePreview } from './branch.ts'
import type { KnownMessage } from './engine/intake.ts'
import { noteText } from './engine/note-text.ts'
import type { Entry, Line } from './engine/record.ts'
import { foldOf } from './engine/recover.ts'
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

export function previewOf(line: Line, entry: Entry, message: KnownMessage | undefined): MessagePreview {
  const inView = line.view.includes(entry.index)
  const foldId = inView ? null : foldOf(line, entry.index)
  return {
    index: entry.index,
    kind: entry.kind,
    state: inView ? (entry.note ? 'note' : 'verbatim') : 'out',
    preview: clipText(readableText(line, entry, message), PREVIEW_LIMIT),
    chars: entry.chars,
    ...(entry.name === undefined ? {} : { name: entry.name }),
    ...(foldId === null ? {} : { foldId }),
    delivered: line.delivered.has(entry.index),
  }
}
