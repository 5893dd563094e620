import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSafeCut } from '../engine/safe-cut.ts'
import { createGuardedCounter } from './guarded-counter.ts'

const SEED = 20_240_709

/** Counts units, and remembers who was given what. */
function spy() {
  const all: string[] = []
  const bulk: string[] = []
  const stretches: string[] = []
  const keep = (list: string[]) => ({
    count(text: string) {
      all.push(text)
      list.push(text)
      return text.length
    },
  })
  const counter = createGuardedCounter({ bulk: keep(bulk), stretches: keep(stretches) })
  return { counter, all, bulk, stretches }
}

/** Units of the longest part of a text without a safe cut. */
function longestStretch(text: string): number {
  let longest = 0
  let start = 0
  for (let position = 1; position <= text.length; position++) {
    if (position < text.length && !isSafeCut(text, position)) continue
    longest = Math.max(longest, position - start)
    start = position
  }
  return longest
}

describe('createGuardedCounter', () => {
  it('counts nothing in an empty text and calls nobody', () => {
    const { counter, bulk, stretches } = spy()
    expect(counter.count('')).toBe(0)
    expect([...bulk, ...stretches]).toEqual([])
  })

  it('gives ordinary text to the bulk counter in chunks cut at safe cuts', () => {
    const { counter, bulk, stretches } = spy()
    const text = 'seven words are in this one line. '.repeat(1000)
    expect(counter.count(text)).toBe(text.length)
    expect(stretches).toEqual([])
    expect(bulk.join('')).toBe(text)
    expect(Math.max(...bulk.map((chunk) => chunk.length))).toBeLessThanOrEqual(8192)
    expect(bulk.length).toBeLessThanOrEqual(Math.ceil(text.length / (8192 - 256)))
  })

  it.each([
    ['alone', '', 'a'.repeat(257), ''],
    ['between words', 'two words', ` ${'a'.repeat(300)}`, ' and more'],
    ['at the start', '', 'b'.repeat(100_000), ' end'],
    ['at the end', 'start', ` ${'c'.repeat(1000)}`, ''],
  ])('gives a long stretch %s to the other one, whole and alone', (_, before, stretch, after) => {
    const { counter, bulk, stretches } = spy()
    counter.count(before + stretch + after)
    expect(stretches).toEqual([stretch])
    expect(bulk).toEqual([before, after].filter((text) => text !== ''))
  })

  it('lets a stretch of the longest length pass', () => {
    const { counter, bulk, stretches } = spy()
    counter.count('a'.repeat(256))
    expect([bulk.length, stretches.length]).toEqual([1, 0])
  })

  it(`takes every unit once, in order, and never gives the bulk counter a long stretch (seed ${SEED})`, () => {
    const run = fc
      .tuple(
        fc.constantFrom('a', ' ', '\n', '-', '中', '\u{1f600}', '1', 'ab ', '\u0301'),
        fc.integer({ min: 1, max: 600 }),
      )
      .map(([unit, times]) => unit.repeat(times))
    fc.assert(
      fc.property(fc.array(run, { maxLength: 60 }), (runs) => {
        const { counter, all, bulk, stretches } = spy()
        const text = runs.join('')
        expect(counter.count(text)).toBe(text.length)
        expect(all.join('')).toBe(text)
        for (const chunk of bulk) {
          expect(longestStretch(chunk)).toBeLessThanOrEqual(256)
          expect(chunk.length).toBeLessThanOrEqual(8192)
        }
        for (const stretch of stretches) expect(stretch.length).toBeGreaterThan(256)
      }),
      { seed: SEED, numRuns: 300 },
    )
  })
})
