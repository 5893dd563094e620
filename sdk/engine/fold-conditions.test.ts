import { describe, expect, it } from 'vitest'
import { anthropic } from '../wire/anthropic/index.ts'
import { openAiChat } from '../wire/openai-chat/index.ts'
import { type FoldConditions, foldBlocked, hasFold, placesCache } from './fold-conditions.ts'
import { type ContextPolicy, policyInForce } from './policy.ts'

function conditions(change: Partial<FoldConditions> = {}, policy: ContextPolicy = {}): FoldConditions {
  return {
    policy: policyInForce(policy),
    ceiling: { type: 'ceiling', ceiling: 1000, source: 'policy' },
    run: 'iterative',
    remote: null,
    contextTool: 'context',
    ...change,
  }
}

describe('what may be folded', () => {
  it('is a run of rounds whose history the app holds', () => {
    expect(foldBlocked(conditions())).toBeNull()
    expect(foldBlocked(conditions({ remote: { reported: 10 } }))).toBe('remote_history')
    expect(foldBlocked(conditions({ remote: { reported: null } }))).toBe('remote_history')
  })

  it('[R54] is no bounded run', () => {
    expect(foldBlocked(conditions({ run: 'bounded' }))).toBe('bounded_run')
  })

  it('[R57] needs the context tool where the model alone reads back, and only there', () => {
    const without = { contextTool: null }
    expect(foldBlocked(conditions(without, { recovery: 'model' }))).toBe('no_context_tool')
    expect(foldBlocked(conditions({}, { recovery: 'model' }))).toBeNull()
    for (const recovery of ['auto', 'user'] as const)
      expect(foldBlocked(conditions(without, { recovery }))).toBeNull()
  })

  it('[R271] has a fold only under a ceiling', () => {
    expect(hasFold(conditions())).toBe(true)
    expect(hasFold(conditions({ run: 'bounded' }))).toBe(false)
    expect(hasFold(conditions({ ceiling: { type: 'ceiling', ceiling: null, source: 'none' } }))).toBe(false)
  })
})

describe("placing the provider's cache", () => {
  const policy = policyInForce({ promptCaching: true })

  it('[R253, R386] takes a policy that wants it, a format that can mark and a provider that takes marks', () => {
    expect(placesCache({ policy, wire: anthropic })).toBe(true)
    expect(placesCache({ policy, wire: anthropic, takesNoMarks: false })).toBe(true)
    expect(placesCache({ policy, wire: anthropic, takesNoMarks: true })).toBe(false)
    expect(placesCache({ policy, wire: openAiChat })).toBe(false)
    expect(placesCache({ policy: policyInForce({}), wire: anthropic })).toBe(false)
    expect(placesCache({ policy: policyInForce({ promptCaching: false }), wire: anthropic })).toBe(false)
  })
})
