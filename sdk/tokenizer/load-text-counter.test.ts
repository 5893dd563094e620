import { afterEach, describe, expect, it, vi } from 'vitest'
import { loadTextCounter } from './load-text-counter.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('loadTextCounter', () => {
  it.each(['auto', 'script', 'wasm'] as const)(
    'counts with engine %s, special text as ordinary text',
    async (engine) => {
      const counter = await loadTextCounter({ engine })
      expect(['hello world', '', '<|endoftext|>', 'a'.repeat(10_000)].map(counter.count)).toEqual([
        2, 0, 7, 1250,
      ])
      counter.dispose()
    },
  )

  it('has one counter for equal options, until each of its users has disposed of it', async () => {
    const [first, second] = await Promise.all([loadTextCounter(), loadTextCounter({ engine: 'auto' })])
    first.dispose()
    first.dispose()
    expect(() => first.count('a')).toThrow(expect.objectContaining({ code: 'tokenizer_unavailable' }))
    expect(second.count('a')).toBe(1)
    second.dispose()
  })

  it('names what cannot be counted', async () => {
    const counter = await loadTextCounter()
    const text = { toString: () => 'a' } as unknown as string
    expect(() => counter.count(text)).toThrow(expect.objectContaining({ code: 'invalid_argument' }))
    counter.dispose()
  })

  it('rejects where the ranks cannot be loaded, and tries again', async () => {
    let times = 0
    vi.stubGlobal('fetch', async () => {
      times += 1
      throw new TypeError('Failed to fetch')
    })
    for (const expected of [1, 2]) {
      await expect(loadTextCounter({ ranks: 'https://app.test/ranks.json' })).rejects.toMatchObject({
        code: 'tokenizer_unavailable',
        message: expect.stringContaining('Failed to fetch'),
      })
      expect(times).toBe(expected)
    }
  })
})
