import type { WireMessage } from '../../engine/format.ts'
import type { JsonObject } from '../../engine/json.ts'
import { callsOf, isModel } from './parts.ts'

/** A content on its way out. */
export interface PlacedContent {
  readonly message: WireMessage
  /** Position of the item that it was made from. */
  readonly item: number
  /** Record indexes of the content as it came; null for a note. */
  readonly span: { readonly first: number; readonly last: number } | null
}

/**
 * Calls are taken right after a content of the user only. Where none is left before them, as where a fold took the
 * calls and results of the answer before, or an eviction took a question, a line of our own stands there; contents
 * that stood side by side in the app's list are the app's.
 */
export function closeGaps(
  placed: readonly PlacedContent[],
  changedFrom: number | null,
): readonly WireMessage[] {
  if (changedFrom === null) return placed.map(({ message }) => message)
  return placed.flatMap((next, position) => {
    const before = placed[position - 1]
    const isGap =
      next.item >= changedFrom && callsOf(next.message.snapshot).length > 0 && leavesGap(before, next)
    return isGap ? [gapContent(), next.message] : [next.message]
  })
}

function leavesGap(before: PlacedContent | undefined, next: PlacedContent): boolean {
  if (before === undefined) return true
  if (!isModel(before.message.snapshot)) return false
  return before.span === null || next.span === null || before.span.last + 1 !== next.span.first
}

/** Belongs to no entry, like everything that is said once. */
function gapContent(): WireMessage {
  const content = (): JsonObject => ({
    role: 'user',
    parts: [{ text: '[Messages that stood here were left out by the app.]' }],
  })
  return { native: content(), snapshot: content(), indexes: [] }
}
