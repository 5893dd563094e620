import { type EntryEnd, endsUpTo, lastEndOf } from './entry-end.ts'
import type { CacheLifetime, CacheMarks, WireMessage } from './format.ts'
import type { KnownMessage } from './intake.ts'
import { markMessage, marksOf } from './marked-values.ts'
import type { Entry } from './record.ts'
import { chronologyKey } from './view.ts'

/**
 * Gives back the marks that the app set on blocks which are not sent any more: each moves to the last block
 * before it that is (rules.md 6, "Cache marks"), and joins a mark that stands there. Where nothing stands before
 * it there is no prefix to mark.
 */
export function moveMarks(input: {
  readonly marks: CacheMarks
  /** The app's list, by the record index of each message's first draft. */
  readonly list: readonly { readonly first: number; readonly known: KnownMessage }[]
  readonly messages: readonly WireMessage[]
  readonly record: readonly Entry[]
}): readonly WireMessage[] {
  const { marks, list, record } = input
  let { messages } = input
  const standing = new Map<number, number>()
  for (const { snapshot, indexes } of messages)
    for (const { owner } of marksOf(marks, snapshot)) countUp(standing, indexes[owner] ?? -1)
  for (const { first, known } of list)
    for (const { owner, lifetime } of marksOf(marks, known.snapshot)) {
      const index = first + owner
      const left = standing.get(index) ?? 0
      standing.set(index, left - 1)
      if (left > 0) continue
      const end = lastEndOf(messages, (other) => (chronologyKey(record[other]) ?? other) <= index)
      if (end !== null) messages = markUpTo(marks, messages, { ...end, lifetime })
    }
  return messages
}

/** Marks an end, or the nearest before it that may hold a mark. */
function markUpTo(
  marks: CacheMarks,
  messages: readonly WireMessage[],
  { lifetime, ...end }: EntryEnd & { readonly lifetime: CacheLifetime },
): readonly WireMessage[] {
  for (const candidate of endsUpTo(messages, end)) {
    const marked = markMessage(marks, messages, { ...candidate, lifetime })
    if (marked !== null) return marked
  }
  return messages
}

function countUp(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
