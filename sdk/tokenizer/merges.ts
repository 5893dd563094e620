// biome-ignore-all lint/style/noNonNullAssertion: every index is within its array, and a check at each step would cost time
import { countByCharacter } from './character-merge.ts'
import type { MergeTable } from './merge-table.ts'
import { areNeighbours } from './neighbours.ts'
import { createTokenRow, mergeRow, placeBytes } from './token-row.ts'
import { createTreeMerge, type TreeMerge } from './tree-merge.ts'

/** Bytes up to which a row of tokens is faster than a tree. */
const SHORT = 24
/** Bytes up to which East Asian text is encoded by the character. */
const MEDIUM = 256
/** Bytes that are merged at once: bounds the memory, and keeps it near the processor. */
const WINDOW = 4096

/** Number of tokens of the pre-token from `start` to `end`, of any length but 0. */
export type CountMerged = (bytes: Uint8Array, start: number, end: number) => number

/**
 * Byte pair encoding of pre-tokens. One that is longer than `window` is encoded in windows: the tokens of the first
 * three quarters are kept and the next window starts behind them. Where the tokens at each seam are neighbours, that
 * is the encoding of the whole; where some are not, which no known text does to windows of this size, the windows
 * are doubled.
 */
export function createMerges(table: MergeTable, window = WINDOW): CountMerged {
  const row = createTokenRow(MEDIUM)
  const tree = createTreeMerge(table, window)

  const countLong: CountMerged = (bytes, start, end) => {
    let tokens = countInWindows(table, tree, window, bytes, start, end)
    for (let wider = 2 * window; tokens === undefined; wider *= 2) {
      tokens = countInWindows(table, createTreeMerge(table, wider), wider, bytes, start, end)
    }
    return tokens
  }

  return (bytes, start, end) => {
    const length = end - start
    if (length <= SHORT) {
      placeBytes(table, row, 0, bytes, start, end)
      return mergeRow(table, row, 0, length)
    }
    const tokens = length <= MEDIUM ? countByCharacter(table, row, bytes, start, end) : undefined
    return tokens ?? (length <= window ? tree.merge(bytes, start, end) : countLong(bytes, start, end))
  }
}

function countInWindows(
  table: MergeTable,
  { merge, ranks, ends }: TreeMerge,
  window: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): number | undefined {
  const kept = window - (window >> 2)
  let tokens = 0
  let last: number | undefined
  for (let from = start; ; ) {
    const to = Math.min(from + window, end)
    const merged = merge(bytes, from, to)
    if (last !== undefined && !areNeighbours(table, last, ranks[0]!)) return undefined
    if (to === end) return tokens + merged
    let offset = 0
    do {
      last = ranks[offset]!
      offset = ends[offset]!
      tokens++
    } while (offset < kept)
    from += offset
  }
}
