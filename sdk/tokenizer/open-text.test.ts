import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isSafeCut } from '../engine/safe-cut.ts'
import { OpenText } from './open-text.ts'

const SEED = 20_240_713

function countParts(parts: readonly string[]): {
  readonly total: number
  readonly counted: readonly string[]
} {
  const counted: string[] = []
  const counter = {
    count(text: string) {
      counted.push(text)
      return text.length
    },
  }
  const open = new OpenText()
  for (const part of parts) open.add(part, counter)
  return { total: open.close(counter), counted }
}

it(`counts a text once, in order and cut at safe cuts only, however it is parted (seed ${SEED})`, () => {
  const unit = fc.constantFrom('a', 'B', ' ', '\n', '.', '7', '中', '\ud83d', '\ude00', '\u0301')
  fc.assert(
    fc.property(fc.array(fc.string({ unit, maxLength: 12 }), { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      const { total, counted } = countParts(parts)
      expect(total).toBe(text.length)
      expect(counted.join('')).toBe(text)
      let position = 0
      for (const piece of counted.slice(0, -1)) {
        position += piece.length
        if (position > 0 && position < text.length) expect(isSafeCut(text, position)).toBe(true)
      }
    }),
    { seed: SEED, numRuns: 2000 },
  )
})

it('keeps only what stands after the last safe cut', () => {
  const { counted } = countParts(['one two', 'three ', 'x'.repeat(5), 'y'.repeat(5), ' end'])
  expect(counted).toEqual(['one', ' twothree', ` ${'x'.repeat(5)}${'y'.repeat(5)}`, ' end'])
})

it('takes a long run in time that grows with its length', () => {
  const part = 'x'.repeat(1000)
  const counted: number[] = []
  const counter = { count: (text: string) => counted.push(text.length) }
  const open = new OpenText()
  const started = performance.now()
  for (let i = 0; i < 20_000; i++) open.add(part, counter)
  open.close(counter)
  expect(counted).toEqual([20_000_000])
  // Searching the whole rest for each part takes minutes.
  expect(performance.now() - started).toBeLessThan(10_000)
})
