import { describe, expect, it } from 'vitest'
import { policyInForce, resumePolicy, validatePolicy, validateStoredPolicy } from './policy.ts'

function accepted(policy: unknown) {
  expect(validatePolicy(policy)).toEqual({ type: 'policy', policy })
}

function refused(policy: unknown, path: string) {
  expect(validatePolicy(policy)).toMatchObject({ type: 'fault', path: `policy.${path}` })
}

describe('validatePolicy', () => {
  it('takes an empty policy, and every key at once', () => {
    accepted({})
    accepted({
      maxInputTokens: 100_000,
      contextFoldAt: 0.9,
      contextFoldTarget: 0.5,
      contextFoldTailMargin: 2,
      toolResultMaxChars: 4_000,
      promptCaching: false,
      run: 'bounded',
      recovery: 'user',
      notice: true,
      summaryBodies: true,
      compaction: { mode: 'summarize', model: 'claude-haiku-5-5', reasoning: { effort: 'low' } },
    })
  })

  it.each([1, 100_000, 'auto', 'none'])('[R1] takes a ceiling of %j', (maxInputTokens) => {
    accepted({ maxInputTokens })
  })

  it.each([0, -1, true, false])('[R7] refuses a ceiling of %j', (maxInputTokens) => {
    refused({ maxInputTokens }, 'maxInputTokens')
  })

  it.each([1.5, 'AUTO', 'None', '100000', '', null, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, [], {}])(
    '[R1, R238] refuses a ceiling of %o',
    (maxInputTokens) => {
      refused({ maxInputTokens }, 'maxInputTokens')
    },
  )

  it.each([1_024, 4_000, 20_000])('[R235] takes a body bound of %d', (toolResultMaxChars) => {
    accepted({ toolResultMaxChars })
  })

  it.each([1_023, 0, -4_000, 1_024.5, '4000', null, true])('[R235] refuses a body bound of %j', (bound) => {
    refused({ toolResultMaxChars: bound }, 'toolResultMaxChars')
  })

  it.each(['contextFoldAt', 'contextFoldTarget'])(
    '[R236] refuses a %s outside (0, 1] or of another type',
    (key) => {
      for (const value of [0, -0.5, 1.01, Number.NaN, Number.POSITIVE_INFINITY, true, null, '0.7'])
        refused({ [key]: value }, key)
    },
  )

  it('[R236] holds the pair apart, an absent side at its default', () => {
    accepted({ contextFoldAt: 1 })
    accepted({ contextFoldAt: 0.7 })
    refused({ contextFoldAt: 0.6 }, 'contextFoldAt')
    accepted({ contextFoldTarget: 0.79 })
    refused({ contextFoldTarget: 0.8 }, 'contextFoldTarget')
    accepted({ contextFoldAt: 0.9, contextFoldTarget: 0.5 })
    refused({ contextFoldAt: 1, contextFoldTarget: 1 }, 'contextFoldTarget')
    refused({ contextFoldAt: 0.5, contextFoldTarget: 0.9 }, 'contextFoldTarget')
  })

  it('[R236] says which side of a pair is a default', () => {
    expect(validatePolicy({ contextFoldAt: 0.6 })).toEqual({
      type: 'fault',
      path: 'policy.contextFoldAt',
      expected: 'over contextFoldTarget, which is 0.6 by default',
      actual: '0.6',
    })
    expect(validatePolicy({ contextFoldTarget: 0.8 })).toMatchObject({
      expected: 'below contextFoldAt, which is 0.8 by default',
    })
    expect(validatePolicy({ contextFoldAt: 0.5, contextFoldTarget: 0.5 })).toMatchObject({
      expected: 'below contextFoldAt, which is 0.5',
    })
  })

  it('[R237] takes prompt caching on, off or absent', () => {
    accepted({ promptCaching: true })
    accepted({ promptCaching: false })
    for (const promptCaching of ['true', 'yes', 1, 0, null]) refused({ promptCaching }, 'promptCaching')
  })

  it.each([0, 1, 12])('[R249] takes a tail margin of %d', (contextFoldTailMargin) => {
    accepted({ contextFoldTailMargin })
  })

  it.each([-1, 0.5, '1', true, null])('[R249] refuses a tail margin of %j', (contextFoldTailMargin) => {
    refused({ contextFoldTailMargin }, 'contextFoldTailMargin')
  })

  it('[R238] refuses an explicit null under every key', () => {
    const unset = ['maxInputTokens', 'toolResultMaxChars', 'promptCaching']
    for (const key of [...unset, ...Object.keys(policyInForce({}))]) refused({ [key]: null }, key)
  })

  it.each([
    [{ run: 'Iterative' }, 'run'],
    [{ run: 1 }, 'run'],
    [{ recovery: 'both' }, 'recovery'],
    [{ notice: 'true' }, 'notice'],
    [{ summaryBodies: 1 }, 'summaryBodies'],
    [{ compaction: 'off' }, 'compaction'],
    [{ compaction: [] }, 'compaction'],
    [{ compaction: {} }, 'compaction.mode'],
    [{ compaction: { mode: 'toString' } }, 'compaction.mode'],
    [{ compaction: { mode: 'summarize', model: ' ' } }, 'compaction.model'],
    [{ compaction: { mode: 'summarize', model: 5 } }, 'compaction.model'],
    [{ compaction: { mode: 'summarize', timeoutMs: 5 } }, 'compaction.timeoutMs'],
    [{ compaction: { mode: 'delegate', timeoutMs: 0 } }, 'compaction.timeoutMs'],
    [{ compaction: { mode: 'delegate', timeoutMs: null } }, 'compaction.timeoutMs'],
    [{ compaction: { mode: 'delegate', timeoutMs: 2 ** 31 } }, 'compaction.timeoutMs'],
    [{ compaction: { mode: 'off', model: 'x' } }, 'compaction.model'],
  ])('refuses %j', (policy, path) => {
    refused(policy, path)
  })

  it.each([
    { compaction: { mode: 'off' } },
    { compaction: { mode: 'delegate' } },
    { compaction: { mode: 'delegate', timeoutMs: 30_000 } },
    { compaction: { mode: 'summarize' } },
    { recovery: 'model' },
  ])('takes %j', (policy) => {
    accepted(policy)
  })

  it.each([
    [{ maxInputTokens: 0 }, 'a positive integer, "auto" or "none"'],
    [{ contextFoldAt: 2 }, 'a number over 0 and at most 1'],
    [{ contextFoldTarget: 2 }, 'a number over 0 and at most 1'],
    [{ contextFoldTailMargin: -1 }, 'an integer of at least 0'],
    [{ toolResultMaxChars: 5 }, 'an integer of at least 1024'],
    [{ promptCaching: 1 }, 'true or false'],
    [{ run: 'x' }, '"iterative" or "bounded"'],
    [{ recovery: 'x' }, '"auto" or "model" or "user"'],
    [{ notice: 1 }, 'true or false'],
    [{ summaryBodies: 1 }, 'true or false'],
    [{ compaction: 'off' }, 'an object with a mode'],
    [{ compaction: { mode: 'x' } }, '"summarize" or "delegate" or "off"'],
    [{ compaction: { mode: 'summarize', model: '' } }, 'the name of a model'],
    [
      { compaction: { mode: 'delegate', timeoutMs: 0 } },
      'a positive integer of milliseconds, at most 2147483647',
    ],
  ])('says what it expected in place of %j', (policy, expected) => {
    expect(validatePolicy(policy)).toMatchObject({ type: 'fault', expected })
  })

  it('refuses an unknown key and suggests the known one', () => {
    expect(validatePolicy({ max_input_tokens: 5 })).toEqual({
      type: 'fault',
      path: 'policy.max_input_tokens',
      expected: 'a known key, such as maxInputTokens',
      actual: 'unknown',
    })
    expect(validatePolicy({ compaction: { mode: 'delegate', timeoutMS: 5 } })).toMatchObject({
      path: 'policy.compaction.timeoutMS',
      expected: 'a known key, such as timeoutMs',
    })
    expect(validatePolicy({ colour: 5 })).toMatchObject({
      expected: expect.stringContaining('maxInputTokens, '),
    })
    refused({ constructor: 1 }, 'constructor')
    refused({ ['x'.repeat(5_000)]: 1 }, 'x'.repeat(64))
  })

  it.each([null, undefined, 'auto', 100_000, []])('refuses %j in place of a policy', (policy) => {
    expect(validatePolicy(policy)).toMatchObject({ type: 'fault', path: 'policy', expected: 'an object' })
  })

  it('leaves out keys that hold undefined and keeps nothing of the value it was given', () => {
    const given = {
      maxInputTokens: undefined,
      notice: true,
      compaction: { mode: 'summarize', model: undefined as string | undefined },
    }
    const validation = validatePolicy(given)
    given.notice = false
    given.compaction.model = 'x'
    expect(validation).toStrictEqual({
      type: 'policy',
      policy: { notice: true, compaction: { mode: 'summarize' } },
    })
  })
})

