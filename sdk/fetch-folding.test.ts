import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from './engine/json.ts'
import { makeConversation } from './testing/conversation.ts'
import { chatUrl, closeFetches, jsonResponse, openFetch, post, sentText } from './testing/open-fetch.ts'

afterEach(closeFetches)

const long = makeConversation({ seed: 71, format: 'openai-chat', rounds: 14 }).request

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
    const chat = openFetch({ policy })
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
    const chat = openFetch({ policy })
    await chat.fetch(chatUrl, { method: 'POST', body })
    expect(chat.sent[0]?.init?.body).toBeInstanceOf(kind)
    expect(new Request(chatUrl, chat.sent[0]?.init).headers.get('content-type')).toBeNull()
  })

  it('[R252] holds each message that stayed as the text had it, and all that is no message', async () => {
    const chat = openFetch({ policy })
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
    const chat = openFetch({ policy })
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
    const chat = openFetch({
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

function answer(tokens: number): JsonObject {
  return { object: 'chat.completion', choices: [{ finish_reason: 'stop' }], usage: { prompt_tokens: tokens } }
}
