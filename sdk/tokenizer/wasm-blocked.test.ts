import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { loadTextCounter } from './load-text-counter.ts'
import { LocalWorker } from './reference-worker.ts'
import { createTokenizer } from './tokenizer.ts'
import { serveCounts } from './worker-host.ts'

// In a file of its own: once the binding has its instance, nothing is instantiated again.
beforeEach(() => {
  const blocked = () => Promise.reject(new WebAssembly.CompileError('blocked by the policy'))
  vi.spyOn(WebAssembly, 'instantiate').mockImplementation(blocked)
})

afterEach(() => vi.restoreAllMocks())

it.each([
  ['in a worker', { worker: () => new LocalWorker(serveCounts) }],
  ['on this thread', {}],
])('WASM that is blocked is given up %s, once', async (_, where) => {
  const tokenizer = createTokenizer({ engine: 'wasm', ...where })
  const heard: string[] = []
  tokenizer.onProgress(({ phase, engine }) => heard.push(`${phase} ${engine}`))
  tokenizer.onFallback(({ from, to, cause }) => heard.push(`${from} to ${to}: ${cause}`))
  expect(await tokenizer.count(['hello world'])).toEqual([2])
  expect(await tokenizer.count(['hello world'])).toEqual([2])
  expect(tokenizer.exact).toBe(true)
  expect(heard).toEqual([
    'ranks script',
    'ready script',
    'wasm wasm',
    expect.stringMatching(/^wasm to script: .*CompileError: blocked by the policy$/),
  ])
  await tokenizer.close()
})

it('a counter that must have WASM says what blocks it', async () => {
  await expect(loadTextCounter({ engine: 'wasm' })).rejects.toThrow('blocked by the policy')
  const counter = await loadTextCounter()
  expect(counter.count('hello world')).toBe(2)
  counter.dispose()
})
