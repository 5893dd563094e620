import { describe, expect, it } from 'vitest'
import { sameJson, sortedJson } from './json.ts'

describe('sameJson', () => {
  it('compares by JSON text and not by key order', () => {
    expect(sameJson({ a: 1, b: [1, { c: 'x' }] }, { b: [1, { c: 'x' }], a: 1 })).toBe(true)
    expect(sameJson({ a: 1 }, { a: 2 })).toBe(false)
    expect(sameJson([1, 2], [1, 2, 3])).toBe(false)
    expect(sameJson({ a: 1 }, { a: 1, b: null })).toBe(false)
  })

  it('takes a key that holds undefined for absent on either side', () => {
    expect(sameJson({ a: 1, b: undefined }, { a: 1 })).toBe(true)
    expect(sameJson({ a: 1 }, { a: 1, b: undefined })).toBe(true)
    expect(sameJson({ a: undefined }, { b: 1 })).toBe(false)
  })

  it('does not take an array for an object', () => {
    expect(sameJson([], {})).toBe(false)
    expect(sameJson({}, [])).toBe(false)
    expect(sameJson(null, {})).toBe(false)
  })
})

describe('sortedJson', () => {
  it('sorts keys at every depth and writes no spaces', () => {
    expect(sortedJson({ b: 1, a: { d: [3, null], c: '"' } })).toBe('{"a":{"c":"\\"","d":[3,null]},"b":1}')
  })
})
