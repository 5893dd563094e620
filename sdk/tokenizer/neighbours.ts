// biome-ignore-all lint/style/noNonNullAssertion: every index is within its array, and a check at each step would cost time
import { type MergeTable, NO_RANK } from './merge-table.ts'
import { SINGLE_BYTES } from './ranks.ts'

/**
 * Whether two tokens stand side by side in the encoding of their joint bytes. It undoes their merges, the last one
 * first: the two are no neighbours if at any time the tokens at the seam had a join that came before the merge that
 * was undone last.
 *
 * Where all tokens of a sequence are neighbours two by two, the sequence is the encoding of its bytes. Every merge
 * inside a token happens in the whole as it does in the token alone, as long as no merge crosses a seam; and the
 * first merge to cross a seam would have been the next one in the two tokens beside it, too.
 */
export function areNeighbours({ parts, rankOf }: MergeTable, first: number, second: number): boolean {
  let left = first
  let right = second
  // Ranks of joins at the seam that come too late. Of two equal joins the left one comes first.
  let limit = NO_RANK
  for (;;) {
    if (rankOf(left, right) < limit) return false
    if (left > right) {
      // Not a single byte: those have the lowest ranks, and `right` is below.
      if (left < SINGLE_BYTES) return true
      limit = left
      left = parts[2 * left + 1]!
    } else {
      if (right < SINGLE_BYTES) return true
      limit = right + 1
      right = parts[2 * right]!
    }
  }
}
