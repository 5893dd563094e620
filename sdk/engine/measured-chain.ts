import { sumsOf } from './counted-text.ts'
import type { NativeMessage } from './format.ts'
import type { OwnedText } from './outline.ts'
import type { OwnedTokens } from './tally.ts'

/** A message where it stands in a request. */
export interface Place {
  readonly snapshot: NativeMessage
  /** Record index per draft; null for a slot message. */
  readonly indexes: readonly number[] | null
  /** Text that is open before it. */
  readonly before: OwnedText
  /** Whose rates its media are counted by. */
  readonly model: string | undefined
}

/** What a message added to a request in its place, so that the next request need not find it out again. */
export interface ChainLink extends Place {
  /** Text that is open after it. */
  readonly after: OwnedText
  readonly text: readonly OwnedTokens[]
  readonly media: readonly OwnedTokens[]
}

/** A link whose pieces between two of the closed ones of the request are not counted yet. */
export interface UncountedLink extends ChainLink {
  readonly from: number
  readonly to: number
}

/** Whether a link says what its message would add again: the same one, in the same place, behind the same text. */
export function isSamePlace(link: ChainLink, place: Place): boolean {
  return (
    link.snapshot === place.snapshot &&
    isSameText(link.before, place.before) &&
    isSameIndexes(link.indexes, place.indexes) &&
    (link.media.length === 0 || link.model === place.model)
  )
}

export function countedLink(
  { from, to, ...link }: UncountedLink,
  closed: readonly OwnedText[],
  tokens: (text: string) => number,
): ChainLink {
  return { ...link, text: [...link.text, ...sumsOf(closed.slice(from, to), tokens)] }
}

function isSameText(text: OwnedText, other: OwnedText): boolean {
  return text === other || (text.owner === other.owner && text.text === other.text)
}

function isSameIndexes(indexes: Place['indexes'], others: Place['indexes']): boolean {
  if (indexes === null || others === null) return indexes === others
  if (indexes.length !== others.length) return false
  for (let draft = 0; draft < indexes.length; draft++) if (indexes[draft] !== others[draft]) return false
  return true
}
