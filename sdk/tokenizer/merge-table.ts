// biome-ignore-all lint/style/noNonNullAssertion: every index is within its array, and a check at each step would cost time
import { type RankPairs, SINGLE_BYTES } from './ranks.ts'

/** Stands for no join; above every rank. */
export const NO_RANK = 0x7fffffff

/** Which tokens join to which: all that byte pair encoding asks. */
export interface MergeTable {
  /** Rank of each single byte. */
  readonly byteRanks: Int32Array
  /** Rank of the join of two single bytes, at the first byte times 256 plus the second, or `NO_RANK`. */
  readonly bytePairRanks: Int32Array
  /** The parts of the token of rank n, at 2n and 2n + 1; of no use for single bytes. */
  readonly parts: Int32Array
  /** Rank of the join of two tokens, or `NO_RANK`. */
  rankOf(left: number, right: number): number
}

/** More than twice as many slots as tokens, so that a search ends soon. */
const SLOT_BITS = 19
const LAST_SLOT = (1 << SLOT_BITS) - 1
/** A slot holds a rank and, above it, bits of the hash, which spare most looks at the parts. 0 is a free slot. */
const RANK_BITS = 18
const RANK_MASK = (1 << RANK_BITS) - 1

export function createMergeTable({ size, left, right }: RankPairs): MergeTable {
  const byteRanks = new Int32Array(SINGLE_BYTES)
  const bytePairRanks = new Int32Array(SINGLE_BYTES * SINGLE_BYTES).fill(NO_RANK)
  const parts = new Int32Array(2 * size)
  const slots = new Int32Array(LAST_SLOT + 1)

  for (let rank = 0; rank < SINGLE_BYTES; rank++) byteRanks[right[rank]!] = rank
  for (let rank = SINGLE_BYTES; rank < size; rank++) {
    const first = left[rank]!
    const second = right[rank]!
    parts[2 * rank] = first
    parts[2 * rank + 1] = second
    if (first < SINGLE_BYTES && second < SINGLE_BYTES) {
      bytePairRanks[(right[first]! << 8) | right[second]!] = rank
    }
    const hash = hashOf(first, second)
    let slot = hash >>> (32 - SLOT_BITS)
    while (slots[slot] !== 0) slot = (slot + 1) & LAST_SLOT
    slots[slot] = (hash << RANK_BITS) | rank
  }

  function rankOf(first: number, second: number): number {
    const hash = hashOf(first, second)
    const tag = hash << RANK_BITS
    for (let slot = hash >>> (32 - SLOT_BITS); ; slot = (slot + 1) & LAST_SLOT) {
      const entry = slots[slot]!
      if (entry === 0) return NO_RANK
      if ((entry & ~RANK_MASK) !== tag) continue
      const rank = entry & RANK_MASK
      if (parts[2 * rank] === first && parts[2 * rank + 1] === second) return rank
    }
  }

  return { byteRanks, bytePairRanks, parts, rankOf }
}

function hashOf(left: number, right: number): number {
  const mixed = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca77)
  return Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae3d)
}
