import { isObject } from './engine/json.ts'
import type { Entry, EntryKind } from './engine/record.ts'
import type { EntryRow, LineRow, StoredBranch } from './ports.ts'

/** No digest is such a text, so no list can hold the entry. */
const DAMAGED_KEY = '\u0000damaged'

/** Whether an entry stands in the place of a row that is not there, or is none. */
export function isDamaged({ key }: Pick<Entry, 'key'>): boolean {
  return key === DAMAGED_KEY
}

/**
 * What was stored, as far as it can be used: a disk may give back less than it was given, or something else. In the
 * place of an entry that is no entry stands one that nothing can be made of, so that every other one keeps its index;
 * no view holds it. A line that is no line is one that shows all that it has. Nothing of this is ever stored.
 */
export function soundRows({ branch, lines, entries }: StoredBranch): StoredBranch {
  const own = new Map<string, Map<number, EntryRow>>()
  for (const entry of entries) {
    const known = own.get(entry.lineId)
    if (known) known.set(entry.index, entry)
    else own.set(entry.lineId, new Map([[entry.index, entry]]))
  }
  const isSound =
    lines.every(isLine) &&
    entries.every(isEntry) &&
    lines.every((line) => isWhole(line, own.get(line.lineId)))
  if (isSound) return { branch, lines, entries }
  const mended = lines.map((line) => mendedLine(line, own.get(line.lineId) ?? new Map()))
  return { branch, lines: mended.map(({ line }) => line), entries: mended.flatMap((line) => line.entries) }
}

/** From where it splits to its last entry there is one for each index. */
function isWhole({ parent }: LineRow, own: ReadonlyMap<number, EntryRow> | undefined): boolean {
  if (own === undefined) return true
  const start = parent?.index ?? 0
  return Math.max(...own.keys()) - start + 1 === own.size
}

function mendedLine(
  line: LineRow,
  own: ReadonlyMap<number, EntryRow>,
): { readonly line: LineRow; readonly entries: readonly EntryRow[] } {
  const { branchId, lineId } = line
  const parent = isObject(line.parent) ? line.parent : undefined
  const start = parent?.index ?? 0
  const end = Math.max(start, ...[...own.keys()].map((index) => index + 1))
  const entries = Array.from({ length: end - start }, (_, place): EntryRow => {
    const entry = own.get(start + place)
    return entry && isEntry(entry)
      ? entry
      : { branchId, lineId, index: start + place, kind: 'instruction', key: DAMAGED_KEY, round: -1, chars: 0 }
  })
  const damaged = new Set(entries.filter(isDamaged).map(({ index }) => index))
  const whole = (indexes: readonly number[]): readonly number[] =>
    indexes.filter((index) => !damaged.has(index))
  const { view, carried, delivered, pinned, recovered } = isLine(line) ? line : shownWhole(line, end, entries)
  return {
    entries,
    line: {
      ...(isLine(line) ? line : shownWhole(line, end, entries)),
      view: whole(view),
      carried: whole(carried),
      ...(delivered ? { delivered: whole(delivered) } : {}),
      ...(pinned ? { pinned: whole(pinned) } : {}),
      ...(recovered ? { recovered: whole(recovered) } : {}),
    },
  }
}

/** A line of which nothing is known but what it holds. */
function shownWhole({ branchId, lineId, parent }: LineRow, end: number, own: readonly EntryRow[]): LineRow {
  const above = Array.from({ length: isObject(parent) ? parent.index : 0 }, (_, index) => index)
  const said = own.filter(({ note, copy, slot }) => !note && !copy && !slot).map(({ index }) => index)
  return {
    branchId,
    lineId,
    ...(isObject(parent) ? { parent } : {}),
    view: [...above, ...said],
    carried: [],
    window: { from: 0, to: end },
    updatedAt: 0,
  }
}

const kinds: ReadonlySet<EntryKind> = new Set([
  'system',
  'instruction',
  'answer',
  'call',
  'result',
  'note',
  'copy',
])

/** What is read of an entry without looking, whatever came back from the disk. */
function isEntry({ kind, key, round, chars, source, note, copy }: EntryRow): boolean {
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

function isLine({ view, carried, delivered, pinned, recovered, window, parent }: LineRow): boolean {
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
