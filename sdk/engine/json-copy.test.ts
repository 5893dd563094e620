import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { copyPlainData } from './json-copy.ts'

const SEED = 20261201

const throughText = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('a copy of plain data', () => {
  it(`is what its JSON text stands for, keys in their order (seed ${SEED})`, () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const copy = copyPlainData(value)
        // JSON has no -0, and __proto__ is no key that can be assigned.
        const isPlain = !JSON.stringify(value).includes('"__proto__"') && !holdsNegativeZero(value)
        if (isPlain) expect(JSON.stringify(copy)).toBe(JSON.stringify(value))
        if (isPlain) expect(copy).toEqual(throughText(value))
        else expect(copy).toBeUndefined()
      }),
      { seed: SEED, numRuns: 500 },
    )
  })

  it('leaves out what is not sent', () => {
    expect(copyPlainData({ role: 'user', name: undefined, content: [{ a: undefined, b: 1 }] })).toEqual({
      role: 'user',
      content: [{ b: 1 }],
    })
  })

  it('shares nothing that can change', () => {
    const value = { content: [{ text: 'words' }] }
    const copy = copyPlainData(value)
    value.content[0] = { text: 'others' }
    value.content.push({ text: 'more' })
    expect(copy).toEqual({ content: [{ text: 'words' }] })
  })

  it.each([
    ['a date', new Date(0)],
    ['an object with a toJSON', { toJSON: () => 'x' }],
    ['a list with one', Object.assign([1], { toJSON: () => 'x' })],
    ['NaN', [Number.NaN]],
    ['an endless number', { a: Number.POSITIVE_INFINITY }],
    ['-0', [-0]],
    ['a hole', [undefined]],
    ['a function', { a: () => 1 }],
    ['a symbol', [Symbol('s')]],
    ['a BigInt', [1n]],
    ['a boxed text', [Object('text')]],
    ['an object of a class', new (class Message {})()],
    ['a map', { a: new Map() }],
    ['a key that sets the prototype', JSON.parse('{"__proto__":{"a":1}}')],
    ['nothing', undefined],
    ['what is nested very deeply', JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`)],
  ])('is not made of %s', (_, value) => {
    expect(copyPlainData(value)).toBeUndefined()
  })
})

function holdsNegativeZero(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(holdsNegativeZero)
  return Object.is(value, -0)
}
