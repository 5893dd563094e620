import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { CountTokens } from '../ports.ts'
import { loadRanks } from './load-ranks.ts'
import type { PackedRanks } from './ranks.ts'
import { createScriptCounter } from './script-counter.ts'
import { startWorker } from './start-worker.ts'
import type { TextCounter } from './text-counter.ts'
import { createTokenizer, type TokenizerOptions } from './tokenizer.ts'
import { wasmBase64 } from './wasm-binary.ts'
import { createWasmCounter } from './wasm-counter.ts'
import { WorkerBackend } from './worker-backend.ts'

const prose = 'The quick brown fox jumps over 13 lazy dogs; "it\'s" {"a": [1, null]}\r\n'
const mixed = [
  prose,
  'Łódź, 北京市。今天很好',
  'مرحبا بالعالم ',
  '\u{1f469}\u{1f3fd}\u200d\u{1f680}\u{1f600}',
  '\ufeff\u0085 \ud800x\udc00',
]

const texts = [
  '',
  'hello world',
  '<|endoftext|>',
  prose.repeat(3000),
  mixed.join('').repeat(2000),
  ...['a', ' ', '\n', '-', '\t', '\r\n', '中', '\u{1f600}', '\ud800', '\u0000', '\u0301'].map((unit) =>
    unit.repeat(100_000),
  ),
]

let ranks: PackedRanks
let script: TextCounter
const opened: CountTokens[] = []

vi.setConfig({ testTimeout: 60_000 })

beforeAll(async () => {
  ranks = await loadRanks()
  script = createScriptCounter(ranks)
})

afterEach(async () => {
  await Promise.all(opened.splice(0).map((tokenizer) => tokenizer.close()))
})

function open(options: TokenizerOptions) {
  const tokenizer = createTokenizer(options)
  const heard: string[] = []
  tokenizer.onProgress(({ phase, engine }) => heard.push(`${phase} ${engine}`))
  tokenizer.onFallback(({ from, to }) => heard.push(`${from} to ${to}`))
  opened.push(tokenizer)
  return { tokenizer, heard }
}

/** A real worker that answers all but counts, which it takes in and never ends. */
function hangingWorker(): Worker {
  const source = `onmessage = ({ data: { type } }) => {
    if (type === 'hello') postMessage({ type: 'started' })
    if (type === 'ranks') postMessage({ type: 'ready', engine: 'script' })
    if (type === 'count') for (;;);
  }`
  return new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })))
}

describe('the worker', () => {
  it.each(['script', 'wasm'] as const)('counts with engine %s what this thread counts', async (engine) => {
    const { tokenizer, heard } = open({ engine })
    expect(await tokenizer.count(texts)).toEqual(texts.map(script.count))
    expect(heard.filter((what) => what.includes(' to '))).toEqual([])
    expect(heard.at(-1)).toBe(`ready ${engine}`)
  })

  it('counts in script until WASM is built, and the same afterwards', async () => {
    const { tokenizer, heard } = open({ engine: 'auto' })
    const before = await tokenizer.count(texts)
    await vi.waitFor(() => expect(heard.at(-1)).toBe('ready wasm'), 20_000)
    expect(await tokenizer.count(texts)).toEqual(before)
  })

  it('loads, and counts 5 MB, beside a page that stays free', async ({ annotate }) => {
    const text = mixed.join('').repeat(35_000)
    // Put together before the clock runs: until it is read, a repeated text is only a plan of one.
    text.charCodeAt(0)
    const blocked = watchThread()
    const { tokenizer } = open({ engine: 'wasm' })
    const started = performance.now()
    await tokenizer.load()
    const whileLoading = blocked()
    const loaded = performance.now()
    const [tokens] = await tokenizer.count([text])
    const whileCounting = blocked()
    const counted = performance.now()
    await annotate(`load ${ms(loaded - started)}, longest task of the page ${ms(whileLoading)}`)
    await annotate(`count ${ms(counted - loaded)}, longest task of the page ${ms(whileCounting)}`)
    expect(tokens).toBe(script.count(text))
    expect(whileCounting).toBeLessThan((counted - loaded) / 2)
  })

  it('is terminated while it hangs, and the next one counts', async () => {
    const hanging = await WorkerBackend.start(await startWorker(hangingWorker), ranks, {
      ticks: 3,
      tickMs: 20,
    })
    await expect(hanging.count(['hello world'])).rejects.toMatchObject({ code: 'tokenizer_crashed' })
    const next = await WorkerBackend.start(await startWorker(), ranks)
    expect(await next.count(['hello world'])).toEqual([2])
    next.close()
  })
})

it('WASM takes 1 MB again and again in the same memory', async () => {
  const counter = await createWasmCounter({ wasm: wasmBase64, ranks, stretches: script })
  const text = mixed.join('').repeat(7500)
  const tokens = counter.count(text)
  const memory = counter.memoryBytes()
  for (let i = 0; i < 5; i++) expect(counter.count(text)).toBe(tokens)
  expect(counter.memoryBytes()).toBe(memory)
  expect(tokens).toBe(script.count(text))
  counter.free()
})

/** Milliseconds of the page's longest task since it was asked the last time; 0 where none took 50. */
function watchThread(): () => number {
  let tasks: PerformanceEntryList = []
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries()))
  observer.observe({ type: 'longtask' })
  return () => {
    const longest = Math.max(0, ...[...tasks, ...observer.takeRecords()].map(({ duration }) => duration))
    tasks = []
    return longest
  }
}

function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(0)} ms`
}
