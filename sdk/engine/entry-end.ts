import type { WireMessage } from './format.ts'

/** The end of an entry in the messages that are sent: their position, and the draft. */
export interface EntryEnd {
  readonly position: number
  readonly draft: number
}

/** Where the last of some entries ends in the messages that are sent; null where none of them is sent. */
export function lastEndOf(
  messages: readonly WireMessage[],
  isWanted: (index: number) => boolean,
): EntryEnd | null {
  for (let position = messages.length - 1; position >= 0; position--) {
    const draft = messages[position]?.indexes.findLastIndex(isWanted) ?? -1
    if (draft >= 0) return { position, draft }
  }
  return null
}

/** An end, then those of the messages before it, newest first. */
export function* endsUpTo(messages: readonly WireMessage[], end: EntryEnd): Iterable<EntryEnd> {
  yield end
  for (let position = end.position - 1; position >= 0; position--)
    yield { position, draft: (messages[position]?.indexes.length ?? 0) - 1 }
}
