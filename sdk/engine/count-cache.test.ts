import { describe, expect, it } from 'vitest'
import { CountCache } from './count-cache.ts'

/** A text of `units` UTF-16 units that begins with its name. */
const text = (name: string, units: number) => name.padEnd(units, '.')

describe('CountCache', () => {
  it('knows what it was told, and nothing else', () => {
    const cache = new CountCache()
    cache.set('hello', 1)
    cache.set('', 0)
    cache.set(text('long', 100), 7)
    expect(cache.get('hello')).toBe(1)
    expect(cache.get('')).toBe(0)
    expect(cache.get(text('long', 100))).toBe(7)
    expect(cache.get('hell')).toBeUndefined()
  })

  it('holds two halves of its units, and forgets the older one when both are full', () => {
    const cache = new CountCache({ units: 20 })
    for (const name of ['a', 'b', 'c', 'd']) cache.set(text(name, 5), 1)
    expect(cache.get(text('a', 5))).toBe(1)

    const fuller = new CountCache({ units: 20 })
    for (const name of ['a', 'b', 'c', 'd']) fuller.set(text(name, 5), 1)
    fuller.set('e', 1)
    expect(fuller.get(text('a', 5))).toBeUndefined()
    expect(fuller.get(text('b', 5))).toBeUndefined()
    expect(fuller.get(text('c', 5))).toBe(1)
    expect(fuller.get('e')).toBe(1)
  })

  it('keeps what is asked for again', () => {
    const cache = new CountCache({ units: 20 })
    cache.set(text('asked', 10), 3)
    for (const name of ['b', 'c', 'd', 'e']) {
      cache.set(text(name, 10), 1)
      expect(cache.get(text('asked', 10))).toBe(3)
    }
  })

  it('takes no more room for a text that it is told twice', () => {
    const cache = new CountCache({ units: 20 })
    for (const name of ['a', 'a', 'b', 'c', 'd']) cache.set(text(name, 5), 1)
    expect(cache.get(text('a', 5))).toBe(1)
  })
})
