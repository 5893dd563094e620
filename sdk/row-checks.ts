import { isObject } from './engine/json.ts'
import type { EntryKind } from './engine/record.ts'
import type { EntryRow, LineRow } from './ports.ts'

export const entryKinds = ['system', 'instruction', 'answer', 'call', 'result', 'note', 'copy'] as const

const kinds: ReadonlySet<EntryKind> = new Set(entryKinds)

/** What is read of an entry without looking, whatever came back from the disk. */
export function isEntry({ kind, key, round, chars, source, note, copy }: EntryRow): boolean {
  return (
    kinds.has(kind) &&
    typeof key === 'string' &&
    typeof round === 'number' &&
    typeof chars === 'number' &&
    (source === undefined ||
      (isObject(source) && typeof source.hash === 'string' && typeof source.first === 'number')) &&
    (note === undefined || (isObject(note) && Array.isArray(note.members) && Array.isArray(note.calls))) &&
    (copy === undefined || (isObject(copy) && typeof copy.original === 'number' && Array.isArray(copy.kept)))
  )
}

/** What is read of a line without looking. */
export function isLine({ view, carried, delivered, pinned, recovered, window, parent }: LineRow): boolean {
  return (
    Array.isArray(view) &&
    Array.isArray(carried) &&
    [delivered, pinned, recovered].every((indexes) => indexes === undefined || Array.isArray(indexes)) &&
    isObject(window) &&
    typeof window.from === 'number' &&
    typeof window.to === 'number' &&
    (parent === undefined || (isObject(parent) && typeof parent.index === 'number'))
  )
}
