import { describe, expect, it } from 'vitest'
import { type CeilingFacts, resolveCeiling } from './ceiling.ts'

const tier = { maxPromptTokens: 100_000, revision: '2026-09-23' }

function ceilingOf(facts: CeilingFacts) {
  const resolved = resolveCeiling(facts)
  if (resolved.type === 'fault') throw new TypeError(`${resolved.path}: ${resolved.expected}`)
  return { ceiling: resolved.ceiling, source: resolved.source }
}

describe('resolveCeiling', () => {
  it('[R2, R10] reads the first tier of a model priced by prompt length where nothing is set', () => {
    expect(resolveCeiling({ tier })).toEqual({ type: 'ceiling', ceiling: 100_000, source: 'default', tier })
  })

  it('[R10, R296] reads the same tier for an explicit auto and tells the two apart', () => {
    expect(resolveCeiling({ policy: 'auto', tier })).toEqual({
      type: 'ceiling',
      ceiling: 100_000,
      source: 'auto',
      tier,
    })
  })

  it('[R3, R12, R13] has no ceiling and says why where the model has no tier', () => {
    expect(resolveCeiling({})).toEqual({ type: 'ceiling', ceiling: null, source: 'unpriced' })
    expect(resolveCeiling({ policy: 'auto' })).toEqual({ type: 'ceiling', ceiling: null, source: 'unpriced' })
  })

  it('[R1, R21, R296] takes a number from the policy on any model', () => {
    expect(ceilingOf({ policy: 40_000 })).toEqual({ ceiling: 40_000, source: 'policy' })
    expect(resolveCeiling({ policy: 400_000, model: 10, tier })).toEqual({
      type: 'ceiling',
      ceiling: 400_000,
      source: 'policy',
    })
  })

  it('[R4] has no ceiling for an explicit none on any model', () => {
    expect(resolveCeiling({ policy: 'none', tier })).toEqual({
      type: 'ceiling',
      ceiling: null,
      source: 'none',
    })
    expect(ceilingOf({ policy: 'none', model: 10 })).toEqual({ ceiling: null, source: 'none' })
  })

  it('[R17] takes a positive integer or null from the model where the policy is unset', () => {
    expect(resolveCeiling({ model: 30_000, tier })).toEqual({
      type: 'ceiling',
      ceiling: 30_000,
      source: 'model',
    })
    expect(ceilingOf({ model: null, tier })).toEqual({ ceiling: null, source: 'none' })
  })

  it('[R18] lets an explicit auto go past what the model was given', () => {
    expect(ceilingOf({ policy: 'auto', model: null, tier })).toEqual({ ceiling: 100_000, source: 'auto' })
    expect(ceilingOf({ policy: 'auto', model: 30_000 })).toEqual({ ceiling: null, source: 'unpriced' })
  })

  it('[R5] lets one call lower the ceiling', () => {
    expect(resolveCeiling({ tier, call: 50_000 })).toEqual({
      type: 'ceiling',
      ceiling: 50_000,
      source: 'call',
    })
    expect(ceilingOf({ policy: 100_000, call: 1 })).toEqual({ ceiling: 1, source: 'call' })
    expect(ceilingOf({ policy: 100_000, call: 100_000 })).toEqual({ ceiling: 100_000, source: 'policy' })
  })

  it('[R5] lets one call set a ceiling where there is none', () => {
    expect(ceilingOf({ call: 50_000 })).toEqual({ ceiling: 50_000, source: 'call' })
    expect(ceilingOf({ policy: 'none', call: 50_000 })).toEqual({ ceiling: 50_000, source: 'call' })
  })

  it('[R6] refuses a larger value and none under a ceiling', () => {
    expect(resolveCeiling({ policy: 100_000, call: 100_001 })).toEqual({
      type: 'fault',
      path: 'maxInputTokens',
      expected: 'a positive integer of at most 100000, the ceiling that it may lower but not raise',
      actual: '100001',
    })
    for (const facts of [{ policy: 100_000 }, { tier }, { policy: 'auto', tier }, { model: 5 }] as const)
      expect(resolveCeiling({ ...facts, call: 'none' })).toMatchObject({ type: 'fault', actual: '"none"' })
  })

  it('[R6] takes none for a call that has no ceiling anyway', () => {
    expect(ceilingOf({ call: 'none' })).toEqual({ ceiling: null, source: 'unpriced' })
    expect(ceilingOf({ policy: 'none', call: 'none' })).toEqual({ ceiling: null, source: 'none' })
  })

  it.each([0, -1, true, false, 1.5, '50000', 'auto', null, Number.NaN])(
    '[R7] refuses %j for a call',
    (call) => {
      expect(resolveCeiling({ policy: 100_000, call })).toMatchObject({
        type: 'fault',
        path: 'maxInputTokens',
      })
      expect(resolveCeiling({ call })).toMatchObject({ type: 'fault', expected: 'a positive integer' })
    },
  )
})
