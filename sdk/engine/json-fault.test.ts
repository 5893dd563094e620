import { describe, expect, it } from 'vitest'
import { jsonFaultOf } from './json-fault.ts'

function nested(levels: number, innermost: unknown = 1): unknown {
  let value = innermost
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { inner: value }
  return value
}

function throwing(): never {
  throw new TypeError('words of the conversation')
}

const cycle: { name: string; list: unknown[] } = { name: 'x', list: [1] }
cycle.list.push(cycle)
const revoked = Proxy.revocable({}, {})
revoked.revoke()

describe('jsonFaultOf', () => {
  it.each<[string, unknown, readonly (string | number)[], string]>([
    ['a cycle', { a: 1, b: cycle }, ['b', 'list', 1], 'an object that holds itself'],
    ['a BigInt', { a: [0, { b: 1n }] }, ['a', 1, 'b'], 'a BigInt'],
    ['a toJSON that throws', [{ toJSON: throwing }], [0], 'an object whose toJSON throws'],
    ['a BigInt from a toJSON', { a: { toJSON: () => 5n } }, ['a'], 'a BigInt'],
    [
      'a toJSON that returns nothing',
      { toJSON: () => undefined },
      [],
      'an object whose toJSON returns nothing',
    ],
    [
      'a getter that throws',
      {
        a: {
          get b() {
            return throwing()
          },
        },
      },
      ['a', 'b'],
      'a property that throws when it is read',
    ],
    [
      'a proxy that throws',
      { a: new Proxy({}, { get: throwing }) },
      ['a'],
      'an object that throws when it is read',
    ],
    [
      'a proxy without keys',
      { a: new Proxy({}, { ownKeys: throwing }) },
      ['a'],
      'an object that throws when it is read',
    ],
    ['a revoked proxy', [revoked.proxy], [0], 'an object that throws when it is read'],
    ['a function', throwing, [], 'a function'],
    ['undefined', undefined, [], 'undefined'],
  ])('finds %s where it stands, as JSON.stringify does', (_, value, path, actual) => {
    let text: string | undefined
    try {
      text = JSON.stringify(value)
    } catch {}
    expect(text).toBeUndefined()
    expect(jsonFaultOf(value)).toEqual({ path, actual })
  })

  it('finds nesting that JSON.stringify has no stack for', () => {
    const value = { messages: ['x', nested(100_000)] }
    expect(() => JSON.stringify(value)).toThrow(RangeError)
    const fault = jsonFaultOf(value)
    expect(fault?.actual).toBe('nested too deeply')
    expect(fault?.path.slice(0, 3)).toEqual(['messages', 1, 'inner'])
  })

  it.each([
    ['text', 'x'],
    ['a function in a list or an object', [() => 1, { f: () => 1 }]],
    ['one object in two places', [cycle.name, { a: [1] }, { a: [1] }]],
    ['a date', new Date(0)],
    ['a few hundred levels', nested(900)],
  ])('finds nothing in what can be written: %s', (_, value) => {
    expect(JSON.stringify(value)).toBeTypeOf('string')
    expect(jsonFaultOf(value)).toBeNull()
  })

  it('takes an object that stands twice side by side for no cycle', () => {
    const shared = { list: [1, 2] }
    expect(jsonFaultOf({ first: shared, second: [shared, shared] })).toBeNull()
  })
})
