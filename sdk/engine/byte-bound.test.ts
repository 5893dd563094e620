import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerWithBytes, answerWithEstimates, estimateTokens, utf8Bytes } from './byte-bound.ts'

const encoder = new TextEncoder()

describe('utf8Bytes', () => {
  it.each([
    ['nothing', '', 0],
    ['the last character of one byte', '\x7f', 1],
    ['the first and last of two', '\x80\u07ff', 4],
    ['the first of three, and those around the surrogates', '\u0800\ud7ff\ue000\uffff', 12],
    ['the first and last pair of surrogates', '\ud800\udc00\udbff\udfff', 8],
    ['surrogates without a partner, each sent as U+FFFD', 'a\ud83d \udc00\ud83d', 11],
    ['a pair behind a high surrogate', '\ud83d\ud83d\ude00', 7],
    ['a high surrogate before the unit after the low ones', '\ud83d\ue000', 6],
  ])('counts %s', (_what, text, bytes) => {
    expect(utf8Bytes(text)).toBe(bytes)
  })

  it('agrees with an encoder about any text (seed 17)', () => {
    const unit = fc.constantFrom(...'a\x7f\x80\u07ff\u0800\ud7ff\ud800\udbff\udc00\udfff\ue000'.split(''))
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        expect(utf8Bytes(text)).toBe(encoder.encode(text).length)
      }),
      { seed: 17 },
    )
  })
})

describe('the answers that need no tokenizer', () => {
  const wish = { type: 'needs-counts', texts: ['four', '', 'éé é'] } as const

  it('bound each text by its bytes, in the order asked', () => {
    expect(answerWithBytes(wish)).toEqual({ type: 'counts', tokens: [4, 0, 7] })
  })

  it('estimate seven tokens for ten bytes, rounded up', () => {
    expect(estimateTokens('x'.repeat(10))).toBe(7)
    expect(estimateTokens('é')).toBe(2)
    expect(answerWithEstimates(wish)).toEqual({ type: 'counts', tokens: [3, 0, 5] })
  })
})
