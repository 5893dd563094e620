// biome-ignore-all lint/style/noNonNullAssertion: every index is within its array, and a check at each step would cost time

/** Shortest and longest piece that is kept, in bytes. Longer ones seldom come twice, shorter ones are merged at once. */
export const SHORTEST_KEPT = 4
export const LONGEST_KEPT = 28

/** A slot holds the piece's count and length in one word, then its bytes. */
const SLOT_WORDS = 1 + LONGEST_KEPT / 4
const SLOT_BITS = 14

/**
 * Counts of pieces by their bytes. A text has few different pieces and repeats them, so most need no merge. A piece
 * has one slot that it may stand in, and takes it from the piece that was there.
 */
export type PieceCache = Int32Array

export function createPieceCache(): PieceCache {
  return new Int32Array(SLOT_WORDS << SLOT_BITS)
}

/** Pieces are read in words of four bytes, the last of which may overlap the one before. */
export function slotOf(bytes: DataView, start: number, length: number): number {
  const last = start + length - 4
  let hash = length
  for (let at = start; at < last; at += 4) {
    hash = Math.imul(hash ^ bytes.getInt32(at, true), 0x9e3779b1)
    hash ^= hash >>> 15
  }
  hash = Math.imul(hash ^ bytes.getInt32(last, true), 0x85ebca77)
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae3d)
  return (hash >>> (32 - SLOT_BITS)) * SLOT_WORDS
}

/** The count of the piece, or 0 where its slot holds another one. */
export function keptCount(
  cache: PieceCache,
  slot: number,
  bytes: DataView,
  start: number,
  length: number,
): number {
  const head = cache[slot]!
  if ((head & 0xff) !== length) return 0
  const last = start + length - 4
  let word = slot + 1
  for (let at = start; at < last; at += 4) {
    if (cache[word++] !== bytes.getInt32(at, true)) return 0
  }
  return cache[word] === bytes.getInt32(last, true) ? head >> 8 : 0
}

export function keepCount(
  cache: PieceCache,
  slot: number,
  bytes: DataView,
  start: number,
  length: number,
  count: number,
): void {
  const last = start + length - 4
  let word = slot
  cache[word++] = (count << 8) | length
  for (let at = start; at < last; at += 4) cache[word++] = bytes.getInt32(at, true)
  cache[word] = bytes.getInt32(last, true)
}
