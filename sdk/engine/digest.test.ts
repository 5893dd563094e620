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

  it.each(['\ud800\udc00', '\udbff\udfff'])('takes a pair at the end of a part whole, case %#', (pair) => {
    const { parts } = partsOf(`${'x'.repeat(16_383)}${pair}y`)
    expect(parts.map((part) => part.length)).toEqual([16_385, 1])
  })

  it.each(['a', '\ud7ff', '\udc00', '\ue000'])('ends a part behind any other unit, case %#', (unit) => {
    const { parts } = partsOf(`${'x'.repeat(16_383)}${unit}y`)
    expect(parts.map((part) => part.length)).toEqual([16_384, 1])
  })

  it('offers no pause over a short text', () => {
    expect(
      digestText('hello', () => ({ add: () => undefined, end: () => 'name' }), new Pace()).next(),
    ).toEqual({
      done: true,
      value: 'name',
    })
  })

  it('offers a pause after every part', () => {
    const plan = digestText('x'.repeat(500_000), () => ({ add: () => undefined, end: () => '' }), new Pace())
    let pauses = 0
    while (!plan.next(resumed).done) pauses++
    expect(pauses).toBeGreaterThanOrEqual(30)
  })
})

describe('Pace', () => {
  it('is due after 16,384 units, a message counting for 128 beside its text, and then begins anew', () => {
    const pace = new Pace()
    expect(pace.isDue(16_384 - 128)).toBe(true)
    expect(pace.isDue(16_384 - 128 - 1)).toBe(false)
    expect(pace.isDue(0)).toBe(true)
    for (let message = 1; message < 128; message++) expect(pace.isDue(0)).toBe(false)
    expect(pace.isDue(0)).toBe(true)
  })
})
