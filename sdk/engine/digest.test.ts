import { describe, expect, it } from 'vitest'
import { type Digest, digestText } from './digest.ts'
import { Pace } from './pace.ts'
import { asksNothing, resumed, runPlan } from './plan.ts'

/** Digests a text and tells the parts in which it came. */
function partsOf(text: string): { readonly parts: readonly string[]; readonly name: string } {
  const parts: string[] = []
  const digest: Digest = () => ({ add: (part) => void parts.push(part), end: () => `${parts.length} parts` })
  return { name: runPlan(digestText(text, digest, new Pace()), asksNothing), parts }
}

describe('digesting a text', () => {
  it.each([0, 1, 16_383, 16_384, 16_385, 100_000])(
    'of %i units takes all of it, in parts of a bounded size',
    (units) => {
      const text = Array.from({ length: units }, (_, at) => String.fromCharCode(97 + (at % 26))).join('')
      const { parts, name } = partsOf(text)
      expect(parts.join('')).toBe(text)
      expect(name).toBe(`${parts.length} parts`)
      for (const part of parts) expect(part.length).toBeLessThanOrEqual(16_385)
    },
  )

  it.each([0, 1])('never splits a surrogate pair, %i units in', (shift) => {
    const { parts } = partsOf('x'.repeat(shift) + '🧭'.repeat(30_000))
    expect(parts.length).toBeGreaterThan(2)
    for (const part of parts) expect(part).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/)
  })

  it('offers a pause after every part', () => {
    const plan = digestText('x'.repeat(500_000), () => ({ add: () => undefined, end: () => '' }), new Pace())
    let pauses = 0
    while (!plan.next(resumed).done) pauses++
    expect(pauses).toBeGreaterThanOrEqual(30)
  })
})
