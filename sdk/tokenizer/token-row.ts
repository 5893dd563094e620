// biome-ignore-all lint/style/noNonNullAssertion: every index is within its array, and a check at each step would cost time
import { type MergeTable, NO_RANK } from './merge-table.ts'

/** Tokens side by side, each with the rank of its join with the next one. */
export interface TokenRow {
  readonly ranks: Int32Array
  readonly joins: Int32Array
}

export function createTokenRow(capacity: number): TokenRow {
  return { ranks: new Int32Array(capacity), joins: new Int32Array(capacity) }
}

/** Puts the bytes from `start` to `end`, one at least, into the row from `at` on. */
export function placeBytes(
  { byteRanks, bytePairRanks }: MergeTable,
  { ranks, joins }: TokenRow,
  at: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): void {
  let place = at
  let byte = bytes[start]!
  ranks[place] = byteRanks[byte]!
  for (let index = start + 1; index < end; index++) {
    const next = bytes[index]!
    joins[place++] = bytePairRanks[(byte << 8) | next]!
    ranks[place] = byteRanks[next]!
    byte = next
  }
}

/**
 * Byte pair encoding of the `length` tokens from `at` on: joins the two neighbours whose join has the lowest rank,
 * the leftmost of equals, until no neighbours have a join. Returns how many are left. Every step looks at all joins,
 * which for some tens of tokens is faster than to keep them in order.
 */
export function mergeRow(
  { rankOf }: MergeTable,
  { ranks, joins }: TokenRow,
  at: number,
  length: number,
): number {
  let end = at + length
  for (;;) {
    let lowest = NO_RANK
    let place = at
    for (let index = at; index < end - 1; index++) {
      const join = joins[index]!
      if (join < lowest) {
        lowest = join
        place = index
      }
    }
    if (lowest === NO_RANK) return end - at
    end--
    ranks[place] = lowest
    for (let index = place + 1; index < end; index++) {
      ranks[index] = ranks[index + 1]!
      joins[index - 1] = joins[index]!
    }
    if (place > at) joins[place - 1] = rankOf(ranks[place - 1]!, lowest)
    if (place < end - 1) joins[place] = rankOf(lowest, ranks[place + 1]!)
  }
}
