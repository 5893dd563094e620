import { afterEach, describe, expect, it, vi } from 'vitest'
import { createDogear, type Dogear, type DogearOptions } from './dogear.ts'
import type { DogearEvent } from './events.ts'
import { memoryStore } from './stores/memory.ts'
import { makeConversation } from './testing/conversation.ts'
import { readReferenceVocabulary } from './tokenizer/reference-encoder.ts'

const RANKS = 'https://app.test/ranks.json'
const WASM = 'https://app.test/tiktoken.wasm'
/** Milliseconds: ranks as JSON take a second or two to be packed, and more where the machine is busy. */
const PATIENCE = 30_000

const { request } = makeConversation({ seed: 71, format: 'openai-chat', rounds: 12 })
const opened: Dogear[] = []

afterEach(async () => {
  for (const dogear of opened.splice(0)) await dogear.close()
  vi.unstubAllGlobals()
})

function open(tokenizer: DogearOptions['tokenizer'] = {}, options: DogearOptions = {}) {
  const dogear = createDogear({
    store: memoryStore(),
    policy: { maxInputTokens: 'none' },
    tokenizer,
    ...options,
  })
  opened.push(dogear)
  const events: DogearEvent[] = []
  dogear.subscribe((event) => events.push(event))
  const progress = (): readonly string[] =>
    events.flatMap((event) => (event.type === 'tokenizer-progress' ? [`${event.phase} ${event.engine}`] : []))
  const fallbacks = (): readonly string[] =>
    events.flatMap((event) =>
      event.type === 'tokenizer-fallback' ? [`${event.from} to ${event.to}: ${event.reason}`] : [],
    )
  return { dogear, events, progress, fallbacks }
}

/** What the addresses answer; a fetch of any other fails. */
function network(answers: Record<string, () => Response>) {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (address: URL | string) => {
    asked.push(String(address))
    const answer = answers[String(address)]
    if (!answer) throw new TypeError('Failed to fetch')
    return answer()
  })
  return { asked, answers }
}

describe('tokenizer-progress', () => {
  it('is told of nothing before the first use, then of each step, as an event of no branch', async () => {
    const { dogear, events, progress } = open()
    await dogear.branch('chat')
    expect(progress()).toEqual([])
    await dogear.warmUp()
    expect(progress()).toEqual(['ranks script', 'ready script'])
    const own = events.filter(({ type }) => type === 'tokenizer-progress')
    for (const event of own) expect(event).toMatchObject({ v: 1, branchId: '', at: expect.any(Number) })
  })
})

describe('tokenizer-fallback', () => {
  it('says that WASM could not be loaded; the script counter counts, and WASM is tried again', async () => {
    const { asked } = network({ [WASM]: () => new Response('gone', { status: 404 }) })
    const { dogear, fallbacks } = open({ engine: 'wasm', wasm: WASM })
    await dogear.warmUp()
    expect(fallbacks()).toEqual([expect.stringMatching(/^wasm to script: .*answered 404/)])
    const { decision } = await (await dogear.branch('chat')).prepare(request)
    expect(decision.method).toBe('counted')
    expect(asked.length).toBeGreaterThan(1)
    expect(fallbacks()).toHaveLength(1)
  })

  it('says that WASM is none of the encoder, and counts in script', async () => {
    network({ [WASM]: () => new Response(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)) })
    const { dogear, fallbacks } = open({ engine: 'wasm', wasm: WASM })
    await dogear.warmUp()
    expect(fallbacks()).toEqual([expect.stringMatching(/^wasm to script: /)])
    expect((await (await dogear.branch('chat')).prepare(request)).decision.method).toBe('counted')
  })

  it('says that the ranks could not be loaded; requests are flagged estimates that refuse nothing', async () => {
    network({})
    const { dogear, fallbacks } = open({ ranks: RANKS }, { policy: { maxInputTokens: 1000 } })
    const branch = await dogear.branch('chat')
    const prepared = await branch.prepare(request)
    expect(prepared.decision).toMatchObject({ method: 'estimate', sent: true })
    expect(prepared.warnings.map(({ code }) => code)).toContain('size_estimated')
    expect(fallbacks()).toEqual([expect.stringMatching(/^script to estimate: .*Failed to fetch/)])
  })
})

describe('warmUp', () => {
  it(
    'rejects where the ranks cannot be loaded, says so, and tries again',
    async () => {
      const { asked, answers } = network({})
      const { dogear, progress, fallbacks } = open({ ranks: RANKS })
      for (const times of [1, 2]) {
        await expect(dogear.warmUp()).rejects.toMatchObject({
          name: 'TokenizerError',
          code: 'tokenizer_unavailable',
          message: expect.stringContaining('Failed to fetch'),
        })
        expect(asked).toHaveLength(times)
      }
      expect(progress()).toEqual([])
      expect(fallbacks()).toHaveLength(1)
      answers[RANKS] = () => Response.json({ ...readReferenceVocabulary() })
      await dogear.warmUp()
      expect(progress()).toEqual(['ranks script', 'ready script'])
      expect((await (await dogear.branch('chat')).prepare(request)).decision.method).toBe('counted')
    },
    PATIENCE,
  )

  it('names ranks that are none', async () => {
    network({ [RANKS]: () => Response.json({ error: 'no such file' }) })
    const { dogear } = open({ ranks: RANKS })
    await expect(dogear.warmUp()).rejects.toMatchObject({ code: 'invalid_argument' })
  })

  it('resolves as soon as counts are exact, with WASM asked for only when it counts', async () => {
    let answer: (response: Response) => void = () => undefined
    vi.stubGlobal('fetch', () => new Promise((resolve) => (answer = resolve)))
    const { dogear, progress } = open({ engine: 'wasm', wasm: WASM })
    let warm = false
    const warming = dogear.warmUp().then(() => {
      warm = true
    })
    await vi.waitFor(() => expect(progress()).toContain('ready script'))
    expect(warm).toBe(false)
    answer(new Response('', { status: 503 }))
    await warming
    const auto = open({ wasm: WASM })
    await auto.dogear.warmUp()
    expect(auto.progress()).toEqual(['ranks script', 'ready script'])
  })
})

// Last, for a thread keeps the one WASM that it started.
describe('tokenizer-progress of WASM', () => {
  it('is told where the app asked for WASM', async () => {
    const { dogear, progress, fallbacks } = open({ engine: 'wasm' })
    await dogear.warmUp()
    expect(progress()).toEqual(['ranks script', 'ready script', 'wasm wasm', 'ready wasm'])
    expect(fallbacks()).toEqual([])
  })
})
