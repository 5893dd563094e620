import type { SourceMessage } from '../engine/compile.ts'
import type { KnownMessage } from '../engine/intake.ts'

/** Messages of a list that is recorded from its beginning, by the record index of the first draft of each. */
export function sourcesOf(messages: readonly KnownMessage[]): ReadonlyMap<number, SourceMessage> {
  const sources = new Map<number, SourceMessage>()
  let first = 0
  for (const known of messages) {
    sources.set(first, { native: known.snapshot, known })
    first += known.keys.length
  }
  return sources
}
