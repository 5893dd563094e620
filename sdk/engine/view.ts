import { type Entry, type Line, listEntries } from './record.ts'

/**
 * The view inside the window of the app's list: what the next request is compiled from, in send order.
 * A note leaves when nothing that it stands for is inside; when only a part is, that part comes back in
 * its place, for the note speaks of more than the list holds.
 */
export function activeView(line: Line): readonly number[] {
  const { from, to } = line.window
  const list = listEntries(line.record)
  if (from === 0 && to >= list.length) return line.view
  const inside = new Set<number>()
  for (let ordinal = from; ordinal < Math.min(to, list.length); ordinal++) {
    const entry = list[ordinal]
    if (entry) inside.add(entry.index)
  }
  return line.view.flatMap((index) => {
    const entry = line.record[index]
    if (entry === undefined) return []
    if (entry.slot) return [index]
    if (entry.note === undefined) return inside.has(index) ? [index] : []
    const members = entry.note.members
    const within = members.filter((member) => inside.has(member))
    // A cut front takes nothing back: the app wants less, not more.
    const rewound = members.some((member) => !inside.has(member) && isAfter(list, member, to))
    if (within.length === 0) return []
    return rewound ? within : [index]
  })
}

function isAfter(list: readonly Entry[], index: number, to: number): boolean {
  const limit = list[to]
  return limit !== undefined && index >= limit.index
}

/** Chronology key of an entry: where it belongs in the order of events (R220). */
export function chronology(entry: Entry): number {
  return entry.note ? entry.note.firstIndex : entry.index
}

/** Puts entries back in their places; a note with the same key stands before what it once replaced. */
export function insertByChronology(line: Line, indexes: readonly number[]): readonly number[] {
  const view = [...line.view]
  const present = new Set(view)
  for (const index of [...indexes].sort((a, b) => a - b)) {
    if (present.has(index)) continue
    const place = view.findIndex((other) => {
      const entry = line.record[other]
      return entry !== undefined && !entry.slot && chronology(entry) > index
    })
    if (place < 0) view.push(index)
    else view.splice(place, 0, index)
    present.add(index)
  }
  return view
}
