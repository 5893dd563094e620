import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from './engine/json.ts'
import { makeConversation } from './testing/conversation.ts'
import {
  asks,
  chatRequests,
  chatUrl,
  closeFetches,
  jsonResponse,
  openFetch,
  post,
  sentText,
  type TestFetch,
} from './testing/open-fetch.ts'

afterEach(closeFetches)

const long = makeConversation({ seed: 71, format: 'openai-chat', rounds: 14 }).request

async function entriesOf({ dogear }: TestFetch, id = 'chat'): Promise<number> {
  return (await (await dogear.branch(id)).status()).entries
}

describe('dogear.fetch', () => {
  it.each(chatRequests)('prepares a request of %s and records it', async (format, url, body) => {
    const chat = openFetch()
    await (await chat.fetch(url, post(body))).text()
    const { decisions } = await (await chat.dogear.branch('chat')).journal()
    expect(decisions).toMatchObject([{ format, action: 'pass', sent: true }])
    expect(await entriesOf(chat)).toBe(1)
  })

  it.each([
    ['https://api.example/openai/deployments/gpt-6/chat/completions?api-version=1', asks('Hi'), 'm'],
    [
      'https://api.example/openai/deployments/gpt-6/chat/completions',
      { messages: [{ role: 'user', content: 'Hi' }] },
      'gpt-6',
    ],
    ['https://api.example/v1beta/models/gemini-3-pro:generateContent', chatRequests[3]?.[2], 'gemini-3-pro'],
    ['https://api.example/v1beta/models/gemini-3-pro:generateContent/', chatRequests[3]?.[2], 'gemini-3-pro'],
  ])('knows the model of %s', async (url, body, model) => {
    const chat = openFetch()
    await chat.fetch(url, post(body))
    expect((await (await chat.dogear.branch('chat')).journal()).decisions).toMatchObject([{ model }])
  })

  it.each<[string, string, RequestInit | undefined]>([
    ['a GET', chatUrl, undefined],
    ['a deletion', `${chatUrl}/1`, { method: 'DELETE' }],
    ['another method', chatUrl, post(asks('Hello'), { method: 'PUT' })],
    ['a list of models', 'https://api.example/v1/models', post({})],
    ['embeddings', 'https://api.example/v1/embeddings', post({ model: 'e', input: 'Hello' })],
    ['a count', 'https://api.example/v1/messages/count_tokens', post(asks('Hello'))],
    ['a message of another API', 'https://api.example/v1/threads/t1/messages', post(asks('Hello'))],
    ['a cancelled response', 'https://api.example/v1/responses/r1/cancel', post({})],
    ['a count of Gemini', 'https://api.example/v1beta/models/g:countTokens', post({ contents: [] })],
    ['a file', chatUrl, { method: 'POST', body: new FormData() }],
    ['a stream', chatUrl, { method: 'POST', body: new ReadableStream(), ...{ duplex: 'half' } }],
    ['a compressed body', chatUrl, post(asks('Hello'), { headers: { 'content-encoding': 'gzip' } })],
    ['a chat request without a body', chatUrl, { method: 'POST' }],
    ['bytes that are no text', chatUrl, { method: 'POST', body: new Uint8Array([0xff, 0xfe, 0x7b]) }],
  ])('sends on %s, the very same input and init', async (_what, url, init) => {
    const chat = openFetch()
    const answer = await chat.fetch(url, init)
    expect(chat.sent).toHaveLength(1)
    expect(chat.sent[0]?.input).toBe(url)
    expect(chat.sent[0]?.init).toBe(init)
    expect(answer.status).toBe(200)
    expect(chat.events).toEqual([])
    expect(await chat.dogear.branches()).toEqual([])
  })

  it('[R15] sends the very same input and init where nothing was changed', async () => {
    const chat = openFetch()
    const init = post(
      '{ "model":"m", "seed": 12345678901234567890,"messages":[{"role":"user","content":"\\u0041"}]}',
    )
    await chat.fetch(chatUrl, init)
    expect(chat.sent[0]?.init).toBe(init)
    const request = new Request(chatUrl, init)
    await chat.fetch(request)
    expect(chat.sent[1]?.input).toBe(request)
    expect(chat.sent[1]?.init).toBeUndefined()
    expect(await request.text()).toBe(init.body)
  })

  it('takes its own fetch from the page when it is called', async () => {
    const { dogear } = openFetch()
    const page = globalThis.fetch
    const sent: unknown[] = []
    const fetchOf = dogear.fetch({ branch: 'chat' })
    globalThis.fetch = async function (this: unknown, ...call) {
      sent.push(this, ...call)
      return jsonResponse({})
    }
    try {
      await fetchOf('https://api.example/v1/models')
    } finally {
      globalThis.fetch = page
    }
    expect(sent).toEqual([globalThis, 'https://api.example/v1/models', undefined])
  })

  it('[R30] learns from a completed request, and measures the next one by it', async () => {
    const chat = openFetch({
      policy: { maxInputTokens: 1_000_000 },
      answer: () => jsonResponse({ ...answer(40_000) }),
    })
    await chat.dogear.warmUp()
    await (await chat.fetch(chatUrl, post(long))).text()
    const next = { ...long, messages: [...(long.messages as []), { role: 'user', content: 'Go on.' }] }
    await chat.fetch(chatUrl, post(next))
    const { decisions } = await (await chat.dogear.branch('chat')).journal()
    expect(decisions[0]?.method).toBe('counted')
    expect(decisions[1]).toMatchObject({ method: 'anchored' })
    expect(decisions[1]?.before).toBeGreaterThan(40_000)
  })

  it('learns nothing from a figure that cannot be true, and tells of it', async () => {
    const figures = [80_000_000, 40_000]
    const chat = openFetch({
      policy: { maxInputTokens: 1_000_000 },
      answer: () => jsonResponse(answer(figures.shift() ?? 0)),
    })
    await chat.dogear.warmUp()
    await (await chat.fetch(chatUrl, post(long))).text()
    const next = { ...long, messages: [...(long.messages as []), { role: 'user', content: 'Go on.' }] }
    await (await chat.fetch(chatUrl, post(next))).text()
    const { decisions, settlements } = await (await chat.dogear.branch('chat')).journal()
    expect(settlements[0]).toMatchObject({ outcome: 'completed', usage: { input: 80_000_000 }, scale: 1 })
    expect(settlements[1]?.scale).toBeGreaterThan(1)
    expect(decisions[1]?.method).toBe('counted')
    expect(chat.warnings()).toEqual(['usage_unreadable'])
  })

  it.each([{ branch: '' }, { branch: undefined }, { branch: 5 }, { branch: 'a', fetch: 'no' }, null])(
    'refuses %j as options',
    (options) => {
      const { dogear } = openFetch()
      expect(() => dogear.fetch(options as never)).toThrow(
        expect.objectContaining({ code: 'invalid_argument' }),
      )
    },
  )
})

