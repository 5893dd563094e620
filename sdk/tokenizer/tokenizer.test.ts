import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { CountTokens } from '../ports.ts'
import { loadRanks } from './load-ranks.ts'
import type { PackedRanks } from './ranks.ts'
import { LocalWorker, scriptedWorker } from './reference-worker.ts'
import { createScriptCounter } from './script-counter.ts'
import type { TextCounter } from './text-counter.ts'
import { createTokenizer, type TokenizerOptions } from './tokenizer.ts'
import { serveCounts } from './worker-host.ts'

const texts = ['hello world', '', 'a'.repeat(5000), '<|endoftext|>', 'one two, three. '.repeat(20_000)]

const longText = 'one two, three. '.repeat(200_000)

let expected: readonly number[]
let ranks: PackedRanks
let script: TextCounter

beforeAll(async () => {
  ranks = await loadRanks()
  script = createScriptCounter(ranks)
  expected = texts.map((text) => script.count(text))
})

const opened: CountTokens[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((tokenizer) => tokenizer.close()))
  vi.unstubAllGlobals()
})

function open(options: TokenizerOptions = {}) {
  const tokenizer = createTokenizer(options)
  opened.push(tokenizer)
  const heard: string[] = []
  tokenizer.onProgress(({ phase, engine }) => heard.push(`${phase} ${engine}`))
  tokenizer.onFallback(({ from, to }) => heard.push(`${from} to ${to}`))
  return { tokenizer, heard }
}

/** Workers as they are made, each of which runs what is next in the list, the last one again and again. */
function workers(...runs: (() => LocalWorker)[]) {
  const made: LocalWorker[] = []
  const worker = (): LocalWorker => {
    const next = runs[Math.min(made.length, runs.length - 1)] ?? sound
    const created = next()
    made.push(created)
    return created
  }
  return { made, worker }
}

const sound = (): LocalWorker => new LocalWorker(serveCounts)
const crashing = (): LocalWorker =>
  scriptedWorker((port) => port.postMessage({ type: 'crashed', reason: 'trap' }))
const crashingAtWasm = (): LocalWorker =>
  new LocalWorker((port) => {
    serveCounts({
      postMessage: (message) => port.postMessage(message),
      addEventListener: (type, listener) =>
        port.addEventListener(type, (event) => {
          if (event.data.type === 'wasm') port.postMessage({ type: 'crashed', reason: 'out of memory' })
          else listener(event)
        }),
    })
  })

describe('on this thread', () => {
  it('loads nothing until it is asked to, then counts in script', async () => {
    const { tokenizer, heard } = open({ wasm: new Uint8Array() })
    await sleep(20)
    expect([tokenizer.ready, heard]).toEqual([false, []])
    expect(await tokenizer.count(texts)).toEqual(expected)
    expect([tokenizer.ready, tokenizer.exact]).toEqual([true, true])
    await sleep(50)
    expect(heard).toEqual(['ranks script', 'ready script'])
  })

  it('counts with WASM where the app asks for it', async () => {
    const { tokenizer, heard } = open({ engine: 'wasm' })
    expect(await tokenizer.count([])).toEqual([])
    expect(heard).toEqual([])
    const loading = tokenizer.load()
    await vi.waitFor(() => expect(heard).toContain('ready script'))
    expect(tokenizer.ready).toBe(false)
    await loading
    expect(tokenizer.ready).toBe(true)
    expect(await tokenizer.count(texts)).toEqual(expected)
    expect(heard).toEqual(['ranks script', 'ready script', 'wasm wasm', 'ready wasm'])
  })

  it('lets other tasks run while it counts a long text', async () => {
    const { tokenizer } = open({ engine: 'script' })
    await tokenizer.load()
    let turns = 0
    const timer = setInterval(() => turns++)
    const [tokens] = await tokenizer.count([longText])
    clearInterval(timer)
    expect(tokens).toBe(script.count(longText))
    expect(turns).toBeGreaterThan(3)
  })

  it('stops when it is told to', async () => {
    const { tokenizer } = open({ engine: 'script' })
    await tokenizer.load()
    const controller = new AbortController()
    const counting = tokenizer.count([longText], controller.signal)
    await sleep(1)
    controller.abort()
    await expect(counting).rejects.toMatchObject({ name: 'TokenizerError', code: 'aborted' })
    expect(await tokenizer.count(['hello world'])).toEqual([2])
    await expect(tokenizer.count(['hello world'], controller.signal)).rejects.toMatchObject({
      code: 'aborted',
    })
  })

  it('loads nothing for a count that is aborted before it begins', async () => {
    const { tokenizer, heard } = open()
    await expect(tokenizer.count(texts, AbortSignal.abort())).rejects.toMatchObject({ code: 'aborted' })
    await sleep(50)
    expect(heard).toEqual([])
  })

  it('stops waiting for what is loading when it is told to', async () => {
    vi.stubGlobal('fetch', () => new Promise(() => undefined))
    const { tokenizer } = open({ ranks: 'https://app.test/slow.json' })
    const controller = new AbortController()
    const counting = tokenizer.count(['hello world'], controller.signal)
    controller.abort()
    await expect(counting).rejects.toMatchObject({ code: 'aborted' })
  })
})

