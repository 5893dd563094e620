// biome-ignore-all lint/style/noNonNullAssertion: every index is within its array, and a check at each step would cost time
import { type MergeTable, NO_RANK } from './merge-table.ts'

/** Bytes up to which looking at every pair for the lowest is faster than keeping a tree. */
export const SHORT = 24

/**
 * Byte pair encoding of at most `SHORT` bytes and at least one: joins the two neighbours whose join has the lowest
 * rank, the leftmost of equals, until no neighbours have a join.
 */
export function createShortMerge({ byteRanks, bytePairRanks, rankOf }: MergeTable) {
  const ranks = new Int32Array(SHORT)
  /** Rank of the join of each token with the next one. */
  const joins = new Int32Array(SHORT)

  /** Number of tokens of the bytes from `start` to `end`. */
  return (bytes: Uint8Array, start: number, end: number): number => {
    let length = end - start
    let byte = bytes[start]!
    ranks[0] = byteRanks[byte]!
    for (let i = 1; i < length; i++) {
      const next = bytes[start + i]!
      ranks[i] = byteRanks[next]!
      joins[i - 1] = bytePairRanks[(byte << 8) | next]!
      byte = next
    }
    for (;;) {
      let lowest = NO_RANK
      let at = 0
      for (let i = 0; i < length - 1; i++) {
        const join = joins[i]!
        if (join < lowest) {
          lowest = join
          at = i
        }
      }
      if (lowest === NO_RANK) return length
      length--
      ranks[at] = lowest
      for (let i = at + 1; i < length; i++) {
        ranks[i] = ranks[i + 1]!
        joins[i - 1] = joins[i]!
      }
      if (at > 0) joins[at - 1] = rankOf(ranks[at - 1]!, lowest)
      if (at < length - 1) joins[at] = rankOf(lowest, ranks[at + 1]!)
    }
  }
}
