import { describe, expect, it } from 'vitest'
import { JSON_LABEL } from './projection.ts'
import {
  mappingBodies,
  mappingText,
  readableText,
  replaceMappingBodies,
  replaceTextBodies,
  textBodies,
} from './readable-text.ts'

/** Can be read, but is nested too deep to be written again. */
const tooDeep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`

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

  it('leaves an object as it is that cannot be written again', () => {
    expect(readableText(tooDeep)).toBe(tooDeep)
  })
})

describe('textBodies', () => {
  it('[R128, R165] takes text that is no mapping for one body', () => {
    for (const content of ['founded 1861', '', '[1,2]', tooDeep])
      expect(textBodies(content)).toEqual([{ source: content, base: 0, label: '' }])
    expect(textBodies('second block', 40)).toEqual([{ source: 'second block', base: 40, label: '' }])
  })

  it('[R129, R175] takes each value of a mapping for a body, at its place in the readable text', () => {
    const content = JSON.stringify({ title: 'é😀', '😀': [{ b: 1, a: 2 }], last: 'end' })
    const bodies = textBodies(content)
    expect(bodies).toEqual([
      { source: 'é😀', base: 7, label: '' },
      { source: '[{"a":2,"b":1}]', base: 13, label: JSON_LABEL },
      { source: 'end', base: 35, label: '' },
    ])
    const readable = [...readableText(content)]
    for (const { source, base } of bodies)
      expect(readable.slice(base, base + [...source].length).join('')).toBe(source)
    expect(textBodies(content, 100).map(({ base }) => base)).toEqual([107, 113, 135])
  })

  it('[R132, R168] leaves out what says how a call ended', () => {
    const content = JSON.stringify({ success: false, content: 'c', error: 'e', rest: 'r' })
    expect(textBodies(content)).toEqual([
      { source: 'c', base: 24, label: '' },
      { source: 'r', base: 41, label: '' },
    ])
  })
})

describe('replaceTextBodies', () => {
  const content = '{ "success": true, "b": "x", "a": [1, 2], "error": "e", "c": "y" }'

  it('[R129, R166] replaces bodies by their ordinal, and keeps every key in its order', () => {
    const replaced = replaceTextBodies(
      content,
      new Map([
        [1, 'short'],
        [2, ''],
      ]),
    )
    expect(replaced).toBe('{"success":true,"b":"x","a":"short","error":"e","c":""}')
  })

  it('gives back the very text where nothing is replaced', () => {
    expect(replaceTextBodies(content, new Map())).toBe(content)
  })

  it('replaces the one body of a text that is no mapping', () => {
    for (const text of ['founded 1861', tooDeep]) {
      expect(replaceTextBodies(text, new Map([[0, 'short']]))).toBe('short')
      expect(replaceTextBodies(text, new Map([[1, 'other']]))).toBe(text)
    }
  })
})

describe('a result that comes as an object', () => {
  const mapping = { success: true, b: 'x', a: { d: 1, c: [2] }, error: 'e', c: 'ÿ😀' }

  it('[R209] reads as its JSON does', () => {
    expect(mappingText(mapping)).toBe(readableText(JSON.stringify(mapping)))
    expect(mappingText({})).toBe('')
  })

  it('[R129, R165] has the bodies that its JSON has', () => {
    expect(mappingBodies(mapping)).toEqual(textBodies(JSON.stringify(mapping)))
    expect(mappingBodies({})).toEqual([])
  })

  it('[R132, R166] keeps every key in its order, and the values that are not replaced', () => {
    const replaced = replaceMappingBodies(mapping, new Map([[1, 'short']]))
    expect(JSON.stringify(replaced)).toBe('{"success":true,"b":"x","a":"short","error":"e","c":"ÿ😀"}')
    expect(replaced.success).toBe(true)
  })

  it('has no bodies where it is nested too deep to be written again', () => {
    const deep = JSON.parse(tooDeep)
    expect(mappingBodies(deep)).toEqual([])
    expect(mappingText(deep)).toBe('')
  })
})
