// biome-ignore-all lint/style/noNonNullAssertion: every index is within its array, and a check at each step would cost time
import { nextSafeCut } from '../engine/safe-cut.ts'
import { createMergeTable } from './merge-table.ts'
import { createMerges } from './merges.ts'
import { createPieceCache, LONGEST_KEPT, SHORTEST_KEPT } from './piece-cache.ts'
import { createPreTokenizer } from './pre-tokens.ts'
import { type PackedRanks, unpackRanks } from './ranks.ts'
import type { TextCounter } from './text-counter.ts'

/** Counts any text exactly, in time that grows with its length alone. */
export type ScriptCounter = TextCounter

/** UTF-16 units after which the next safe cut ends a block, and those for which memory is kept. */
const BLOCK = 1 << 14
const LONGEST_BLOCK = 2 * BLOCK
/** Bytes of UTF-8 that one unit can take, and room for one behind the text. */
const BYTES_PER_UNIT = 3
const SPARE = 1
/** Pre-tokens that are split off at once. */
const PIECES = 1 << 12

/** Takes about 20 ms and 7 MB. */
export function createScriptCounter(ranks: PackedRanks): ScriptCounter {
  const countMerged = createMerges(createMergeTable(unpackRanks(ranks)))
  const { split } = createPreTokenizer()
  const cache = createPieceCache()
  const encoder = new TextEncoder()
  const ends = new Int32Array(PIECES)
  const blockBytes = createBytes(LONGEST_BLOCK)

  function countPieces(bytes: Uint8Array, words: DataView, from: number, pieces: number): number {
    let tokens = 0
    let start = from
    for (let piece = 0; piece < pieces; piece++) {
      const end = ends[piece]!
      const length = end - start
      if (length === 1) tokens++
      else if (length < SHORTEST_KEPT || length > LONGEST_KEPT) tokens += countMerged(bytes, start, end)
      else {
        const slot = cache.slotOf(words, start, length)
        let count = cache.find(slot, words, start, length)
        if (count === 0) {
          count = countMerged(bytes, start, end)
          cache.keep(slot, words, start, length, count)
        }
        tokens += count
      }
      start = end
    }
    return tokens
  }

  function countBlock(block: string): number {
    const bytes = block.length > LONGEST_BLOCK ? createBytes(block.length) : blockBytes
    const words = new DataView(bytes.buffer)
    const { written } = encoder.encodeInto(block, bytes)
    let tokens = 0
    for (let at = 0; at < written; ) {
      const pieces = split(bytes, at, written, ends)
      tokens += countPieces(bytes, words, at, pieces)
      at = ends[pieces - 1]!
    }
    return tokens
  }

  return {
    count(text) {
      let tokens = 0
      for (let from = 0; from < text.length; ) {
        const cut = nextSafeCut(text, from + BLOCK)
        const to = cut === -1 ? text.length : cut
        tokens += countBlock(text.slice(from, to))
        from = to
      }
      return tokens
    },
  }
}

function createBytes(units: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(units * BYTES_PER_UNIT + SPARE)
}
