import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readQuotedValue } from './quoted-value.ts'

describe('a value in a text', () => {
  it.each<[string, string, unknown]>([
    [
      'a dictionary',
      `{'a': 'x', 'b': "y's", 'c': None, 'd': True, 'e': False}`,
      { a: 'x', b: "y's", c: null, d: true, e: false },
    ],
    ['lists and numbers', `{'a': [1, -2.5, 1e3, []], 'b': {}}`, { a: [1, -2.5, 1000, []], b: {} }],
    ['keys that are numbers', `{1: 'x'}`, { 1: 'x' }],
    ['a comma at the end', `['a', ]`, ['a']],
    ['escapes', String.raw`['\\', '\'', '\n\t\r', '\x41\u0042', '\d']`, ['\\', "'", '\n\t\r', 'AB', 'd']],
    ['space around it', ` { 'a' : 'x' } `, { a: 'x' }],
    ["words of LiteLLM's after it", `{'a': 1}. Received Model Group=m`, { a: 1 }],
    ["other words of LiteLLM's after it", `{'a': 1}\nLiteLLM Retried: 2 times`, { a: 1 }],
  ])('is read: %s', (_what, text, value) => {
    expect(readQuotedValue(text)).toEqual(value)
  })

  it.each([
    ['nothing', ''],
    ['words', 'not a value'],
    ['words after it', `{'a': 1} is not a value`],
    ['a part of one', `{'a': 'x`],
    ['a part of a list', `['a'`],
    ['a key without a value', `{'a'}`],
    ['a list without commas', `['a' 'b']`],
    ['an escape that is none', String.raw`['\xzz']`],
    ['more depth than errors have', `${'['.repeat(90_000)}${']'.repeat(90_000)}`],
  ])('is none: %s', (_what, text) => {
    expect(readQuotedValue(text)).toBeUndefined()
  })

  it('is what JSON says it is (seed 14)', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value)
        expect(readQuotedValue(text)).toEqual(JSON.parse(text))
      }),
      { seed: 14, numRuns: 500 },
    )
  })

  it('is read of any text without failing (seed 15)', () => {
    const signs = fc.constantFrom('{', '}', '[', ']', ',', ':', "'", '"', '\\', 'x', '1', 'None', ' ')
    fc.assert(
      fc.property(fc.array(signs), (parts) => {
        expect(() => readQuotedValue(parts.join(''))).not.toThrow()
      }),
      { seed: 15, numRuns: 500 },
    )
  })
})