describe('in a worker', () => {
  it('counts in script at once, and with WASM when nobody waits', async () => {
    const { tokenizer, heard } = open({ worker: sound })
    expect(await tokenizer.count(texts)).toEqual(expected)
    expect(heard.slice(0, 2)).toEqual(['ranks script', 'ready script'])
    await vi.waitFor(() => expect(heard).toContain('ready wasm'), 5000)
    expect(await tokenizer.count(texts)).toEqual(expected)
  })

  it('never loads WASM for the script engine', async () => {
    const { worker, made } = workers(sound)
    const { tokenizer, heard } = open({ engine: 'script', worker })
    expect(await tokenizer.count(texts)).toEqual(expected)
    await sleep(400)
    expect(heard).toEqual(['ranks script', 'ready script'])
    expect(made[0]?.received.some(({ type }) => type === 'wasm')).toBe(false)
  })
})

describe('the ladder', () => {
  it('counts again in another worker when one crashed', async () => {
    const { worker, made } = workers(crashing, sound)
    const { tokenizer, heard } = open({ engine: 'script', worker })
    expect(await tokenizer.count(texts)).toEqual(expected)
    expect(made).toHaveLength(2)
    expect(made[0]?.terminated).toBe(true)
    expect(heard.filter((what) => what.includes(' to '))).toEqual([])
  })

  it('gives WASM up when two workers crashed under the same texts', async () => {
    const { worker, made } = workers(crashing, crashing, sound)
    const { tokenizer, heard } = open({ engine: 'wasm', worker })
    expect(await tokenizer.count(texts)).toEqual(expected)
    expect(made).toHaveLength(3)
    expect(heard).toContain('wasm to script')
    expect(made[2]?.received.some(({ type }) => type === 'wasm')).toBe(false)
    expect(tokenizer.exact).toBe(true)
  })

  it('gives WASM up when it crashed two workers while it was built', async () => {
    const { worker, made } = workers(crashingAtWasm)
    const { tokenizer, heard } = open({ engine: 'wasm', worker })
    await tokenizer.load()
    expect(tokenizer.ready).toBe(true)
    expect(made.map(({ terminated }) => terminated)).toEqual([true, true, false])
    expect(await tokenizer.count(texts)).toEqual(expected)
    expect(heard.filter((what) => what === 'wasm to script')).toHaveLength(1)
  })

  it('estimates what two workers crashed under in script as well, and says so', async () => {
    const { worker, made } = workers(crashing)
    const { tokenizer, heard } = open({ engine: 'script', worker })
    expect(await tokenizer.count(['hello world'])).toEqual([8])
    expect(made).toHaveLength(2)
    expect(tokenizer.exact).toBe(false)
    const told = () => heard.filter((what) => what === 'script to estimate').length
    expect(told()).toBe(1)
    await tokenizer.count(['hello world'])
    expect([made.length, told()]).toEqual([4, 2])
  })

  it('leaves no worker behind where the ranks cannot be loaded', async () => {
    stubFetch(() => undefined)
    const { worker, made } = workers(sound)
    const { tokenizer } = open({ worker, ranks: 'https://app.test/ranks.json' })
    await expect(tokenizer.load()).rejects.toMatchObject({ code: 'tokenizer_unavailable' })
    await vi.waitFor(() => expect(made.map(({ terminated }) => terminated)).toEqual([true]))
  })

  it('counts on this thread where the worker does not start', async () => {
    const worker = () => {
      throw new Error('blocked')
    }
    const { tokenizer, heard } = open({ worker })
    expect(await tokenizer.count(texts)).toEqual(expected)
    expect(heard).toContain('worker to inline')
  })

  it('cannot replace a worker that was given as it is', async () => {
    const { tokenizer, heard } = open({ engine: 'script', worker: crashing() })
    expect(await tokenizer.count(texts)).toEqual(expected)
    expect(heard).toContain('worker to inline')
  })

  it('tries again to load WASM on the next use', async () => {
    const { fetched } = stubFetch((times) =>
      times === 1 ? new Response('', { status: 503 }) : new Promise(() => undefined),
    )
    const { tokenizer, heard } = open({ engine: 'wasm', wasm: 'https://app.test/tiktoken.wasm' })
    expect(await tokenizer.count(['hello world'])).toEqual([2])
    expect(heard).toContain('wasm to script')
    expect(fetched()).toBe(1)
    expect(await tokenizer.count(['hello world'])).toEqual([2])
    expect(fetched()).toBe(2)
  })

  it('estimates where the ranks cannot be loaded, tells it once, and counts when they can', async () => {
    const { fetched } = stubFetch((times) =>
      times < 4 ? Promise.reject(new TypeError('Failed to fetch')) : new Response(JSON.stringify(ranks)),
    )
    const { tokenizer, heard } = open({
      engine: 'script',
      ranks: new URL('https://app.test/ranks.json'),
    })
    await expect(tokenizer.load()).rejects.toMatchObject({ code: 'tokenizer_unavailable' })
    expect(await tokenizer.count(['hello world'])).toEqual([8])
    expect(await tokenizer.count(['hello world'])).toEqual([8])
    expect([tokenizer.exact, tokenizer.ready, fetched()]).toEqual([false, false, 3])
    expect(heard).toEqual(['script to estimate'])

    expect(await tokenizer.count(texts)).toEqual(expected)
    expect([tokenizer.exact, tokenizer.ready]).toEqual([true, true])
  })
})

