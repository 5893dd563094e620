import { DAMAGED_KEY, isDamaged } from './damaged-entry.ts'
import { isObject } from './engine/json.ts'
import type { EntryRow, LineRow, StoredBranch } from './ports.ts'
import { isEntry, isLine } from './row-checks.ts'

/** Entries of one line by their index. */
type RowsByIndex = ReadonlyMap<number, EntryRow>

/** Rows of which some are damaged or lost, as they can be used. */
export function mendedRows({ branch, lines, entries }: StoredBranch): StoredBranch {
  const own = byLine(entries)
  const known = new Set(lines.map(({ lineId }) => lineId))
  // Entries whose line is lost, and the line that the next request goes on with, are shown by a bare one.
  const lost = [...new Set([branch.lineId, ...own.keys()])].filter((lineId) => !known.has(lineId))
  const bare = lost.map((lineId) => ({ branchId: branch.id, lineId }) as LineRow)
  const mended = [...lines, ...bare].map((line) => mendedLine(line, own.get(line.lineId) ?? new Map()))
  return { branch, lines: mended.map(({ line }) => line), entries: mended.flatMap((line) => line.entries) }
}

function byLine(entries: readonly EntryRow[]): ReadonlyMap<string, RowsByIndex> {
  const own = new Map<string, Map<number, EntryRow>>()
  for (const entry of entries) {
    const known = own.get(entry.lineId)
    if (known) known.set(entry.index, entry)
    else own.set(entry.lineId, new Map([[entry.index, entry]]))
  }
  return own
}

function mendedLine(
  line: LineRow,
  own: RowsByIndex,
): { readonly line: LineRow; readonly entries: readonly EntryRow[] } {
  const { branchId, lineId } = line
  const start = isObject(line.parent) ? line.parent.index : 0
  const end = [...own.keys()].reduce((most, index) => Math.max(most, index + 1), start)
  const entries = Array.from({ length: end - start }, (_, place): EntryRow => {
    const entry = own.get(start + place)
    return entry && isEntry(entry)
      ? entry
      : { branchId, lineId, index: start + place, kind: 'instruction', key: DAMAGED_KEY, round: -1, chars: 0 }
  })
  const damaged = new Set(entries.filter(isDamaged).map(({ index }) => index))
  const whole = (indexes: readonly number[]): readonly number[] =>
    indexes.filter((index) => !damaged.has(index))
  const shown = isLine(line) ? line : shownWhole(line, end, entries)
  const { view, carried, delivered, pinned, recovered } = shown
  return {
    entries,
    line: {
      ...shown,
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
