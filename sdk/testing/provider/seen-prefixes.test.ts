import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from '../../engine/json.ts'
import { readUsage } from '../../read-usage.ts'
import { loadTokenizer } from '../../tokenizer.ts'
import { ask, type Spoken } from './ask-provider.ts'
import { createProvider, type Provider } from './provider.ts'

const { count } = await loadTokenizer()

const FACTOR = 1.25
const open = (): Provider =>
  createProvider({
    models: { m: { window: 1_000_000, factor: FACTOR } },
    count,
    answer: () => ({ text: 'Yes.' }),
  })

/** Each well over what a cache keeps at least. */
const text = (place: number): string =>
  Array.from({ length: 1200 }, (_, word) => `word${(word * 7 + place) % 97}`).join(' ')

type Said = readonly (readonly [text: string, isMarked?: boolean])[]

const roleAt = (place: number): string => (place % 2 === 0 ? 'user' : 'assistant')

const written: Readonly<Record<Spoken, (said: Said) => JsonObject>> = {
  'openai-chat': (said) => ({
    model: 'm',
    messages: said.map(([content], place) => ({ role: roleAt(place), content })),
  }),
  'openai-responses': (said) => ({
    model: 'm',
    input: said.map(([content], place) => ({ role: roleAt(place), content })),
  }),
  anthropic: (said) => ({
    model: 'm',
    max_tokens: 9,
    messages: said.map(([content, isMarked], place) => ({
      role: roleAt(place),
      content: [
        {
          type: 'text',
          text: content,
          ...(isMarked ? { cache_control: { type: 'ephemeral' } } : {}),
        },
      ],
    })),
  }),
  gemini: (said) => ({
    model: 'm',
    contents: said.map(([content], place) => ({
      role: place % 2 === 0 ? 'user' : 'model',
      parts: [{ text: content }],
    })),
  }),
}

async function usageOf(provider: Provider, format: Spoken, request: JsonObject): Promise<JsonObject> {
  const body: unknown = await (await ask(provider, format, request)).json()
  const usage = readUsage(format, body)
  return isObject(body) && usage !== null
    ? { ...usage, raw: (body.usage ?? body.usageMetadata) as JsonObject }
    : {}
}

const inputAlone = async (format: Spoken, said: Said): Promise<number> =>
  Number((await usageOf(open(), format, written[format](said))).input)

describe.each(['openai-chat', 'openai-responses', 'gemini'] as const)('the cache of %s', (format) => {
  it('[R32, R33] keeps each beginning by itself, and reports it inside the input', async () => {
    const provider = open()
    const first: Said = [[text(1)]]
    expect(await usageOf(provider, format, written[format](first))).toMatchObject({ cacheRead: 0 })
    const longer: Said = [...first, [text(2)], [text(3)]]
    const usage = await usageOf(provider, format, written[format](longer))
    expect(usage.input).toBe(await inputAlone(format, longer))
    expect(usage.cacheRead).toBe(await inputAlone(format, first))
    const raw = usage.raw as JsonObject
    expect(raw.prompt_tokens ?? raw.input_tokens ?? raw.promptTokenCount).toBe(usage.input)
  })

  it('keeps nothing after a change, and nothing that is short', async () => {
    const provider = open()
    await usageOf(provider, format, written[format]([[text(1)], [text(2)], [text(3)]]))
    const changed = await usageOf(provider, format, written[format]([[text(1)], [text(4)], [text(3)]]))
    expect(changed.cacheRead).toBe(await inputAlone(format, [[text(1)]]))
    const short = written[format]([['go']])
    await usageOf(provider, format, short)
    expect((await usageOf(provider, format, short)).cacheRead).toBe(0)
  })
})

describe('the cache of anthropic', () => {
  const { anthropic } = written

  it('[R34] keeps what is marked, and reports reading and writing it beside the input', async () => {
    const provider = open()
    const first: Said = [[text(1), true]]
    const prefix = await inputAlone('anthropic', first)
    const wrote = await usageOf(provider, 'anthropic', anthropic(first))
    expect(wrote.raw).toMatchObject({
      input_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: prefix,
    })
    const longer: Said = [...first, [text(2)], [text(3)]]
    const whole = await inputAlone('anthropic', longer)
    const read = await usageOf(provider, 'anthropic', anthropic(longer))
    expect(read).toMatchObject({ input: whole, cacheRead: prefix, cacheWrite: 0 })
    expect(read.raw).toMatchObject({ input_tokens: whole - prefix, cache_read_input_tokens: prefix })
  })

  it('keeps nothing without a mark', async () => {
    const provider = open()
    for (let time = 0; time < 2; time++)
      expect(await usageOf(provider, 'anthropic', anthropic([[text(1)]]))).toMatchObject({
        cacheRead: 0,
        cacheWrite: 0,
      })
  })

  it('finds what was kept before a mark moved on, in the twenty blocks that end with it', async () => {
    for (const [between, isFound] of [
      [18, true],
      [19, true],
      [20, false],
    ] as const) {
      const provider = open()
      const first: Said = [[text(1), true]]
      await usageOf(provider, 'anthropic', anthropic(first))
      const more = Array.from({ length: between }, (_, place): Said[number] => [
        `more ${place}`,
        place === between - 1,
      ])
      // It must end with the user.
      const request = anthropic([[text(1)], ...more])
      const messages = (request.messages as readonly JsonObject[]).map((message) => ({
        ...message,
        role: 'user',
      }))
      const usage = await usageOf(provider, 'anthropic', { ...request, messages })
      const prefix = await inputAlone('anthropic', first)
      expect(usage.cacheRead).toBe(isFound ? prefix : 0)
      expect(Number(usage.cacheRead) + Number(usage.cacheWrite)).toBe(usage.input)
    }
  })

  it('takes the mark of a request as one at its end, and none of its own marks for an earlier one', async () => {
    const provider = open()
    const said: Said = [[text(1), true], [text(2)], [text(3)]]
    const request = { ...anthropic(said), cache_control: { type: 'ephemeral' } }
    const wrote = await usageOf(provider, 'anthropic', request)
    expect(wrote).toMatchObject({ cacheRead: 0, cacheWrite: wrote.input })
    expect(await usageOf(provider, 'anthropic', request)).toMatchObject({
      cacheRead: wrote.input,
      cacheWrite: 0,
    })
  })
})

describe('every cache', () => {
  it('tells one image from another', async () => {
    const provider = open()
    const request = (data: string): JsonObject => ({
      model: 'm',
      contents: [
        { role: 'user', parts: [{ text: text(1) }, { inlineData: { mimeType: 'image/png', data } }] },
      ],
    })
    const { input } = await usageOf(provider, 'gemini', request('AAAA'))
    expect((await usageOf(provider, 'gemini', request('BBBB'))).cacheRead).toBeLessThan(Number(input) - 765)
    expect((await usageOf(provider, 'gemini', request('AAAA'))).cacheRead).toBe(input)
  })

  it('is of one model', async () => {
    const provider = createProvider({
      models: { '*': { window: 1_000_000 } },
      count,
      answer: () => ({ text: 'Yes.' }),
    })
    const request = written['openai-chat']([[text(1)]])
    await usageOf(provider, 'openai-chat', request)
    expect((await usageOf(provider, 'openai-chat', { ...request, model: 'other' })).cacheRead).toBe(0)
    expect((await usageOf(provider, 'openai-chat', request)).cacheRead).toBeGreaterThan(1024)
  })
})
