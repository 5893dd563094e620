import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stackOrder, stackParts } from './parts.ts'
import { parts } from './testing/journal-builder.ts'

describe('stackParts', () => {
  it('lays parts end to end in send order', () => {
    const segments = stackParts(parts({ result: 30, system: 10, note: 5 }), 45)
    expect(segments.map(({ name, from, to }) => [name, from, to])).toEqual([
      ['system', 0, 10],
      ['note', 10, 15],
      ['result', 15, 45],
    ])
  })

  it('shows what the estimate adds as a part of its own', () => {
    const segments = stackParts(parts({ system: 10, result: 30 }), 50)
    expect(segments.at(-1)).toEqual({ name: 'uncounted', tokens: 10, from: 40, to: 50 })
    expect(segments.find(({ name }) => name === 'result')?.tokens).toBe(30)
  })

  it('keeps to an estimate under the count, and still names the counted tokens', () => {
    const segments = stackParts(parts({ system: 10, result: 30 }), 20)
    expect(segments.map(({ tokens, to }) => [tokens, to])).toEqual([
      [10, 5],
      [30, 20],
    ])
  })

  it('adds up a part that is named twice', () => {
    expect(stackParts([...parts({ call: 4 }), ...parts({ call: 6 })], 10)).toHaveLength(1)
  })

  it('always ends at the estimate, without gap or overlap (seed 2026)', () => {
    const sizes = fc.dictionary(
      fc.constantFrom(...stackOrder.filter((name) => name !== 'uncounted')),
      fc.integer({ min: 1, max: 100_000 }),
      { minKeys: 1 },
    )
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 500_000 }), (tokens, estimate) => {
        const segments = stackParts(parts(tokens), estimate)
        let end = 0
        for (const { from, to } of segments) {
          expect(from).toBe(end)
          expect(to).toBeGreaterThan(from)
          end = to
        }
        expect(end).toBeCloseTo(estimate, 3)
      }),
      { seed: 2026 },
    )
  })
})
