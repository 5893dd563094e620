import { describe, expect, it } from 'vitest'
import { readableText } from './readable-text.ts'

describe('readableText', () => {
  it('[R209] reads a mapping as one line per value, in its own key order', () => {
    const output = {
      success: true,
      content: 'c'.repeat(5_000),
      items: Array.from({ length: 2_000 }, (_, item) => item),
      meta: { b: 1, a: { d: 4, c: 3 } },
      error: 'e'.repeat(5_000),
    }
    const text = readableText(JSON.stringify(output, null, 2))
    expect(text).toHaveLength(18_962)
    expect(text.slice(9, 9 + 4)).toBe('true')
    expect(text.slice(23, 23 + 5_000)).toBe(output.content)
    expect(text.slice(5_031, 5_031 + 8_891)).toBe(JSON.stringify(output.items))
    expect(text.slice(13_929, 13_929 + 25)).toBe('{"a":{"c":3,"d":4},"b":1}')
    expect(text.slice(13_962)).toBe(output.error)
  })

  it.each([
    ['text', 'founded 1861'],
    ['an empty text', ''],
    ['a list', '[1, 2, 3]'],
    ['a number', '7'],
    ['an object that is not closed', '{"a":1'],
    ['two objects', '{"a":1}{"b":2}'],
    ['an object without anything in it', ' {} '],
  ])('leaves %s as it is', (_what, content) => {
    expect(readableText(content)).toBe(content)
  })

  it('takes text values as they are and writes all others as JSON', () => {
    expect(readableText('{"a":"x: \\"y\\"\\nz","b":null,"c":"","d":"1"}')).toBe(
      'a: x: "y"\nz\nb: null\nc: \nd: 1',
    )
  })

  it('does not round a number that is longer than a number can hold', () => {
    const long = '{"id":12345678901234567890,"name":"x"}'
    expect(readableText(long)).toBe(long)
    expect(readableText('{"id":-9007199254740993}')).toBe('{"id":-9007199254740993}')
    expect(readableText('{"id":"12345678901234567890"}')).toBe('id: 12345678901234567890')
    expect(readableText('{"id":9007199254740991}')).toBe('id: 9007199254740991')
  })
})
