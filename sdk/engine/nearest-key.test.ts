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

  it('takes the nearest of several, and the first of those that are equally near', () => {
    expect(nearestKey('rung', ['run', 'rung'])).toBe('rung')
    expect(nearestKey('rin', ['run', 'ran'])).toBe('run')
  })

  it('takes half of the letters for a slip, and more than half for another word', () => {
    expect(nearestKey('bold', ['bark', 'bolt', 'gold'])).toBe('bolt')
    expect(nearestKey('bank', ['book'])).toBe('book')
    expect(nearestKey('run', ['runner'])).toBe('runner')
    expect(nearestKey('ru', ['runner'])).toBeUndefined()
    expect(nearestKey('bark', ['boon'])).toBeUndefined()
    expect(nearestKey('ab', ['wxyz'])).toBeUndefined()
  })

  it.each(['x', '', 'temperature', 'm'.repeat(1_000_000)])(
    'suggests nothing for a word of its own',
    (written) => {
      expect(nearestKey(written, known)).toBeUndefined()
    },
  )
})
