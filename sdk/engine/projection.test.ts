import { describe, expect, it } from 'vitest'
import { seededRandom } from '../testing/random.ts'
import {
  addedText,
  type Body,
  cutMarker,
  effectiveKept,
  greatestFit,
  headAndTail,
  JSON_LABEL,
  type ProjectionRules,
  project,
} from './projection.ts'
import { codePoints } from './text.ts'

function body(length: number, options: Partial<Body> = {}): Body {
  return { source: 'x'.repeat(length), base: 0, label: '', index: 7, ...options }
}

function bound(maxChars?: number): ProjectionRules {
  return { contextTool: 'context', ...(maxChars === undefined ? {} : { maxChars }) }
}

describe('[R136, R173] head and tail', () => {
  it.each([
    [2, 1, 1],
    [3, 2, 1],
    [4, 3, 1],
    [5, 3, 2],
    [6, 4, 2],
    [7, 5, 2],
    [8, 6, 2],
    [878, 658, 220],
    [1023, 767, 256],
    [1024, 768, 256],
    [1025, 768, 257],
    [3845, 2883, 962],
  ])('splits %i into %i and %i', (kept, head, tail) => {
    expect(headAndTail(kept)).toEqual({ head, tail })
  })
})

describe('[R170, R178, R184, R372] the greatest kept count under a bound', () => {
  it.each([
    // bound, length, kept, start, end, first read, marker
    [1024, 1025, 880, 660, 805, 145, 144],
    [1024, 1026, 880, 660, 806, 146, 144],
    [1024, 100_045, 871, 653, 99_827, 1024, 153],
    [4000, 4001, 3852, 2889, 3038, 149, 148],
    [4000, 100_045, 3845, 2883, 99_083, 4000, 155],
    [20_000, 20_001, 19_847, 14_885, 15_039, 154, 153],
    [20_000, 100_045, 19_842, 14_881, 95_084, 16_000, 158],
  ])('under %i, a body of %i keeps %i', (maxChars, length, kept, start, end, limit, marker) => {
    const rules = bound(maxChars)
    expect(effectiveKept(body(length), length, rules)).toBe(kept)
    const text = cutMarker({ length, kept, base: 0, index: 7 }, rules)
    expect(text).toBe(
      `\n[${length - kept} of ${length} characters omitted: ${start}-${end}. context(action="read_result", index=7, offset=${start}, limit=${limit}); continue at next_offset, stop at ${end}]\n`,
    )
    expect(text).toHaveLength(marker)
    expect(project(body(length), kept, rules).text).toHaveLength(maxChars)
  })

  it('adds a label and a marker to a body that is cut, and nothing to one that is whole', () => {
    const json = body(8891, { label: JSON_LABEL })
    expect(addedText(json, { length: 8891, kept: 8890 }, bound())).toMatch(/^\[JSON preview\] \n\[1 of 8891 /)
    expect(addedText(json, { length: 8891, kept: 8891 }, bound())).toBe('')
    expect(greatestFit({ length: 10, allowance: 10, maxChars: 10, overhead: () => 5 })).toBe(10)
  })

  it.each([1024, 4000, 20_000])('leaves a body of exactly %i whole', (maxChars) => {
    expect(effectiveKept(body(maxChars), maxChars, bound(maxChars))).toBe(maxChars)
    expect(project(body(maxChars), maxChars, bound(maxChars)).text).toBe('x'.repeat(maxChars))
  })

  it.each([
    [0, 3845],
    [9, 3845],
    [10, 3844],
    [99, 3844],
    [100, 3843],
    [999, 3843],
    [1234, 3842],
  ])('makes room for the index %i', (index, kept) => {
    expect(effectiveKept(body(100_045, { index }), 100_045, bound(4000))).toBe(kept)
  })

  it('counts code points and splits no surrogate pair', () => {
    const emoji = body(0, { source: '😀'.repeat(5000) })
    expect(effectiveKept(emoji, 5000, bound(4000))).toBe(3850)
    const { text } = project(emoji, 3850, bound(4000))
    expect(codePoints(text)).toBe(4000)
    expect(text).toContain('2887-4037')
    expect(() => encodeURIComponent(text)).not.toThrow()
  })

  it('[R175] counts a value of a mapping by its place in the readable text', () => {
    const content = body(5000, { base: 23 })
    expect(effectiveKept(content, 5000, bound(4000))).toBe(3850)
    expect(project(content, 3850, bound(4000)).text).toContain(
      '2910-4060. context(action="read_result", index=7, offset=2910, limit=1150)',
    )
    const items = body(8891, { base: 5031, label: JSON_LABEL })
    expect(effectiveKept(items, 8891, bound(4000))).toBe(3833)
    const { text } = project(items, 3833, bound(4000))
    expect(text).toHaveLength(4000)
    expect(text.startsWith(JSON_LABEL)).toBe(true)
    expect(text).toContain('7905-12963. context(action="read_result", index=7, offset=7905, limit=4000)')
  })
})

describe('[R185, R187] lengths that are not monotonic', () => {
  it('finds the fit beyond a gap', () => {
    const long = body(1877)
    expect(effectiveKept(long, 1877, bound(1024))).toBe(878)
    expect(project(long, 878, bound(1024)).text).toContain('999 of 1877 characters omitted: 658-1657')
    expect(effectiveKept(long, 877, bound(1024))).toBe(876)
    expect(effectiveKept(long, 878, bound(1024))).toBe(878)
  })

  it('finds the fit beyond a gap of three', () => {
    const long = body(1876, { base: 8343 })
    expect(effectiveKept(long, 1876, bound(1025))).toBe(877)
    for (const allowance of [874, 875, 876]) expect(effectiveKept(long, allowance, bound(1025))).toBe(873)
  })

  it('says what a cut would make of a body even where it would make it longer', () => {
    const long = body(3950)
    expect(effectiveKept(long, 3950, bound(4000))).toBe(3950)
    for (const [allowance, total] of [
      [3949, 4000],
      [3900, 4000],
      [3852, 3998],
      [3800, 3948],
      [1024, 1172],
    ] as const) {
      const kept = effectiveKept(long, allowance, bound(4000)) ?? 0
      expect(project(long, kept, bound(4000)).text).toHaveLength(total)
    }
  })

  it('[R179, R188] finds none where the marker alone is too long', () => {
    expect(effectiveKept(body(100_045), 100_045, bound(150))).toBeNull()
    expect(effectiveKept(body(100_045), 100_045, bound(160))).toBe(9)
  })

  for (const seed of [1, 2, 3, 4, 5])
    it(`equals brute force for markers of any length, seed ${seed}`, () => {
      const random = seededRandom(seed)
      for (let trial = 0; trial < 200; trial++) {
        const length = random.integer(10, 400)
        const maxChars = random.integer(10, 300)
        const overheads = [random.integer(5, 60)]
        for (let kept = 1; kept <= length; kept++)
          overheads.push(Math.max(0, (overheads[kept - 1] ?? 0) + random.integer(-4, 4)))
        const overhead = (kept: number): number => overheads[kept] ?? 0
        const allowance = random.integer(0, length + 5)
        const fits = Array.from({ length }, (_, kept) => kept).filter(
          (kept) => kept >= 2 && kept <= allowance && kept + overhead(kept) <= maxChars,
        )
        const expected = allowance >= length && length <= maxChars ? length : (fits.at(-1) ?? null)
        expect(greatestFit({ length, allowance, maxChars, overhead })).toBe(expected)
      }
    })
})

describe('a clip without a bound', () => {
  it.each([
    [1024, 768, 99_789],
    [5000, 3750, 98_795],
    [25_000, 18_750, 93_795],
    [60_000, 45_000, 85_045],
  ])(
    '[R142, R174] that keeps %i of 100,045 omits %i to %i and offers a first read of 16,000 at the most',
    (kept, start, end) => {
      expect(effectiveKept(body(100_045), kept, bound())).toBe(kept)
      const { text } = project(body(100_045), kept, bound())
      expect(text).toContain(`${100_045 - kept} of 100045 characters omitted: ${start}-${end}.`)
      expect(text).toContain(
        `limit=${Math.min(16_000, 100_045 - kept)}); continue at next_offset, stop at ${end}]`,
      )
    },
  )

  it('keeps a head and a tail, or the whole body', () => {
    expect(effectiveKept(body(900), 900, bound())).toBe(900)
    expect(effectiveKept(body(900), 901, bound())).toBe(900)
    expect(effectiveKept(body(900), 2, bound())).toBe(2)
    expect(effectiveKept(body(900), 1, bound())).toBeNull()
  })

  it('names no tool where the model has none', () => {
    const { text } = project(body(100_045), 1024, { contextTool: null })
    expect(text).not.toContain('read_result')
    expect(text).toContain('The original is kept in this browser.')
  })
})
