import { describe, expect, it } from 'vitest'
import { nearestKey } from './nearest-key.ts'

const known = ['maxInputTokens', 'contextFoldAt', 'contextFoldTarget', 'run', 'notice']

describe('nearestKey', () => {
  it.each([
    ['maxInputToken', 'maxInputTokens'],
    ['max_input_tokens', 'maxInputTokens'],
    ['MAXINPUTTOKENS', 'maxInputTokens'],
    ['maxTokens', 'maxInputTokens'],
    ['contextFoldTraget', 'contextFoldTarget'],
    ['context-fold-at', 'contextFoldAt'],
    ['runs', 'run'],
  ])('takes %s for %s', (written, meant) => {
    expect(nearestKey(written, known)).toBe(meant)
  })

  it.each(['x', '', 'temperature', 'm'.repeat(1_000_000)])(
    'suggests nothing for a word of its own',
    (written) => {
      expect(nearestKey(written, known)).toBeUndefined()
    },
  )
})
