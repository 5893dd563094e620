import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { loadRanks } from './load-ranks.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import type { PackedRanks } from './ranks.ts'
import { serveCounts } from './worker-host.ts'

const build = vi.hoisted(() => vi.fn(() => Promise.reject(new Error('not now'))))

vi.mock('./wasm-counter.ts', () => ({ createWasmCounter: build }))

let ranks: PackedRanks

beforeAll(async () => {
  ranks = await loadRanks()
})

beforeEach(() => {
  build.mockClear()
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

function serve() {
  const said: FromWorker[] = []
  const listeners: ((event: MessageEvent<ToWorker>) => void)[] = []
  serveCounts({
    postMessage: (message) => said.push(message),
    addEventListener: (_, listener) => listeners.push(listener),
  })
  const tell = (data: ToWorker): void => {
    for (const listener of listeners) listener(new MessageEvent('message', { data }))
  }
  return { said, tell }
}

it('builds WASM for bulk once, when nothing was asked for a while', async () => {
  const { said, tell } = serve()
  tell({ type: 'ranks', ranks })
  tell({ type: 'wasm', wasm: '', use: 'bulk' })
  for (let job = 1; job <= 5; job++) {
    await vi.advanceTimersByTimeAsync(200)
    tell({ type: 'count', job, texts: ['hello world'], open: false })
  }
  expect(build).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(250)
  expect(build).toHaveBeenCalledOnce()
  expect(said.at(-1)).toEqual({ type: 'wasm-failed', reason: 'Error: not now' })
  tell({ type: 'count', job: 6, texts: ['hello world'], open: false })
  await vi.advanceTimersByTimeAsync(1000)
  expect(build).toHaveBeenCalledOnce()
})

it('builds WASM for all texts at once', () => {
  const { tell } = serve()
  tell({ type: 'ranks', ranks })
  tell({ type: 'wasm', wasm: '', use: 'all' })
  expect(build).toHaveBeenCalledOnce()
})

it('forgets the open text of a job that is dropped', () => {
  const { said, tell } = serve()
  tell({ type: 'ranks', ranks })
  tell({ type: 'count', job: 1, texts: ['hello world', 'aaaa'], open: true })
  expect(said.at(-1)).toEqual({ type: 'counted', job: 1, tokens: [2], held: 4 })
  tell({ type: 'drop', job: 1 })
  tell({ type: 'count', job: 1, texts: ['b'], open: false })
  expect(said.at(-1)).toEqual({ type: 'counted', job: 1, tokens: [1], held: 0 })
})

it('says that it crashed where it was asked too early, and names no text', () => {
  const { said, tell } = serve()
  tell({ type: 'count', job: 1, texts: ['secret'], open: false })
  expect(said.at(-1)).toEqual({ type: 'crashed', reason: expect.stringContaining('ranks') })
  expect(JSON.stringify(said)).not.toContain('secret')
})
