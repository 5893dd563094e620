import { describe, expect, it } from 'vitest'
import { createPieceCache, keepCount, keptCount, LONGEST_KEPT, SHORTEST_KEPT, slotOf } from './piece-cache.ts'

function view(...bytes: readonly number[]): DataView {
  return new DataView(Uint8Array.from(bytes).buffer)
}

describe('the piece cache', () => {
  it('knows a piece of any length wherever it stands', () => {
    const cache = createPieceCache()
    for (let length = SHORTEST_KEPT; length <= LONGEST_KEPT; length++) {
      const piece = Array.from({ length }, (_, at) => 65 + ((7 * at) % 26))
      const first = view(...piece)
      const second = view(1, 2, 3, ...piece, 4)
      const slot = slotOf(first, 0, length)
      expect(slotOf(second, 3, length)).toBe(slot)
      expect(keptCount(cache, slot, first, 0, length)).toBe(0)
      keepCount(cache, slot, first, 0, length, length % 9)
      expect(keptCount(cache, slot, second, 3, length)).toBe(length % 9)
    }
  })

  it('tells apart pieces that differ in one byte, or only in length', () => {
    const cache = createPieceCache()
    for (let length = SHORTEST_KEPT; length <= LONGEST_KEPT; length++) {
      const zeros = view(...new Array<number>(LONGEST_KEPT + 1).fill(0))
      keepCount(cache, 0, zeros, 0, length, 3)
      for (let other = SHORTEST_KEPT; other <= LONGEST_KEPT; other++) {
        expect(keptCount(cache, 0, zeros, 0, other)).toBe(other === length ? 3 : 0)
      }
      for (let at = 0; at < length; at++) {
        const changed = view(...Array.from({ length }, (_, index) => (index === at ? 1 : 0)))
        expect(keptCount(cache, 0, changed, 0, length)).toBe(0)
      }
    }
  })

  it('gives the slot to the piece that came last', () => {
    const cache = createPieceCache()
    const long = view(...new Array<number>(LONGEST_KEPT).fill(9))
    const short = view(1, 2, 3, 4)
    keepCount(cache, 0, long, 0, LONGEST_KEPT, 5)
    keepCount(cache, 0, short, 0, 4, 2)
    expect(keptCount(cache, 0, long, 0, LONGEST_KEPT)).toBe(0)
    expect(keptCount(cache, 0, short, 0, 4)).toBe(2)
  })
})