describe('sharing', () => {
  it('has one worker for equal options, until the last user closes', async () => {
    const { worker, made } = workers(sound)
    const first = open({ engine: 'script', worker }).tokenizer
    const second = open({ engine: 'script', worker }).tokenizer
    await Promise.all([first.count(texts), second.count(texts)])
    expect(made).toHaveLength(1)

    await first.close()
    await first.close()
    expect(await second.count(['hello world'])).toEqual([2])
    await expect(first.count(['hello world'])).rejects.toMatchObject({ code: 'tokenizer_unavailable' })
    expect([first.ready, made[0]?.terminated]).toEqual([false, false])

    await second.close()
    expect(made[0]?.terminated).toBe(true)
    const third = open({ engine: 'script', worker }).tokenizer
    expect(await third.count(['hello world'])).toEqual([2])
    expect(made).toHaveLength(2)
  })

  it.each([
    ['engines', { engine: 'script' }, { engine: 'auto' }],
    ['workers', {}, { worker: sound }],
    ['ranks', {}, { ranks: { size: 0, digits: '' } }],
  ] as const)('keeps other %s apart', async (_, one: TokenizerOptions, other: TokenizerOptions) => {
    const first = open(one).tokenizer
    const second = open(other).tokenizer
    await first.load()
    expect([first.ready, second.ready]).toEqual([true, false])
  })

  it('tells nothing to one that is closed', async () => {
    const first = open({ engine: 'script' })
    const second = open({ engine: 'script' })
    await first.tokenizer.close()
    await second.tokenizer.load()
    expect([first.heard, second.heard]).toEqual([[], ['ranks script', 'ready script']])
  })

  it('ends only the counts of the one that is closed', async () => {
    const first = open({ engine: 'script' }).tokenizer
    const second = open({ engine: 'script' }).tokenizer
    await first.load()
    const [mine, other] = [first.count([longText]), second.count([longText])]
    await first.close()
    await expect(mine).rejects.toMatchObject({ code: 'tokenizer_unavailable' })
    expect(await other).toEqual([script.count(longText)])
  })

  it('terminates a worker that starts after the close', async () => {
    const { worker, made } = workers(sound)
    const { tokenizer } = open({ worker })
    const loading = tokenizer.load()
    await tokenizer.close()
    await expect(loading).rejects.toMatchObject({ code: 'tokenizer_unavailable' })
    await vi.waitFor(() => expect(made.map(({ terminated }) => terminated)).toEqual([true]))
  })

  it('keeps listeners apart, and lets one that throws harm nobody', async () => {
    const errors: unknown[] = []
    vi.stubGlobal('queueMicrotask', (task: () => void) =>
      Promise.resolve()
        .then(task)
        .catch((error: unknown) => errors.push(error)),
    )
    const { tokenizer, heard } = open({ engine: 'script' })
    const stop = tokenizer.onProgress(() => {
      throw new Error('mine')
    })
    tokenizer.onProgress(({ phase }) => heard.push(phase))()
    await tokenizer.load()
    stop()
    expect(heard).toEqual(['ranks script', 'ready script'])
    expect(errors).toHaveLength(2)
  })
})

describe('bad input', () => {
  it('names the text that is none, and counts nothing', async () => {
    const { worker, made } = workers(sound)
    const { tokenizer } = open({ worker })
    await expect(tokenizer.count(['a', 1n as unknown as string])).rejects.toMatchObject({
      code: 'invalid_argument',
      fields: { index: 1 },
    })
    expect(made).toEqual([])
    expect(await tokenizer.count(['hello world'])).toEqual([2])
  })

  it('refuses an engine that is none', () => {
    const engine = 'fast' as 'auto'
    expect(() => createTokenizer({ engine })).toThrow(
      'tokenizer.engine must be one of auto, wasm, script, not "fast"',
    )
  })

  it('refuses ranks that are none', async () => {
    const { tokenizer } = open({ engine: 'script', ranks: { encoder: {} } })
    await expect(tokenizer.load()).rejects.toMatchObject({ code: 'invalid_argument' })
  })
})

/** Answers every fetch with what `answer` gives for its number, or not at all. */
function stubFetch(answer: (times: number) => Response | Promise<Response> | undefined) {
  let times = 0
  vi.stubGlobal('fetch', async () => {
    times += 1
    return (await answer(times)) ?? Promise.reject(new TypeError('Failed to fetch'))
  })
  return { fetched: () => times }
}
