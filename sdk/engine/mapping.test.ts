import { describe, expect, it } from 'vitest'
import { parseMapping } from './mapping.ts'

describe('parseMapping', () => {
  it('reads an object, whatever space stands around it', () => {
    expect(parseMapping('\n {"a": 1, "b": [2]}\t')).toEqual({ a: 1, b: [2] })
  })

  it.each([
    '',
    'text',
    '[{"a":1}]',
    '7',
    'null',
    '{}',
    '{"a":1',
    '{"id":"12345678901234567890',
    '{"a":1} and more',
  ])('reads none in %j', (text) => {
    expect(parseMapping(text)).toBeNull()
  })

  it.each([
    ['an integer', '{"id":12345678901234567890}'],
    ['a negative one', '{"a":{"id":[-9007199254740993]}}'],
    ['one of sixteen digits', '{"id":9007199254740993}'],
    ['a fraction', '{"at":0.12345678901234567}'],
    ['one with an exponent', '{"of":1234567890123456E-3}'],
    ['one behind a string', '{"name":"x","id":12345678901234567890}'],
    ['one behind a quotation mark in a string', '{"name":"a\\"b","id":12345678901234567890}'],
    ['one behind a backslash that ends a string', '{"name":"a\\\\","id":12345678901234567890}'],
  ])('reads none that holds a number which would come back as another: %s', (_what, text) => {
    expect(parseMapping(text)).toBeNull()
  })

  it.each([
    ['the largest safe integer', '{"id":9007199254740991}'],
    ['the longest fraction', '{"at":0.30000000000000004}'],
    ['digits in a string', '{"id":"12345678901234567890"}'],
    ['digits in a key', '{"12345678901234567890":1}'],
    ['digits behind a quotation mark in a string', '{"id":"a\\" 12345678901234567890"}'],
    ['digits behind a backslash in a string', '{"id":"\\\\ 12345678901234567890","a":1}'],
    ['short numbers beside digits in a string', '{"id":"1234567890123456","a":1.0,"b":2.0000000000000}'],
    ['a number that ends in zeros', '{"a":2.00000000000000}'],
  ])('reads %s', (_what, text) => {
    expect(parseMapping(text)).toEqual(JSON.parse(text))
  })

  it('takes a key that stands there twice for text, for one of its values would be lost', () => {
    expect(parseMapping('{"a":1,"b":{"a":":","c":"x:y"}}')).toEqual({ a: 1, b: { a: ':', c: 'x:y' } })
    expect(parseMapping('{"a":"first","a":"second"}')).toBeNull()
    expect(parseMapping('{"a":[{"b":1,"b":2}]}')).toBeNull()
    expect(parseMapping('{ "a" : "x" , "\\u0062" : 1 }')).toEqual({ a: 'x', b: 1 })
  })

  it('takes an object of more than a hundred values for a table, which is one text', () => {
    const table = (values: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: values }, (_, key) => [`k${key}`, key])))
    expect(parseMapping(table(100))).toHaveProperty('k99', 99)
    expect(parseMapping(table(101))).toBeNull()
  })
})
