import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logSteps, positionOf, valueAt } from './log-scale.ts'
import { formOf, policyOf, startForm } from './policy-form.ts'

describe('the form of a policy', () => {
  it('shows what stands in the policy, and writes the same policy back', () => {
    const policy = {
      maxInputTokens: 31_000,
      contextFoldAt: 0.57,
      contextFoldTarget: 0.29,
      toolResultMaxChars: 4_000,
    }
    expect(formOf(policy)).toEqual({ ceiling: 31_000, line: 57, target: 29, bound: 4_000 })
    expect(policyOf(formOf(policy))).toEqual(policy)
  })

  it('shows the defaults of what the policy leaves unset', () => {
    expect(formOf({})).toEqual(startForm)
    expect(policyOf(startForm)).not.toHaveProperty('toolResultMaxChars')
  })

  it('writes wrong values as they are, for the SDK to judge', () => {
    expect(policyOf({ ...startForm, ceiling: Number.NaN, target: 120 })).toMatchObject({
      maxInputTokens: Number.NaN,
      contextFoldTarget: 1.2,
    })
  })
})

describe('a slider over orders of magnitude', () => {
  const scale = { low: 1_000, high: 1_000_000 }

  it('spans from the low end to the high end', () => {
    expect(valueAt(0, scale)).toBe(1_000)
    expect(valueAt(logSteps, scale)).toBe(1_000_000)
    expect(positionOf(3, scale)).toBe(0)
    expect(positionOf(9_999_999, scale)).toBe(logSteps)
  })

  it('moves with every step of the keyboard, up and down (seed 7)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 1_000_000 }), (value) => {
        const position = positionOf(value, scale)
        if (position < logSteps)
          expect(positionOf(valueAt(position + 1, scale), scale)).toBeGreaterThan(position)
        if (position > 0) expect(positionOf(valueAt(position - 1, scale), scale)).toBeLessThan(position)
      }),
      { seed: 7 },
    )
  })
})
