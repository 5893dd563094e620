// biome-ignore-all lint/style/noNonNullAssertion: every index is within its array, and a check at each step would cost time
import { type MergeTable, NO_RANK } from './merge-table.ts'
import { areNeighbours } from './neighbours.ts'
import { mergeRow, placeBytes, type TokenRow } from './token-row.ts'

/** First of the lead bytes of kana, Han, Hangul and full-width forms. */
const FIRST_LEAD = 0xe3
const WIDTH = 3

/**
 * Encodes East Asian text from the tokens of its characters instead of from its bytes. That takes a fraction of the
 * steps, and is the encoding where all tokens are neighbours two by two. Returns undefined where some are not, or
 * where another character is among them.
 */
export function countByCharacter(
  table: MergeTable,
  row: TokenRow,
  bytes: Uint8Array,
  start: number,
  end: number,
): number | undefined {
  const { ranks, joins } = row
  let placed = 0
  for (let at = start; at < end; at += WIDTH) {
    // A shorter character is refused at its lead byte, a longer one at its last byte.
    if (bytes[at]! < FIRST_LEAD) return undefined
    placed += placeCharacter(table, row, placed, bytes, at)
  }
  for (let place = 1; place < placed; place++) {
    joins[place - 1] = table.rankOf(ranks[place - 1]!, ranks[place]!)
  }
  const tokens = mergeRow(table, row, 0, placed)
  for (let place = 1; place < tokens; place++) {
    if (!areNeighbours(table, ranks[place - 1]!, ranks[place]!)) return undefined
  }
  return tokens
}

/** Puts a character into the row, as the one token that most characters are or as bytes; returns how many. */
function placeCharacter(
  table: MergeTable,
  row: TokenRow,
  at: number,
  bytes: Uint8Array,
  start: number,
): number {
  const { byteRanks, bytePairRanks, rankOf } = table
  const first = bytes[start]!
  const second = bytes[start + 1]!
  const third = bytes[start + 2]!
  const firstPair = bytePairRanks[(first << 8) | second]!
  const secondPair = bytePairRanks[(second << 8) | third]!
  const whole =
    firstPair <= secondPair ? rankOf(firstPair, byteRanks[third]!) : rankOf(byteRanks[first]!, secondPair)
  if (whole !== NO_RANK) {
    row.ranks[at] = whole
    return 1
  }
  placeBytes(table, row, at, bytes, start, start + WIDTH)
  return WIDTH
}
