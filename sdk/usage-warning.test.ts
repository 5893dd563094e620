import { describe, expect, it } from 'vitest'
import { usageWarning } from './usage-warning.ts'

const codeOf = (usage: Parameters<typeof usageWarning>[0]) => usageWarning(usage, 5000)?.code ?? null

describe('what is said of reported usage', () => {
  it.each([
    ['missing where there is none', null, 'usage_missing'],
    [
      'missing where its places are empty',
      { raw: { inputTokens: { total: null }, outputTokens: {} } },
      'usage_missing',
    ],
    ['unreadable where its figures are none', { raw: { prompt_tokens: 'many' } }, 'usage_unreadable'],
    ['unreadable without the input', { output: 9, raw: { completion_tokens: 9 } }, 'usage_unreadable'],
    [
      'unreadable where nobody can believe it',
      { input: 5e6, raw: { prompt_tokens: 5e6 } },
      'usage_unreadable',
    ],
    ['nothing where it can be learned from', { input: 5500, raw: { prompt_tokens: 5500 } }, null],
  ])('is %s', (_, usage, code) => {
    expect(codeOf(usage && { isTotal: false, ...usage })).toBe(code)
  })
})