describe('policyInForce', () => {
  it('[R94] fills in the defaults and keeps what was set', () => {
    expect(policyInForce({})).toEqual({
      contextFoldAt: 0.8,
      contextFoldTarget: 0.6,
      contextFoldTailMargin: 0,
      run: 'iterative',
      recovery: 'auto',
      notice: false,
      summaryBodies: false,
      compaction: { mode: 'summarize' },
    })
    expect(policyInForce({ contextFoldAt: 0.9, maxInputTokens: 'none', run: 'bounded' })).toMatchObject({
      contextFoldAt: 0.9,
      contextFoldTarget: 0.6,
      maxInputTokens: 'none',
      run: 'bounded',
    })
  })
})

describe('validateStoredPolicy', () => {
  it('[R243] reads a missing or null setting as unset', () => {
    const stored = {
      toolResultMaxChars: 4_000,
      contextFoldAt: null,
      contextFoldTarget: null,
      promptCaching: null,
    }
    expect(validateStoredPolicy(stored)).toStrictEqual({
      type: 'policy',
      policy: { toolResultMaxChars: 4_000 },
    })
    expect(validateStoredPolicy({})).toStrictEqual({ type: 'policy', policy: {} })
  })

  it('[R243] refuses a malformed stored setting', () => {
    for (const stored of [
      { toolResultMaxChars: 1_023 },
      { contextFoldAt: '0.9' },
      { promptCaching: 'true' },
      null,
    ])
      expect(validateStoredPolicy(stored)).toMatchObject({ type: 'fault' })
  })
})

describe('resumePolicy', () => {
  const stored = { toolResultMaxChars: 4_000, contextFoldAt: 0.9, maxInputTokens: 50_000 } as const

  it('[R244] keeps the stored policy where none is given', () => {
    expect(resumePolicy(stored, undefined)).toEqual(stored)
  })

  it('[R20, R244, R245] takes a given policy whole, its unset keys too', () => {
    expect(resumePolicy(stored, { contextFoldTarget: 0.5 })).toStrictEqual({ contextFoldTarget: 0.5 })
    expect(policyInForce(resumePolicy(stored, {}))).toEqual(policyInForce({}))
  })

  it('[R245, R251] turns prompt caching off only by an explicit false', () => {
    expect(resumePolicy({ promptCaching: true }, {})).toEqual({ promptCaching: true })
    expect(resumePolicy({ promptCaching: true }, { promptCaching: false })).toEqual({ promptCaching: false })
    expect(resumePolicy({ promptCaching: false }, { promptCaching: true })).toEqual({ promptCaching: true })
    expect(resumePolicy({}, {})).toStrictEqual({})
  })
})
