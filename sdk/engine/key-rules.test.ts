import { describe, expect, it } from 'vitest'
import { faultOfKeys, isPositiveInteger, presentKeys } from './key-rules.ts'

const rules = { size: { expected: 'a positive integer', accepts: isPositiveInteger } }

describe('faultOfKeys', () => {
  it('finds nothing where every key is known and accepted', () => {
    expect(faultOfKeys('options', {}, rules)).toBeUndefined()
    expect(faultOfKeys('options', { size: 1 }, rules)).toBeUndefined()
  })

  it('names the first key that holds something else', () => {
    expect(faultOfKeys('options', { size: 1.5, other: 1 }, rules)).toEqual({
      type: 'fault',
      path: 'options.size',
      expected: 'a positive integer',
      actual: '1.5',
    })
  })

  it('names an unknown key, cut where it is long, and the key that was meant', () => {
    expect(faultOfKeys('options', { Size_: 1 }, rules)).toMatchObject({
      path: 'options.Size_',
      expected: 'a known key, such as size',
      actual: 'unknown',
    })
    expect(faultOfKeys('options', { ['y'.repeat(900)]: 1 }, rules)).toMatchObject({
      path: `options.${'y'.repeat(64)}`,
      expected: 'one of size',
    })
    expect(faultOfKeys('options', { hasOwnProperty: 1 }, rules)).toMatchObject({ actual: 'unknown' })
  })
})

describe('isPositiveInteger', () => {
  it.each([1, 2 ** 53 - 1])('takes %d', (value) => {
    expect(isPositiveInteger(value)).toBe(true)
  })

  it.each([0, -1, 1.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, '1', true, null, 1n])(
    'does not take %o',
    (value) => {
      expect(isPositiveInteger(value)).toBe(false)
    },
  )
})

describe('presentKeys', () => {
  it('leaves out what JSON would, and keeps null', () => {
    expect(presentKeys({ a: undefined, b: null, c: 0 })).toStrictEqual({ b: null, c: 0 })
  })
})
