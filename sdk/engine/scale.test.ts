import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  anchoredFactor,
  atOrPast,
  atOrUnder,
  countedAtMost,
  decimalRatio,
  type Estimate,
  estimateNumber,
  initialScale,
  isAbsurd,
  lineTokens,
  lower,
  over,
  raiseScale,
  type Scale,
  scaleFactor,
  scaleNumber,
  targetTokens,
} from './scale.ts'

const learned: Scale = { reported: 93_525, counted: 68_308 }

function exactly(tokens: number): Estimate {
  return { counted: tokens, factor: scaleFactor(initialScale) }
}

function scaled(counted: number, scale: Scale = learned): Estimate {
  return { counted, factor: scaleFactor(scale) }
}

describe('the scale', () => {
  it('[R29] starts at one', () => {
    expect(scaleNumber(initialScale)).toBe(1)
    expect(estimateNumber(exactly(12_345))).toBe(12_345)
  })

  it('[R30] rises to what was reported for at least 4,000 counted tokens', () => {
    expect(raiseScale(initialScale, learned)).toEqual(learned)
    expect(raiseScale(initialScale, { counted: 4_000, reported: 5_000 })).toEqual({
      counted: 4_000,
      reported: 5_000,
    })
    expect(raiseScale(initialScale, { counted: 3_999, reported: 8_000 })).toEqual(initialScale)
  })

  it('[R31] never falls', () => {
    expect(raiseScale(learned, { counted: 69_836, reported: 95_483 })).toEqual(learned)
    expect(raiseScale(initialScale, { counted: 4_000, reported: 4_000 })).toEqual(initialScale)
    expect(raiseScale(initialScale, { counted: 50_000, reported: 40_000 })).toEqual(initialScale)
  })

  it('[R35] is plain data with a floor that no order of reports lowers (seed 7)', () => {
    const settled = fc.record({ counted: fc.nat(400_000), reported: fc.nat(900_000) })
    fc.assert(
      fc.property(fc.array(settled), (all) => {
        let scale = initialScale
        for (const one of all) {
          const next = raiseScale(JSON.parse(JSON.stringify(scale)), one)
          expect(BigInt(next.reported) * BigInt(scale.counted)).toBeGreaterThanOrEqual(
            BigInt(scale.reported) * BigInt(next.counted),
          )
          scale = next
        }
        const highest = all
          .filter((one) => one.counted >= 4_000)
          .reduce((most, one) => Math.max(most, one.reported / one.counted), 1)
        expect(scale.reported / scale.counted).toBe(highest)
      }),
      { seed: 7 },
    )
  })

  it('takes nothing from figures that are no token counts', () => {
    for (const reported of [Number.NaN, Number.POSITIVE_INFINITY, 9_000.5, 2 ** 53])
      expect(raiseScale(initialScale, { counted: 4_000, reported })).toEqual(initialScale)
    expect(raiseScale(initialScale, { counted: Number.NaN, reported: 9_000 })).toEqual(initialScale)
  })

  it('shows four places and keeps the pair', () => {
    expect(scaleNumber(learned)).toBe(1.3692)
    expect(estimateNumber(scaled(68_308))).toBe(93_525)
  })
})

describe('decimal fractions', () => {
  it.each([
    [0.8, 8n, 10n],
    [0.15, 15n, 100n],
    [1, 1n, 1n],
    [0.1, 1n, 10n],
    [1e-7, 1n, 10_000_000n],
    [1.5e-9, 15n, 10_000_000_000n],
    [1e21, 10n ** 21n, 1n],
    [1.5e22, 15n * 10n ** 21n, 1n],
  ])('reads %d as it is written', (value, numerator, denominator) => {
    expect(decimalRatio(value)).toEqual({ numerator, denominator })
  })
})

