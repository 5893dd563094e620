import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from './engine/json.ts'
import { memoryStore } from './stores/memory.ts'
import { makeConversation } from './testing/conversation.ts'
import {
  asks,
  chatUrl,
  jsonResponse,
  openFetch,
  post,
  type TestFetch,
  type TestFetchOptions,
} from './testing/open-fetch.ts'

const opened: TestFetch[] = []

function open(options?: TestFetchOptions): TestFetch {
  const chat = openFetch(options)
  opened.push(chat)
  return chat
}

afterEach(async () => {
  for (const { dogear } of opened.splice(0)) await dogear.close()
})

const long = makeConversation({ seed: 71, format: 'openai-chat', rounds: 14 }).request

async function entriesOf({ dogear }: TestFetch, id = 'chat'): Promise<number> {
  return (await (await dogear.branch(id)).status()).entries
}

/** The body that reached the network, as text. */
async function sentText({ sent }: TestFetch, place = -1): Promise<string> {
  const call = sent.at(place)
  if (call === undefined) throw new Error('nothing was sent')
  return new Request(call.input, call.init).text()
}

const formats: readonly (readonly [format: string, url: string, body: JsonObject])[] = [
  ['openai-chat', chatUrl, asks('Hello')],
  ['openai-responses', 'https://api.example/v1/responses', { model: 'm', input: 'Hello' }],
  [
    'anthropic',
    'https://api.example/v1/messages?beta=true',
    { model: 'claude-opus-5-5', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] },
  ],
  [
    'gemini',
    'https://api.example/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse',
    { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
  ],
]

