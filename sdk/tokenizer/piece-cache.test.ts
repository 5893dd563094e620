import { describe, expect, it } from 'vitest'
import { createPieceCache, LONGEST_KEPT, SHORTEST_KEPT } from './piece-cache.ts'

function view(bytes: readonly number[]): DataView {
  return new DataView(Uint8Array.from(bytes).buffer)
}

describe('the piece cache', () => {
  it('knows a piece of any length wherever it stands', () => {
    const cache = createPieceCache()
    for (let length = SHORTEST_KEPT; length <= LONGEST_KEPT; length++) {
      const piece = Array.from({ length }, (_, at) => 65 + ((7 * at) % 26))
      const first = view(piece)
      const second = view([1, 2, 3, ...piece, 4])
      const slot = cache.slotOf(first, 0, length)
      expect(cache.slotOf(second, 3, length)).toBe(slot)
      expect(cache.find(slot, first, 0, length)).toBe(0)
      cache.keep(slot, first, 0, length, length)
      expect(cache.find(slot, second, 3, length)).toBe(length)
    }
  })

  it('tells apart pieces in one slot that differ in a byte, or only in length', () => {
    const cache = createPieceCache()
    const zeros = view(new Array<number>(LONGEST_KEPT).fill(0))
    for (let length = SHORTEST_KEPT; length <= LONGEST_KEPT; length += 7) {
      cache.keep(9, zeros, 0, length, 3)
      for (let other = SHORTEST_KEPT; other <= LONGEST_KEPT; other++) {
        expect(cache.find(9, zeros, 0, other)).toBe(other === length ? 3 : 0)
      }
      for (let at = 0; at < length; at++) {
        const changed = view(Array.from({ length }, (_, index) => (index === at ? 1 : 0)))
        expect(cache.find(9, changed, 0, length)).toBe(0)
      }
    }
  })

  it('gives a slot to the piece that came last', () => {
    const cache = createPieceCache()
    const long = view(new Array<number>(LONGEST_KEPT).fill(9))
    const short = view([1, 2, 3, 4])
    cache.keep(0, long, 0, LONGEST_KEPT, 5)
    cache.keep(0, short, 0, 4, 2)
    expect(cache.find(0, long, 0, LONGEST_KEPT)).toBe(0)
    expect(cache.find(0, short, 0, 4)).toBe(2)
  })

  it('stays right, and as large as it was, when more pieces come than it has room for', () => {
    const cache = createPieceCache()
    const piece = view(new Array<number>(LONGEST_KEPT).fill(0))
    for (let count = 1; count <= 30_000; count++) {
      piece.setInt32(0, count)
      const slot = cache.slotOf(piece, 0, LONGEST_KEPT)
      cache.keep(slot, piece, 0, LONGEST_KEPT, 1 + (count % 200))
      expect(cache.find(slot, piece, 0, LONGEST_KEPT)).toBe(1 + (count % 200))
    }
  })

  it('takes nothing for a piece that was overwritten', () => {
    const cache = createPieceCache()
    const [first, second] = [view([1, 2, 3, 4]), view([5, 6, 7, 8])]
    cache.keep(1, first, 0, 4, 1)
    cache.keep(2, second, 0, 4, 1)
    // Its bytes read like the second piece with another count, in the place where that one stood.
    const long = view(new Array<number>(LONGEST_KEPT).fill(0))
    long.setInt32(4, (7 << 8) | 4, true)
    long.setInt32(8, second.getInt32(0, true), true)
    for (let kept = 0; kept < 30_000; kept++) cache.keep(3, long, 0, LONGEST_KEPT, 9)
    expect(cache.find(2, second, 0, 4)).toBe(0)
    expect(cache.find(3, long, 0, LONGEST_KEPT)).toBe(9)
  })
})
