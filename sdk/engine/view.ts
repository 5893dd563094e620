import { type Entry, type Line, listEntries, standingOriginals } from './record.ts'

/**
 * Moves the window of the app's list (rules.md 6, "Matching"): entries that leave it leave the view, entries
 * that come into it return to their places. A note goes with what it stands for; where the list was moved
 * back into the middle of that, the part inside comes back instead, for the note speaks of more than the list
 * holds. A front that the app cut takes nothing back: the app wants less, not more.
 */
export function moveWindow(line: Line, window: Line['window']): Line {
  if (window.from === line.window.from && window.to === line.window.to) return line
  const list = listEntries(line.record)
  const to = Math.min(window.to, list.length)
  const inside = new Set(list.slice(window.from, to).map((entry) => entry.index))
  const end = list[to]?.index ?? Number.POSITIVE_INFINITY
  const returning: number[] = []
  const view = line.view.filter((index) => {
    const entry = line.record[index]
    if (entry === undefined) return false
    if (entry.slot) return true
    if (entry.note === undefined) return inside.has(entry.copy?.original ?? index)
    const { members } = entry.note
    if (members.some((member) => member >= end)) {
      returning.push(...members.filter((member) => inside.has(member)))
      return false
    }
    return members.some((member) => inside.has(member))
  })
  for (const [ordinal, entry] of list.slice(window.from, to).entries()) {
    const position = window.from + ordinal
    if (position < line.window.from || position >= line.window.to) returning.push(entry.index)
  }
  const moved: Line = { ...line, view, window: { from: window.from, to } }
  return returning.length === 0 ? moved : { ...moved, view: insertByChronology(moved, returning) }
}

/**
 * With the end of the list in the view, and its whole round: the end is what a request asks to be answered. It can
 * have been evicted, when something followed it then.
 */
export function withListEnd(line: Line): Line {
  const list = listEntries(line.record).slice(line.window.from, line.window.to)
  const last = list.at(-1)
  const standing = standingOriginals(line)
  if (last === undefined || standing.has(last.index)) return line
  // A note that stands for it says what was there.
  if (line.view.some((index) => line.record[index]?.note?.members.includes(last.index))) return line
  const round = list.filter(
    ({ index, round }) => index === last.index || (round >= 0 && round === last.round),
  )
  return {
    ...line,
    view: insertByChronology(
      line,
      round.map(({ index }) => index),
    ),
  }
}

/** Where an entry belongs: a note where the first entry that it replaced did, a copy where its original did (R220). */
export function chronologyKey(entry: Entry | undefined): number | undefined {
  return entry?.note?.firstIndex ?? entry?.copy?.original ?? entry?.index
}

/**
 * The view with entries put back in their places; a note stands before what it once replaced. Both are walked once,
 * for a whole history can come back at a time.
 */
export function insertByChronology(line: Line, indexes: readonly number[]): readonly number[] {
  const { record } = line
  const present = standingOriginals(line)
  const keyOf = (index: number): number => chronologyKey(record[index]) ?? index
  const isNote = (index: number): boolean => record[index]?.note !== undefined
  const returning = [...new Set(indexes)]
    .filter((index) => !present.has(index))
    .sort(
      (left, right) =>
        keyOf(left) - keyOf(right) || Number(isNote(right)) - Number(isNote(left)) || right - left,
    )
  let placed = 0
  const view = line.view.flatMap((other) => {
    const entry = record[other]
    if (entry === undefined || entry.slot) return [other]
    const key = keyOf(other)
    const from = placed
    for (let next = returning[placed]; next !== undefined; next = returning[++placed])
      if (keyOf(next) > key || (keyOf(next) === key && !isNote(next))) break
    return [...returning.slice(from, placed), other]
  })
  return [...view, ...returning.slice(placed)]
}