function answer(tokens: number): JsonObject {
  return { object: 'chat.completion', choices: [{ finish_reason: 'stop' }], usage: { prompt_tokens: tokens } }
}

describe('the branch of a request', () => {
  it('is named by a function that gets a request of its own', async () => {
    const chat = openFetch({
      branch: (request) => request.headers.get('x-chat'),
    })
    await chat.fetch(chatUrl, post(asks('One'), { headers: { 'x-chat': 'a' } }))
    await chat.fetch(new Request(chatUrl, post(asks('Two'), { headers: { 'x-chat': 'b' } })))
    expect((await chat.dogear.branches()).map(({ id }) => id).sort()).toEqual(['a', 'b'])
    const bodies: Promise<unknown>[] = []
    const reading = openFetch({
      branch: (request) => {
        bodies.push(request.json())
        return 'chat'
      },
    })
    await reading.fetch(new Request(chatUrl, post(asks('Three'))))
    expect(await Promise.all(bodies)).toEqual([asks('Three')])
    expect(await sentText(reading)).toBe(JSON.stringify(asks('Three')))
  })

  it('is none where the function says null: the request goes through untouched and unrecorded', async () => {
    const chat = openFetch({ branch: () => null })
    const init = post(asks('A title for this chat'))
    await chat.fetch(chatUrl, init)
    expect(chat.sent[0]?.init).toBe(init)
    expect(chat.events).toEqual([])
    expect(await chat.dogear.branches()).toEqual([])
  })

  it.each([
    [
      'throws',
      () => {
        throw new RangeError('secret words')
      },
      'branch_unnamed',
    ],
    ['returns no id', () => 7 as never, 'request_not_prepared'],
    ['returns an empty id', () => '', 'request_not_prepared'],
  ])('is none where the function %s, and the app is told', async (_what, branch, code) => {
    const chat = openFetch({ branch })
    const init = post(asks('Hello'))
    expect((await chat.fetch(chatUrl, init)).status).toBe(200)
    expect(chat.sent[0]?.init).toBe(init)
    expect(chat.warnings()).toEqual([code])
    expect(JSON.stringify(chat.events)).not.toContain('secret')
  })
})