describe('dogear.fetch', () => {
  it.each(formats)('prepares a request of %s and records it', async (format, url, body) => {
    const chat = open()
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
    ['https://api.example/v1beta/models/gemini-3-pro:generateContent', formats[3]?.[2], 'gemini-3-pro'],
    ['https://api.example/v1beta/models/gemini-3-pro:generateContent/', formats[3]?.[2], 'gemini-3-pro'],
  ])('knows the model of %s', async (url, body, model) => {
    const chat = open()
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
    const chat = open()
    const answer = await chat.fetch(url, init)
    expect(chat.sent).toHaveLength(1)
    expect(chat.sent[0]?.input).toBe(url)
    expect(chat.sent[0]?.init).toBe(init)
    expect(answer.status).toBe(200)
    expect(chat.events).toEqual([])
    expect(await chat.dogear.branches()).toEqual([])
  })

  it('[R15] sends the very same input and init where nothing was changed', async () => {
    const chat = open()
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
    const { dogear } = open()
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
    const chat = open({
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

  it.each([{ branch: '' }, { branch: undefined }, { branch: 5 }, { branch: 'a', fetch: 'no' }, null])(
    'refuses %j as options',
    (options) => {
      const { dogear } = open()
      expect(() => dogear.fetch(options as never)).toThrow(
        expect.objectContaining({ code: 'invalid_argument' }),
      )
    },
  )
})

function answer(tokens: number): JsonObject {
  return { object: 'chat.completion', choices: [{ finish_reason: 'stop' }], usage: { prompt_tokens: tokens } }
}

describe('a request that is folded', () => {
  const policy = { maxInputTokens: 6000, compaction: { mode: 'off' } } as const
  const text = JSON.stringify(long).replaceAll('"role":', ' "role" :')

  const kinds: readonly (readonly [string, () => [RequestInfo | URL, RequestInit?]])[] = [
    ['a string', () => [chatUrl, post(text)]],
    ['bytes', () => [new URL(chatUrl), post('', { body: new TextEncoder().encode(text) })]],
    ['a buffer', () => [chatUrl, post('', { body: new TextEncoder().encode(text).buffer })]],
    ['a blob', () => [chatUrl, post('', { body: new Blob([text], { type: 'application/json' }) })]],
    ['a request', () => [new Request(chatUrl, post(text))]],
    ['a request and an init', () => [new Request(chatUrl, post('{}')), { body: text }]],
  ]

  it.each(kinds)('leaves changed where it came as %s, and is under the ceiling', async (_kind, call) => {
    const chat = open({ policy })
    await chat.fetch(...call())
    const [decision] = (await (await chat.dogear.branch('chat')).journal()).decisions
    expect(decision).toMatchObject({ action: 'fold', sent: true })
    const body = await sentText(chat)
    expect(body.length).toBeLessThan(text.length / 2)
    const { messages, ...rest } = JSON.parse(body)
    const { messages: before, ...restBefore } = long
    expect(rest).toEqual(restBefore)
    expect(messages.length).toBeLessThan((before as []).length)
    const sent = new Request(chat.sent[0]?.input ?? '', chat.sent[0]?.init)
    expect(sent.method).toBe('POST')
    expect(sent.headers.get('content-type')).toBe('application/json')
  })

  it.each([
    ['bytes', new TextEncoder().encode(text), Uint8Array],
    ['a blob', new Blob([text]), Blob],
  ])('leaves as %s where it came as that, for its kind may decide a header', async (_kind, body, kind) => {
    const chat = open({ policy })
    await chat.fetch(chatUrl, { method: 'POST', body })
    expect(chat.sent[0]?.init?.body).toBeInstanceOf(kind)
    expect(new Request(chatUrl, chat.sent[0]?.init).headers.get('content-type')).toBeNull()
  })

  it('[R252] holds each message that stayed as the text had it, and all that is no message', async () => {
    const chat = open({ policy })
    await chat.fetch(chatUrl, post(text))
    const body = await sentText(chat)
    const before = new Set((long.messages as JsonObject[]).map((message) => JSON.stringify(message)))
    const kept = (JSON.parse(body).messages as JsonObject[])
      .map((message) => JSON.stringify(message))
      .filter((message) => before.has(message))
    expect(kept.length).toBeGreaterThan(6)
    for (const message of kept) expect(body).toContain(message.replaceAll('"role":', ' "role" :'))
    expect(body.startsWith(text.slice(0, text.indexOf('"messages"')))).toBe(true)
  })

  it('states the length that it has, and leaves other headers and settings as they are', async () => {
    const chat = open({ policy })
    const headers = {
      'content-type': 'application/json',
      'content-length': String(text.length),
      'x-key': 'k',
    }
    const init = post(text, { headers, keepalive: true, ...{ dispatcher: 'own' } })
    await chat.fetch(chatUrl, init)
    const sent = chat.sent[0]?.init
    const bytes = new TextEncoder().encode(await sentText(chat)).byteLength
    expect([...new Headers(sent?.headers)]).toEqual([
      ['content-length', String(bytes)],
      ['content-type', 'application/json'],
      ['x-key', 'k'],
    ])
    expect(sent).toMatchObject({ method: 'POST', keepalive: true, dispatcher: 'own' })
    expect(headers['content-length']).toBe(String(text.length))
    await chat.fetch(chatUrl, post(text))
    expect(chat.sent[1]?.init?.headers).toEqual({ 'content-type': 'application/json' })
  })

  it('goes out again with the same bytes when the client sends it again', async () => {
    let answers = 0
    const chat = open({
      policy,
      answer: () =>
        answers++ === 0 ? jsonResponse({ error: {} }, { status: 429 }) : jsonResponse(answer(4000)),
    })
    const first = await chat.fetch(chatUrl, post(text))
    await first.body?.cancel()
    await (await chat.fetch(chatUrl, post(text))).text()
    expect(await sentText(chat, 1)).toBe(await sentText(chat, 0))
    const { decisions, folds, settlements } = await (await chat.dogear.branch('chat')).journal()
    expect(decisions.map(({ attempt }) => attempt)).toEqual([1, 2])
    expect(new Set(decisions.map(({ requestId }) => requestId)).size).toBe(1)
    expect(new Set(folds.map(({ requestId }) => requestId)).size).toBe(1)
    expect(settlements.map(({ outcome }) => outcome)).toEqual(['failed', 'completed'])
  })
})

describe('the branch of a request', () => {
  it('is named by a function that gets a request of its own', async () => {
    const chat = open({
      branch: (request) => request.headers.get('x-chat'),
    })
    await chat.fetch(chatUrl, post(asks('One'), { headers: { 'x-chat': 'a' } }))
    await chat.fetch(new Request(chatUrl, post(asks('Two'), { headers: { 'x-chat': 'b' } })))
    expect((await chat.dogear.branches()).map(({ id }) => id).sort()).toEqual(['a', 'b'])
    const bodies: Promise<unknown>[] = []
    const reading = open({
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
    const chat = open({ branch: () => null })
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
    const chat = open({ branch })
    const init = post(asks('Hello'))
    expect((await chat.fetch(chatUrl, init)).status).toBe(200)
    expect(chat.sent[0]?.init).toBe(init)
    expect(chat.warnings()).toEqual([code])
    expect(JSON.stringify(chat.events)).not.toContain('secret')
  })
})

describe('a request over the ceiling', () => {
  const errorShapes: Readonly<Record<string, unknown>> = {
    'openai-chat': {
      error: { type: 'invalid_request_error', code: 'input_ceiling_exceeded', param: 'messages' },
    },
    'openai-responses': {
      error: { type: 'invalid_request_error', code: 'input_ceiling_exceeded', param: 'input' },
    },
    anthropic: {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        code: 'input_ceiling_exceeded',
        details: { error_code: 'input_ceiling_exceeded' },
      },
    },
    gemini: {
      error: { code: 400, status: 'INVALID_ARGUMENT', details: [{ reason: 'input_ceiling_exceeded' }] },
    },
  }

  it.each(formats)('[R51, R55] is not sent: %s gets its own kind of rejection', async (format, url, body) => {
    const chat = open({ policy: { maxInputTokens: 1 } })
    const refused = await chat.fetch(url, post(body))
    expect(chat.sent).toEqual([])
    expect(refused.status).toBe(400)
    expect(Object.fromEntries(refused.headers)).toEqual({
      'content-type': 'application/json',
      'x-should-retry': 'false',
      'x-dogear': 'refused',
    })
    expect(await refused.json()).toMatchObject(errorShapes[format] as object)
    const { decisions } = await (await chat.dogear.branch('chat')).journal()
    expect(decisions).toMatchObject([{ action: 'refuse', sent: false }])
  })

  it('[R14] of bytes is none of the policy: what no provider would take is not sent', async () => {
    const chat = open({ policy: { maxInputTokens: 'none' } })
    const source = { type: 'base64', media_type: 'image/png', data: 'A'.repeat(32_000_000) }
    const image = { model: 'm', messages: [{ role: 'user', content: [{ type: 'image', source }] }] }
    const refused = await chat.fetch('https://api.example/v1/messages', post(image))
    expect(chat.sent).toEqual([])
    expect(refused.status).toBe(413)
    expect(refused.headers.get('x-should-retry')).toBe('false')
    expect(await refused.json()).toMatchObject({ type: 'error', error: { code: 'request_too_large' } })
  })

  it('[R188] of one result that cannot be shortened to its bound is not sent either', async () => {
    const chat = open({
      policy: { maxInputTokens: 'none', toolResultMaxChars: 1024 },
      contextToolName: 'c'.repeat(1000),
    })
    const results = {
      ...long,
      tools: [
        {
          type: 'function',
          function: {
            name: 'c'.repeat(1000),
            parameters: { properties: { action: { enum: ['read_result'] } } },
          },
        },
      ],
    }
    const refused = await chat.fetch(chatUrl, post(results))
    expect(chat.sent).toEqual([])
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ error: { code: 'result_over_bound' } })
  })

  it('[R52] stays refused when it is sent again, and ends with a new instruction that fits', async () => {
    const chat = open({ policy: { maxInputTokens: 30 } })
    const many = asks('word '.repeat(60))
    expect((await chat.fetch(chatUrl, post(many))).status).toBe(400)
    expect((await chat.fetch(chatUrl, post(many))).status).toBe(400)
    expect((await chat.fetch(chatUrl, post(asks('Hello')))).status).toBe(200)
  })
})

describe('a request that cannot be prepared', () => {
  it.each<[string, string, string]>([
    ['no JSON', '{"model": "m", "messages"', 'request_unreadable'],
    ['a JSON list', '[1]', 'request_unreadable'],
    ['an empty text', ' ', 'request_unreadable'],
    ['a JSON of another shape', '{"prompt":"Hello"}', 'request_not_prepared'],
    ['a list without messages', '{"messages":[]}', 'request_not_prepared'],
    ['messages that are none', '{"messages":["secret words"]}', 'request_not_prepared'],
  ])('for it is %s goes out as it came, and the app is told on the branch', async (_what, body, code) => {
    const chat = open()
    const init = post(body)
    const response = await chat.fetch(chatUrl, init)
    expect(response.status).toBe(200)
    expect(chat.sent).toHaveLength(1)
    expect(chat.sent[0]?.init).toBe(init)
    expect(chat.warnings()).toEqual([code])
    expect(chat.events.at(-1)).toMatchObject({ type: 'warning', branchId: 'chat' })
    expect(JSON.stringify(chat.events)).not.toContain('secret')
    expect(await chat.dogear.branches()).toEqual([])
  })

  it('is told to the page where a function should have named its branch', async () => {
    let asked = 0
    const chat = open({ branch: () => `chat${++asked}` })
    await chat.fetch(chatUrl, post('no JSON'))
    expect(chat.warnings()).toEqual(['request_unreadable'])
    expect(chat.events[0]).toMatchObject({ branchId: '' })
    expect(asked).toBe(0)
  })

  it('goes out as it came from a dogear that was closed', async () => {
    const chat = open()
    await chat.dogear.close()
    const init = post(asks('Hello'))
    expect((await chat.fetch(chatUrl, init)).status).toBe(200)
    expect(chat.sent[0]?.init).toBe(init)
    expect(chat.warnings()).toEqual(['request_not_prepared'])
  })

  it('goes out as it came where its body or its headers cannot be read', async () => {
    const chat = open()
    const used = new Request(chatUrl, post(asks('Hello')))
    await used.text()
    await chat.fetch(used)
    const init = post(asks('Hello'), { headers: { 'no header': 'x' } })
    await chat.fetch(chatUrl, init)
    expect(chat.sent.map(({ input }) => input)).toEqual([used, chatUrl])
    expect(chat.sent[1]?.init).toBe(init)
  })

  it('keeps no app waiting that gives up, however long a store takes, and ends what was prepared by then', async () => {
    const store = memoryStore()
    let release: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow = (method: 'load' | 'commit') => {
      const controller = new AbortController()
      const waits = async () => {
        controller.abort()
        await gate
      }
      const chat = open({
        store: {
          ...store,
          async load(id) {
            if (method === 'load') await waits()
            return store.load(id)
          },
          async commit(change) {
            if (method === 'commit') await waits()
            await store.commit(change)
          },
        },
      })
      return { chat, sending: chat.fetch(chatUrl, post(asks('Hello'), { signal: controller.signal })) }
    }
    const loading = slow('load')
    await expect(loading.sending).rejects.toMatchObject({ name: 'AbortError' })
    const storing = slow('commit')
    await expect(storing.sending).rejects.toMatchObject({ name: 'AbortError' })
    release()
    const branch = await storing.chat.dogear.branch('chat')
    await branch.status()
    expect((await branch.journal()).settlements).toMatchObject([{ outcome: 'aborted' }])
    expect([...loading.chat.sent, ...storing.chat.sent]).toEqual([])
  })

  it('is given up when its signal says so, and nothing is sent', async () => {
    const chat = open({ policy: { maxInputTokens: 6000 } })
    const controller = new AbortController()
    const reason = new Error('enough')
    const sending = chat.fetch(chatUrl, post(long, { signal: controller.signal }))
    controller.abort(reason)
    await expect(sending).rejects.toBe(reason)
    expect(chat.sent).toEqual([])
    await expect(chat.fetch(chatUrl, post(long, { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason)
    expect(chat.sent).toEqual([])
    expect(chat.warnings()).toEqual([])
    expect((await chat.fetch(chatUrl, post(long))).status).toBe(200)
  })
})
