// biome-ignore-all lint/style/noNonNullAssertion: every index is within its array, and a check at each step would cost time

/** Shortest and longest piece that is kept, in bytes. Shorter ones are merged as fast. */
export const SHORTEST_KEPT = 4
export const LONGEST_KEPT = 255

const SLOT_BITS = 16
const LOG_WORDS = 1 << 19

/** Counts of pieces by their bytes. A text has few different pieces and repeats them, so most need no merge. */
export interface PieceCache {
  /** Where the piece may be found. */
  slotOf(bytes: DataView, start: number, length: number): number
  /** The count of the piece, or 0 where its slot is free or another one's. */
  find(slot: number, bytes: DataView, start: number, length: number): number
  /** Gives the slot to the piece. */
  keep(slot: number, bytes: DataView, start: number, length: number, count: number): void
}

export function createPieceCache(): PieceCache {
  // A piece is a word with its count and its length, then its bytes in words of four, the last of which may overlap
  // the one before. Pieces stand in the log in the order of their coming. Where it is full it is begun anew, and no
  // slot may go on pointing at what is then overwritten.
  const log = new Int32Array(LOG_WORDS)
  const slots = new Int32Array(1 << SLOT_BITS)
  let end = 0

  return {
    slotOf(bytes, start, length) {
      const last = start + length - 4
      let hash = length
      for (let at = start; at < last; at += 4) {
        hash = Math.imul(hash ^ bytes.getInt32(at, true), 0x9e3779b1)
        hash ^= hash >>> 15
      }
      hash = Math.imul(hash ^ bytes.getInt32(last, true), 0x85ebca77)
      hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae3d)
      return hash >>> (32 - SLOT_BITS)
    },

    find(slot, bytes, start, length) {
      let word = slots[slot]!
      const head = log[word++]!
      if ((head & 0xff) !== length) return 0
      const last = start + length - 4
      for (let at = start; at < last; at += 4) {
        if (log[word++] !== bytes.getInt32(at, true)) return 0
      }
      return log[word] === bytes.getInt32(last, true) ? head >> 8 : 0
    },

    keep(slot, bytes, start, length, count) {
      if (end + 1 + ((length + 3) >> 2) > LOG_WORDS) {
        slots.fill(0)
        end = 0
      }
      slots[slot] = end
      const last = start + length - 4
      log[end++] = (count << 8) | length
      for (let at = start; at < last; at += 4) log[end++] = bytes.getInt32(at, true)
      log[end++] = bytes.getInt32(last, true)
    },
  }
}
