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

interface Common {
  readonly messages: number
  readonly entries: number
}

/**
 * How far a list repeats the record from one of its entries on, in whole messages: one that was split or merged
 * since is another message, for what is sent is a message and not an entry.
 */
function commonFrom(known: readonly Entry[], from: number, messages: readonly KnownMessage[]): Common {
  let entries = 0
  for (const [position, message] of messages.entries()) {
    const first = known[from + entries]?.source
    const same =
      first?.draft === 0 &&
      first.of === message.keys.length &&
      message.keys.every((key, draft) => known[from + entries + draft]?.key === key)
    if (!same) return { messages: position, entries }
    entries += message.keys.length
  }
  return { messages: messages.length, entries }
}

interface HeldList {
  readonly messages: readonly KnownMessage[]
  readonly entries: number
}

/** The list that makes up all list entries of a record: the next one mostly begins with the very same messages. */
const heldLists = new WeakMap<Line['record'], HeldList>()

/** Remembers that the list entries of a line's record are this list and nothing else. */
export function rememberList(line: Line, messages: readonly KnownMessage[]): void {
  heldLists.set(line.record, { messages, entries: listEntries(line.record).length })
}

function commonStart(line: Line, messages: readonly KnownMessage[]): Common {
  const known = listEntries(line.record)
  const held = heldLists.get(line.record)
  if (!held?.messages.every((message, position) => message === messages[position]))
    return commonFrom(known, 0, messages)
  return { messages: held.messages.length, entries: held.entries }
}

/** Entries of the app's list that the line knows and that the list repeats from its start. */
export function commonEntries(line: Line, messages: readonly KnownMessage[]): number {
  return commonStart(line, messages).entries
}

export function matchList(line: Line, messages: readonly KnownMessage[]): Match {
  const known = listEntries(line.record)
  const common = commonStart(line, messages)
  if (common.entries === known.length) return { type: 'extends', knownMessages: common.messages }
  if (common.entries === 0) return matchTail(known, messages)
  return common.messages === messages.length
    ? { type: 'rewinds', listEntries: common.entries }
    : { type: 'forks', knownMessages: common.messages, listEntries: common.entries }
}

/** The app cut its own front: the record's end must be the list's beginning. */
function matchTail(known: readonly Entry[], messages: readonly KnownMessage[]): Match {
  for (let from = 1; from < known.length; from++) {
    const common = commonFrom(known, from, messages)
    if (from + common.entries !== known.length) continue
    // One short message in common proves nothing unless it is all there is.
    if (common.entries < 2 && common.messages < messages.length) continue
    return { type: 'cut', from, knownMessages: common.messages }
  }
  return { type: 'foreign' }
}
