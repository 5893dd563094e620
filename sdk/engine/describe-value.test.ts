import { describe, expect, it } from 'vitest'
import { describeValue } from './describe-value.ts'

describe('describeValue', () => {
  it.each([
    ['4000', '"4000"'],
    [1024.5, '1024.5'],
    [Number.NaN, 'NaN'],
    [true, 'true'],
    [null, 'null'],
    [undefined, 'undefined'],
    [[1], 'an array'],
    [{ secret: 1 }, 'an object'],
    [10n, 'a bigint'],
    [() => 1, 'a function'],
    [Symbol('x'), 'a symbol'],
  ])('names %o', (value, name) => {
    expect(describeValue(value)).toBe(name)
  })

  it('shows a short string and only the length of a long one', () => {
    expect(describeValue('x'.repeat(32))).toContain('xxx')
    expect(describeValue('x'.repeat(33))).toBe('a string of 33 characters')
  })
})
