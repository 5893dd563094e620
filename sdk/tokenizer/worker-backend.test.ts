import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { loadRanks } from './load-ranks.ts'
import type { PackedRanks } from './ranks.ts'
import { LocalWorker, scriptedWorker } from './reference-worker.ts'
import { createScriptCounter } from './script-counter.ts'
import type { TextCounter } from './text-counter.ts'
import { WorkerBackend } from './worker-backend.ts'
import { serveCounts } from './worker-host.ts'

const impatient = { ticks: 3, tickMs: 10 }

let ranks: PackedRanks
let script: TextCounter
const started: WorkerBackend[] = []

beforeAll(async () => {
  ranks = await loadRanks()
  script = createScriptCounter(ranks)
})

afterEach(() => {
  for (const backend of started.splice(0)) backend.close()
})

async function start(worker: LocalWorker): Promise<WorkerBackend> {
  const backend = await WorkerBackend.start(worker, ranks, impatient)
  started.push(backend)
  return backend
}

describe('counting in a worker', () => {
  it('counts texts of any length, each as a whole', async () => {
    const backend = await start(new LocalWorker(serveCounts))
    const texts = [
      '',
      'hello world',
      'one two, three. '.repeat(40_000),
      'a'.repeat(300_000),
      '\ud83d',
      '\ude00',
    ]
    expect(await backend.count(texts)).toEqual(texts.map((text) => script.count(text)))
  })

  it('counts nothing for no texts, and sends nothing', async () => {
    const worker = new LocalWorker(serveCounts)
    const backend = await start(worker)
    expect(await backend.count([])).toEqual([])
    expect(worker.received.map(({ type }) => type)).toEqual(['ranks'])
  })

  it('sends a small batch in one message and a long text in many, two at a time', async () => {
    const waiting: (() => void)[] = []
    const worker = scriptedWorker((port, { job, texts, open }) => {
      const tokens = (open ? texts.slice(0, -1) : texts).map(() => 1)
      waiting.push(() => port.postMessage({ type: 'counted', job, tokens, held: 0 }))
    })
    const backend = await start(worker)
    const counts = () => worker.received.filter(({ type }) => type === 'count').length

    const small = backend.count(Array.from({ length: 1000 }, () => 'short'))
    await sleep(5)
    expect(counts()).toBe(1)
    waiting.shift()?.()
    expect(await small).toHaveLength(1000)

    const long = backend.count(['x'.repeat(1_000_000)])
    for (let sent = 2; waiting.length > 0 || sent === 2; sent++) {
      await sleep(5)
      expect(waiting.length).toBeLessThanOrEqual(2)
      waiting.shift()?.()
      await sleep(5)
    }
    expect(await long).toEqual([1])
    expect(counts()).toBe(1 + 8)
  })

  it('lets jobs take turns', async () => {
    const backend = await start(new LocalWorker(serveCounts))
    const order: string[] = []
    const long = backend.count(['word '.repeat(400_000)]).then(() => order.push('long'))
    const short = backend.count(['word']).then(() => order.push('short'))
    await Promise.all([long, short])
    expect(order).toEqual(['short', 'long'])
  })

  it('gives up a job that is aborted, and goes on with the others', async () => {
    const worker = new LocalWorker(serveCounts)
    const backend = await start(worker)
    const controller = new AbortController()
    const long = backend.count(['word '.repeat(400_000)], controller.signal)
    const other = backend.count(['hello world'])
    controller.abort(new Error('enough'))
    await expect(long).rejects.toMatchObject({ code: 'aborted', cause: { message: 'enough' } })
    expect(await other).toEqual([2])
    await sleep(5)
    expect(worker.received.filter(({ type }) => type === 'count')).toHaveLength(3)
    expect(worker.received.filter(({ type }) => type === 'drop')).toHaveLength(1)
    await expect(backend.count(['x'], controller.signal)).rejects.toMatchObject({ code: 'aborted' })
  })

  it('says why WASM could not be added, and goes on in script', async () => {
    const backend = await start(new LocalWorker(serveCounts))
    await expect(backend.addWasm(new Uint8Array([1, 2, 3]), 'all')).rejects.toThrow(/CompileError/)
    expect(await backend.count(['hello world'])).toEqual([2])
  })
})

describe('a worker that stops working', () => {
  it('is terminated when it says so, and everything that was asked rejects', async () => {
    const worker = scriptedWorker((port) =>
      port.postMessage({ type: 'crashed', reason: 'RuntimeError: unreachable' }),
    )
    const backend = await start(worker)
    const both = await Promise.allSettled([backend.count(['one']), backend.count(['two'])])
    for (const { reason } of both.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]) {
      expect(reason).toMatchObject({
        code: 'tokenizer_crashed',
        message: expect.stringContaining('unreachable'),
      })
    }
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(worker.terminated).toBe(true)
    await expect(backend.count(['three'])).rejects.toMatchObject({ code: 'tokenizer_crashed' })
    await expect(backend.addWasm('', 'all')).rejects.toMatchObject({ code: 'tokenizer_crashed' })
  })

  it('is terminated when it is silent for too long while something is asked', async () => {
    const worker = scriptedWorker(() => undefined)
    const backend = await start(worker)
    await sleep(100)
    expect(worker.terminated).toBe(false)
    await expect(backend.count(['one'])).rejects.toMatchObject({ code: 'tokenizer_crashed' })
    expect(worker.terminated).toBe(true)
  })

  it('is given longer for a long text without a safe cut', async () => {
    const worker = scriptedWorker((port, { job, open }) => {
      const answer = { type: 'counted', job, tokens: open ? [] : [7], held: open ? 1_000_000 : 0 } as const
      if (open) port.postMessage(answer)
      else setTimeout(() => port.postMessage(answer), 80)
    })
    const backend = await start(worker)
    expect(await backend.count(['x'.repeat(200_000)])).toEqual([7])
  })

  it('is terminated when it throws', async () => {
    const worker = scriptedWorker(() => {
      worker.onerror?.(Object.assign(new Event('error'), { message: 'out of memory' }) as ErrorEvent)
    })
    const backend = await start(worker)
    await expect(backend.count(['one'])).rejects.toThrow('out of memory')
    expect(worker.terminated).toBe(true)
  })
})

it('rejects what is under way when it is closed', async () => {
  const worker = scriptedWorker(() => undefined)
  const backend = await start(worker)
  const counting = backend.count(['one'])
  backend.close()
  await expect(counting).rejects.toMatchObject({ code: 'tokenizer_unavailable' })
  expect(worker.terminated).toBe(true)
})
