import { withoutEmptyNotes } from './note-reach.ts'
import { type Entry, type Line, listEntries, standingOriginals, windowEntries } from './record.ts'

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
  const held = windowEntries({ record: line.record, window })
  const inside = new Set(held.map((entry) => entry.index))
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
  for (const [ordinal, entry] of held.entries()) {
    const position = window.from + ordinal
    if (position < line.window.from || position >= line.window.to) returning.push(entry.index)
  }
  const moved: Line = { ...line, view, window: { from: window.from, to } }
  return returning.length === 0 ? moved : { ...moved, view: insertByChronology(moved, returning) }
}

/**
 * With what a request asks to be answered in the view: the end of the list with its whole round, and the
 * instruction that it is about. They can have been evicted, or folded, when something followed them then.
 */
export function withListEnd(line: Line): Line {
  const list = windowEntries(line)
  const last = list.at(-1)
  const task = list.findLast((entry) => entry.kind === 'instruction' && entry.startsTurn !== false)
  const standing = standingOriginals(line)
  const isAbsent = (entry: Entry | undefined): entry is Entry =>
    entry !== undefined && !standing.has(entry.index)
  const returning = [
    ...(isAbsent(last)
      ? list.filter(({ index, round }) => index === last.index || isSameRound(round, last))
      : []),
    ...(isAbsent(task) ? [task] : []),
  ]
  if (returning.length === 0) return line
  const back = insertByChronology(
    line,
    returning.map(({ index }) => index),
  )
  return { ...line, view: withoutEmptyNotes({ ...line, view: back }) }
}

function isSameRound(round: number, { round: other }: Entry): boolean {
  return round >= 0 && round === other
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
