import type { KnownMessage } from './intake.ts'
import { type Entry, type Line, listEntries } from './record.ts'

/**
 * How an app's list stands to a line's record (rules.md 6, "Matching"). Counts are of messages in the
 * incoming list that the record knows, or of record list entries, as named.
 */
export type Match =
  /** The list holds all that the record holds, and perhaps more. */
  | { readonly type: 'extends'; readonly knownMessages: number }
  /** The list is a shorter beginning of the record: the line moves back to there. */
  | { readonly type: 'rewinds'; readonly listEntries: number }
  /** The list starts in the middle of the record and goes to its end, and perhaps beyond. */
  | { readonly type: 'cut'; readonly from: number; readonly knownMessages: number }
  /** The list differs from the record after a common beginning. */
  | { readonly type: 'forks'; readonly knownMessages: number; readonly listEntries: number }
  /** The list shares nothing with the record. */
  | { readonly type: 'foreign' }

/** Entries of the app's list that the line knows and that the list repeats from its start. */
export function commonEntries(line: Line, messages: readonly KnownMessage[]): number {
  const known = listEntries(line.record)
  let count = 0
  for (const message of messages)
    for (const key of message.keys) {
      if (known[count]?.key !== key) return count
      count++
    }
  return count
}

export function matchList(line: Line, messages: readonly KnownMessage[]): Match {
  const known = listEntries(line.record)
  if (known.length === 0) return { type: 'extends', knownMessages: 0 }
  const common = commonEntries(line, messages)
  const total = messages.reduce((sum, message) => sum + message.keys.length, 0)
  const incoming = messageBoundary(messages, common)
  if (common > 0) {
    if (common === known.length && incoming.entries === common)
      return { type: 'extends', knownMessages: incoming.messages }
    if (common === total && startsMessage(known[common])) return { type: 'rewinds', listEntries: common }
    const shared = sharedBoundary(known, messages, common)
    if (shared.entries > 0)
      return { type: 'forks', knownMessages: shared.messages, listEntries: shared.entries }
  }
  return matchTail(known, messages, total)
}

/** The app cut its own front: the record's end must be the list's beginning. */
function matchTail(known: readonly Entry[], messages: readonly KnownMessage[], total: number): Match {
  const keys = messages.flatMap((message) => message.keys)
  for (let from = 1; from < known.length; from++) {
    if (!startsMessage(known[from])) continue
    const overlap = known.length - from
    // One short message in common proves nothing unless it is all there is.
    if (overlap > total || (overlap < 2 && overlap !== total)) continue
    let same = 0
    while (same < overlap && known[from + same]?.key === keys[same]) same++
    const boundary = messageBoundary(messages, overlap)
    if (same === overlap && boundary.entries === overlap)
      return { type: 'cut', from, knownMessages: boundary.messages }
  }
  return { type: 'foreign' }
}

function startsMessage(entry: Entry | undefined): boolean {
  return entry?.source?.draft === 0
}

/** The last message end at or before an entry count. */
function messageBoundary(
  messages: readonly KnownMessage[],
  limit: number,
): { messages: number; entries: number } {
  let count = 0
  let entries = 0
  for (const message of messages) {
    if (entries + message.keys.length > limit) break
    entries += message.keys.length
    count++
  }
  return { messages: count, entries }
}

/** The last place at or before an entry count where a message ends on both sides. */
function sharedBoundary(
  known: readonly Entry[],
  messages: readonly KnownMessage[],
  limit: number,
): { messages: number; entries: number } {
  let found = { messages: 0, entries: 0 }
  let entries = 0
  for (const [position, message] of messages.entries()) {
    entries += message.keys.length
    if (entries > limit) break
    if (entries === known.length || startsMessage(known[entries])) found = { messages: position + 1, entries }
  }
  return found
}
