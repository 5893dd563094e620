// biome-ignore-all lint/style/noNonNullAssertion: every index is within its array, and a check at each step would cost time
/**
 * The o200k_base vocabulary in a small, exact form. Every token above the single bytes is the join of two tokens of
 * lower rank, and the encoder reaches it by that join only, so the two ranks stand for the token.
 *
 * `digits` holds, for each rank, left and right as three base-64 digits each, most significant first, in six planes
 * of `size` characters: all first digits of the left ranks, then all second ones, and so on. Like digits stand
 * together, which is what gzip needs. A rank that is one byte has left 0 and the byte's value on the right.
 */
export interface PackedRanks {
  readonly size: number
  readonly digits: string
}

/** For each rank the ranks of its two parts, or 0 and the byte's value for the first `SINGLE_BYTES` ranks. */
export interface RankPairs {
  readonly size: number
  readonly left: Int32Array
  readonly right: Int32Array
}

/** The ranks below this one are single bytes, in the vocabulary's own order. */
export const SINGLE_BYTES = 256

/** Digits of a rank, of six bits each, and what they can count. */
const DIGITS = 3
const MOST_RANKS = 1 << 18
/** Digits are `(` to `h` without the backslash, which string literals would have to escape. */
const ZERO = 40
const BACKSLASH = 92

export function packRanks(pairs: RankPairs): PackedRanks {
  let digits = ''
  for (const ranks of [pairs.left, pairs.right]) {
    for (let place = DIGITS - 1; place >= 0; place--) {
      for (const rank of ranks) {
        const code = ZERO + ((rank >> (6 * place)) & 63)
        digits += String.fromCharCode(code < BACKSLASH ? code : code + 1)
      }
    }
  }
  return { size: pairs.size, digits }
}

/** Throws where `digits` is not as long as `size` asks, as after a broken download. */
export function unpackRanks({ size, digits }: PackedRanks): RankPairs {
  if (digits.length !== 2 * DIGITS * size || size < SINGLE_BYTES || size > MOST_RANKS) {
    throw new Error(
      `Expected packed ranks with ${2 * DIGITS} digits for each of ${SINGLE_BYTES} to ${MOST_RANKS} ranks, ` +
        `got ${digits.length} digits for ${size}: load the file again as it was generated.`,
    )
  }
  const codes = new TextEncoder().encode(digits)
  return { size, left: unpackSide(codes, 0, size), right: unpackSide(codes, DIGITS * size, size) }
}

function unpackSide(codes: Uint8Array, start: number, size: number): Int32Array {
  const ranks = new Int32Array(size)
  for (let rank = 0; rank < size; rank++) {
    const first = start + rank
    const second = first + size
    const third = second + size
    ranks[rank] = (digitOf(codes[first]!) << 12) | (digitOf(codes[second]!) << 6) | digitOf(codes[third]!)
  }
  return ranks
}

function digitOf(code: number): number {
  return code < BACKSLASH ? code - ZERO : code - ZERO - 1
}
