import { describe, expect, it } from 'vitest'
import { type RepairFacts, rejectedFactor, repairLimit, repairTrigger } from './repair.ts'
import { scaleFactor } from './scale.ts'

const facts = (changed: Partial<RepairFacts> = {}): RepairFacts => ({
  window: 1000,
  readerWindow: null,
  asked: null,
  stages: null,
  ...changed,
})

const measured = (
  counted: number,
  changed: { readonly isAnchored?: boolean; readonly exact?: boolean } = {},
) => ({
  estimate: { counted, factor: scaleFactor({ reported: 1, counted: 1 }) },
  isAnchored: false,
  exact: true,
  ...changed,
})

describe('what calls for a repair', () => {
  it('[R312, R318, R326] is the window itself, and no share of it', () => {
    expect(repairTrigger(facts(), measured(1000))).toBeNull()
    expect(repairTrigger(facts(), measured(1001))).toBe('wall')
    expect(repairTrigger(facts({ window: null }), measured(1_000_000))).toBeNull()
  })

  it('[R315, R316] is named after what the provider reported, where the request continues that', () => {
    expect(repairTrigger(facts(), measured(1001, { isAnchored: true }))).toBe('usage')
  })

  it('[R319, R320] is no estimate, which overstates', () => {
    expect(repairTrigger(facts(), measured(5000, { exact: false }))).toBeNull()
  })

  it('[R315, R323] is a rejection or a person, whatever the estimate is', () => {
    expect(repairTrigger(facts({ asked: { trigger: 'manual' } }), measured(1))).toBe('manual')
    const asked = { trigger: 'overflow', limit: null, reported: null } as const
    expect(repairTrigger(facts({ asked }), measured(1, { exact: false }))).toBe('overflow')
  })
})

describe('what a repaired request may come to', () => {
  it('[R327] is what the rejection says, for this round alone', () => {
    const asked = { trigger: 'overflow', limit: 600, reported: null } as const
    expect(repairLimit(facts({ asked }))).toBe(600)
    expect(repairLimit(facts({ asked: { ...asked, limit: null } }))).toBe(1000)
    expect(repairLimit(facts())).toBe(1000)
    expect(repairLimit(facts({ asked: { trigger: 'manual' } }))).toBeNull()
  })

  it('is measured by a factor under which the rejected request was too long', () => {
    const asked = { trigger: 'overflow', limit: 600, reported: 750 } as const
    expect(rejectedFactor(facts({ asked }), 500)).toEqual({ numerator: 750n, denominator: 500n })
    expect(rejectedFactor(facts({ asked: { ...asked, reported: null } }), 500)?.numerator).toBe(600n)
    expect(rejectedFactor(facts(), 500)).toBeNull()
  })
})