describe('comparisons with a ceiling', () => {
  const table = [
    { ceiling: 20_000, line: 16_000, target: 12_000, tenth: 2_000, reset: 3_000, late: 18_000, half: 10_000 },
    { ceiling: 20_005, line: 16_004, target: 12_003, tenth: 2_000, reset: 3_000, late: 18_005, half: 10_002 },
    { ceiling: 40_000, line: 32_000, target: 24_000, tenth: 4_000, reset: 6_000, late: 36_000, half: 20_000 },
    {
      ceiling: 99_999,
      line: 80_000,
      target: 59_999,
      tenth: 9_999,
      reset: 14_999,
      late: 90_000,
      half: 49_999,
    },
    {
      ceiling: 100_000,
      line: 80_000,
      target: 60_000,
      tenth: 10_000,
      reset: 15_000,
      late: 90_000,
      half: 50_000,
    },
  ]

  it.each(table)('[R92, R93, R94] folds, stops and resets at the exact token of $ceiling', (row) => {
    const { ceiling } = row
    for (const [line, at] of [
      [row.line, 0.8],
      [row.late, 0.9],
    ] as const) {
      expect(atOrPast(exactly(line), ceiling, at)).toBe(true)
      expect(atOrPast(exactly(line - 1), ceiling, at)).toBe(false)
      expect(lineTokens(ceiling, at)).toBe(line)
    }
    for (const [target, share] of [
      [row.target, 0.6],
      [row.half, 0.5],
      [row.tenth, 0.1],
    ] as const) {
      expect(atOrUnder(exactly(target), ceiling, share)).toBe(true)
      expect(atOrUnder(exactly(target + 1), ceiling, share)).toBe(false)
      expect(targetTokens(ceiling, share)).toBe(target)
    }
    expect(over(exactly(row.reset), ceiling, 0.15)).toBe(false)
    expect(over(exactly(row.reset + 1), ceiling, 0.15)).toBe(true)
  })

  it('[R66] is over one token past the ceiling and not at it', () => {
    expect(over(exactly(99_999), 100_000)).toBe(false)
    expect(over(exactly(100_000), 100_000)).toBe(false)
    expect(over(exactly(100_001), 100_000)).toBe(true)
  })

  it('[R34] measures line, target and ceiling by one learned scale', () => {
    const ceiling = 100_000
    expect(atOrPast(scaled(58_430), ceiling, 0.8)).toBe(true)
    expect(atOrPast(scaled(58_429), ceiling, 0.8)).toBe(false)
    expect(estimateNumber(scaled(58_429))).toBeCloseTo(79_999.008, 3)
    expect(atOrUnder(scaled(43_822), ceiling, 0.6)).toBe(true)
    expect(atOrUnder(scaled(43_823), ceiling, 0.6)).toBe(false)
    expect(over(scaled(73_037), ceiling)).toBe(false)
    expect(over(scaled(73_038), ceiling)).toBe(true)
    expect(estimateNumber(scaled(73_038))).toBeCloseTo(100_001.16, 2)
    expect(atOrUnder(scaled(7_303), ceiling, 0.1)).toBe(true)
    expect(atOrUnder(scaled(7_304), ceiling, 0.1)).toBe(false)
    expect(over(scaled(10_956), ceiling, 0.15)).toBe(true)
    expect(over(scaled(10_955), ceiling, 0.15)).toBe(false)
  })

  it('[R93] knows the greatest count that is at or under a share', () => {
    expect(countedAtMost(100_000, 0.6, scaleFactor(learned))).toBe(43_822)
    expect(countedAtMost(100_000, 1, scaleFactor(learned))).toBe(73_037)
    expect(countedAtMost(20_005, 0.6, scaleFactor(initialScale))).toBe(12_003)
  })

  it('does not fall into the rounding of doubles', () => {
    const scale = { reported: 4_001, counted: 4_000 }
    expect((4_001 / 4_000) * 4_000).toBeGreaterThan(4_001)
    expect(over(scaled(4_000, scale), 4_001)).toBe(false)
    expect(estimateNumber(scaled(4_000, scale))).toBe(4_001)
  })

  it('sends what was reported at exactly the ceiling, for any pair (seed 11)', () => {
    const counted = fc.integer({ min: 4_000, max: 2_000_000 })
    fc.assert(
      fc.property(counted, fc.integer({ min: 1, max: 4_000_000 }), (tokens, reported) => {
        const estimate = scaled(tokens, { reported, counted: tokens })
        expect(over(estimate, reported)).toBe(false)
        expect(atOrPast(estimate, reported, 1)).toBe(true)
        expect(estimateNumber(estimate)).toBe(reported)
        if (reported > 1) expect(over(estimate, reported - 1)).toBe(true)
      }),
      { seed: 11 },
    )
  })

  it('[R106] calls only a strictly smaller estimate lower', () => {
    expect(lower(scaled(95_836), scaled(95_837))).toBe(true)
    expect(lower(scaled(95_837), scaled(95_837))).toBe(false)
    expect(lower(scaled(96_505), scaled(95_837))).toBe(false)
    expect(lower(exactly(1), scaled(1))).toBe(true)
    expect(lower(scaled(8_000, { reported: 3, counted: 2 }), exactly(12_000))).toBe(false)
  })
})

describe('the anchored factor', () => {
  it('adds the scaled growth to what was reported', () => {
    const scale = { reported: 5_000, counted: 4_000 }
    const anchor = { reported: 93_000, countedThen: 70_000, countedNow: 72_000, scale }
    const estimate = { counted: 72_000, factor: anchoredFactor(anchor) }
    expect(estimateNumber(estimate)).toBe(93_000 + 2_500)
    expect(over(estimate, 95_500)).toBe(false)
    expect(over(estimate, 95_499)).toBe(true)
  })

  it('is exact beyond the integers of a double', () => {
    const scale = { reported: 1_399_999, counted: 999_983 }
    const factor = anchoredFactor({ reported: 977_777, countedThen: 700_001, countedNow: 700_001, scale })
    expect(estimateNumber({ counted: 700_001, factor })).toBe(977_777)
    expect(over({ counted: 700_001, factor }, 977_777)).toBe(false)
  })

  it('falls with a request that became shorter', () => {
    const factor = anchoredFactor({
      reported: 9_000,
      countedThen: 6_000,
      countedNow: 5_000,
      scale: initialScale,
    })
    expect(estimateNumber({ counted: 5_000, factor })).toBe(8_000)
  })
})

describe('a figure that cannot be true', () => {
  it('is more than a hundred times what was counted of a request that could teach', () => {
    expect(isAbsurd({ reported: 400_000, counted: 4000 })).toBe(false)
    expect(isAbsurd({ reported: 400_001, counted: 4000 })).toBe(true)
    expect(isAbsurd({ reported: 400_001, counted: 3999 })).toBe(false)
  })
})
