import { describe, expect, it } from 'vitest'
import { readSlice } from './read-slice.ts'
import { clipText, codePoints, sliceCodePoints } from './text.ts'

describe('text by code points', () => {
  it('counts a pair of surrogates once and a lone one as one', () => {
    expect(codePoints('')).toBe(0)
    expect(codePoints('a😀b')).toBe(3)
    expect(codePoints('\ud83d')).toBe(1)
    expect(codePoints('\ude00\ud83d')).toBe(2)
    expect(codePoints('😀'.repeat(5000))).toBe(5000)
  })

  it.each([
    ['the first pair there is', '\ud800\udc00', 1],
    ['the last pair there is', '\udbff\udfff', 1],
    ['a low surrogate behind a letter', 'a\udc00', 2],
    ['a low surrogate behind the unit before the high ones', '\ud7ff\udc00', 2],
    ['a low surrogate behind another', '\udc00\udc00', 2],
    ['a low surrogate behind the unit after the surrogates', '\ue000\udc00', 2],
    ['a high surrogate before a letter', '\ud83da', 2],
    ['a high surrogate before another', '\ud83d\udbff', 2],
    ['a high surrogate before the unit after the low ones', '\ud83d\ue000', 2],
  ])('counts %s', (_what, text, count) => {
    expect(codePoints(text)).toBe(count)
    expect(codePoints(text)).toBe([...text].length)
    expect(sliceCodePoints(text, 1, 2)).toBe([...text][1] ?? '')
  })

  it('slices without splitting a pair', () => {
    expect(sliceCodePoints('😀😁😂', 1, 2)).toBe('😁')
    expect(sliceCodePoints('abc', 2, 99)).toBe('c')
    expect(sliceCodePoints('abc', 5, 9)).toBe('')
    expect(sliceCodePoints('a😀c', 1, Number.POSITIVE_INFINITY)).toBe('😀c')
  })

  it.each([
    ['before the first pair', 0, 3, 'abc'],
    ['up to the first pair', 1, 4, 'bcd'],
    ['into the pairs', 3, 6, 'd😀e'],
    ['from the first pair on', 4, 5, '😀'],
    ['between pairs', 5, 7, 'e😁'],
    ['to the end', 7, 99, 'f'],
    ['nothing', 6, 6, ''],
    ['nothing, backwards', 6, 2, ''],
  ])('slices %s', (_what, start, end, part) => {
    expect(sliceCodePoints('abcd😀e😁f', start, end)).toBe(part)
  })

  it('clips to a length that includes the ellipsis', () => {
    expect(clipText('abcd', 4)).toBe('abcd')
    expect(clipText('abcde', 4)).toBe('abc…')
    expect(clipText('😀'.repeat(4), 4)).toBe('😀'.repeat(4))
  })
})

describe('readSlice', () => {
  const text = `${'x'.repeat(20_000)}😀end`

  it('[R209] returns the characters asked for, the total and the next offset', () => {
    expect(readSlice('hello', { offset: 1, limit: 3 })).toEqual({ text: 'ell', total: 5, nextOffset: 4 })
    expect(readSlice('hello', { offset: 1, limit: 4 })).toEqual({ text: 'ello', total: 5, nextOffset: null })
  })

  it('[R210] returns 16,000 characters at the most', () => {
    const slice = readSlice(text, { offset: 0, limit: 50_000 })
    expect(slice.text).toHaveLength(16_000)
    expect(slice.nextOffset).toBe(16_000)
    expect(readSlice(text, { offset: 20_000, limit: 1 })).toEqual({
      text: '😀',
      total: 20_004,
      nextOffset: 20_001,
    })
  })

  it('answers an offset past the end with an empty text', () => {
    expect(readSlice('hello', { offset: 5, limit: 3 })).toEqual({ text: '', total: 5, nextOffset: null })
    expect(readSlice('hello', { offset: 99, limit: 3 })).toEqual({ text: '', total: 5, nextOffset: null })
  })
})
