import { describe, expect, it } from 'vitest'
import { sameJsonText, sortedJson } from './json.ts'

describe('sameJsonText', () => {
  it('compares values, their keys and the order of the keys', () => {
    expect(sameJsonText({ a: 1, b: [1, { c: 'x' }] }, { a: 1, b: [1, { c: 'x' }] })).toBe(true)
    expect(sameJsonText({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(false)
    expect(sameJsonText({ a: 1 }, { a: 2 })).toBe(false)
    expect(sameJsonText([1, 2], [1, 2, 3])).toBe(false)
    expect(sameJsonText([1, 2], [1, 3])).toBe(false)
    expect(sameJsonText([{ a: 1 }], [{ a: 1 }])).toBe(true)
    expect(sameJsonText([{ a: 1 }], [{ a: 2 }])).toBe(false)
    expect(sameJsonText({ a: 1 }, { a: 1, b: null })).toBe(false)
    expect(sameJsonText({ a: 1, b: null }, { a: 1 })).toBe(false)
    expect(sameJsonText({ a: 1, b: null }, { a: 1 })).toBe(false)
  })

  it('takes a key that holds undefined for absent on either side', () => {
    expect(sameJsonText({ a: 1, b: undefined }, { a: 1 })).toBe(true)
    expect(sameJsonText({ a: 1 }, { a: 1, b: undefined })).toBe(true)
    expect(sameJsonText({ a: undefined }, { b: 1 })).toBe(false)
    expect(sameJsonText({ a: undefined, b: 1, c: 2 }, { b: 1, c: 2 })).toBe(true)
    expect(sameJsonText({ a: undefined, b: 1, c: 2 }, { b: 1, c: 3 })).toBe(false)
    expect(sameJsonText({ a: undefined, b: 1, c: 2 }, { c: 2, b: 1 })).toBe(false)
  })

  it('does not take an array for an object', () => {
    expect(sameJsonText([], {})).toBe(false)
    expect(sameJsonText({}, [])).toBe(false)
    expect(sameJsonText(null, {})).toBe(false)
  })
})

describe('sortedJson', () => {
  it('sorts keys at every depth and writes no spaces', () => {
    expect(sortedJson({ b: 1, a: { d: [3, null], c: '"' } })).toBe('{"a":{"c":"\\"","d":[3,null]},"b":1}')
  })

  it('goes into lists, and writes nothing for a key that holds undefined', () => {
    expect(sortedJson([{ b: 1, a: 2 }])).toBe('[{"a":2,"b":1}]')
    expect(sortedJson({ a: undefined, b: 1 })).toBe('{"b":1}')
  })

  it('writes null where JSON has no value', () => {
    expect(sortedJson([undefined, 1])).toBe('[null,1]')
    expect(sortedJson(undefined)).toBe('null')
  })
})
