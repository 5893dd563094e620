import type { KnownMessage } from './intake.ts'
import { type Entry, type Line, listEntries } from './record.ts'

/** How an app's list stands to a line's record (rules.md 6, "Matching"). */
export type Match =
  | {
      /**
       * `extends`: the list goes to the end of the record, and perhaps beyond. `rewinds`: it ends before that, and
       * the line moves back to there. `forks`: it differs from the record after what they have in common.
       */
      readonly type: 'extends' | 'rewinds' | 'forks'
      /** List entries of the record that the list repeats; it starts above 0 where the app cut its own front. */
      readonly window: Line['window']
      /** Messages at the list's beginning that those entries are. */
      readonly knownMessages: number
    }
  /** The list shares nothing with the record. */
  | { readonly type: 'foreign' }

/** A stretch of the record that a list begins with. */
interface Common {
  readonly from: number
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
    if (!same) return { from, messages: position, entries }
    entries += message.keys.length
  }
  return { from, messages: messages.length, entries }
}

/** The list that makes up all list entries of a record from one on: the next one mostly begins with the same messages. */
const heldLists = new WeakMap<
  Line['record'],
  { readonly from: number; readonly messages: readonly KnownMessage[] }
>()

/** Remembers that the list entries of a line's record, from the start of its window on, are this list. */
export function rememberList(line: Line, messages: readonly KnownMessage[]): void {
  heldLists.set(line.record, { from: line.window.from, messages })
}

function commonAt(line: Line, from: number, messages: readonly KnownMessage[]): Common {
  const known = listEntries(line.record)
  const held = heldLists.get(line.record)
  if (held?.from !== from || !held.messages.every((message, position) => message === messages[position]))
    return commonFrom(known, from, messages)
  return { from, messages: held.messages.length, entries: known.length - from }
}

export function matchList(line: Line, messages: readonly KnownMessage[]): Match {
  const known = listEntries(line.record)
  const { from, entries, messages: knownMessages } = longestCommon(line, messages)
  const window = { from, to: from + entries }
  if (entries === 0 && known.length > 0) return { type: 'foreign' }
  if (window.to === known.length) return { type: 'extends', window, knownMessages }
  return { type: knownMessages === messages.length ? 'rewinds' : 'forks', window, knownMessages }
}

/**
 * A list begins where the one before it began, or at the beginning of the record, or where the app cut its front
 * now. What repeats most of the record is meant, and of equals the first of these.
 */
function longestCommon(line: Line, messages: readonly KnownMessage[]): Common {
  const before = commonAt(line, line.window.from, messages)
  const whole = line.window.from === 0 ? before : commonAt(line, 0, messages)
  const longest = whole.entries > before.entries ? whole : before
  return commonTail(listEntries(line.record), messages, longest.entries) ?? longest
}

/** The record's end where the list begins with it, if that is more than `least` entries. */
function commonTail(
  known: readonly Entry[],
  messages: readonly KnownMessage[],
  least: number,
): Common | undefined {
  const most = messages.reduce((sum, { keys }) => sum + keys.length, 0)
  for (let from = Math.max(1, known.length - most); from < known.length - least; from++) {
    const common = commonFrom(known, from, messages)
    if (from + common.entries !== known.length) continue
    // One short message in common proves nothing unless it is all there is.
    if (common.entries < 2 && common.messages < messages.length) continue
    return common
  }
  return undefined
}
