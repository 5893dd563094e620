import { afterEach, describe, expect, it } from 'vitest'
import type { SettlementRecord } from './engine/journal.ts'
import {
  asks,
  chatUrl,
  closeFetches,
  completion,
  jsonResponse,
  openFetch,
  post,
  type TestFetch,
  warningsOf,
} from './testing/open-fetch.ts'

function open(answer: () => Response | Promise<Response>): TestFetch {
  return openFetch({ answer })
}

afterEach(closeFetches)

async function settlements({ dogear }: TestFetch): Promise<readonly SettlementRecord[]> {
  return (await (await dogear.branch('chat')).journal()).settlements
}

async function delivered({ dogear }: TestFetch): Promise<boolean | undefined> {
  return (await (await dogear.branch('chat')).getMessages()).messages[0]?.delivered
}

/** Sends one request, reads the answer to its end, and tells how it was settled. */
async function roundOf(chat: TestFetch, url = chatUrl, body: unknown = asks('Hello')) {
  const text = await (await chat.fetch(url, post(body))).text()
  return { text, settled: await settlements(chat), delivered: await delivered(chat) }
}

function events(list: readonly unknown[], done = true): string {
  return [...list.map((event) => JSON.stringify(event)), ...(done ? ['[DONE]'] : [])]
    .map((data) => `data: ${data}\r\n\r\n`)
    .join('')
}

const sse = { headers: { 'content-type': 'text/event-stream; charset=utf-8' } }
const delta = { choices: [{ delta: { content: 'Two' }, finish_reason: null }] }
const stop = { choices: [{ delta: {}, finish_reason: 'stop' }] }
const usage = { choices: [], usage: { prompt_tokens: 21, completion_tokens: 3 } }

const anthropicUrl = 'https://api.example/v1/messages'
const anthropicBody = { model: 'claude-opus-5-5', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }
const anthropicEvents = [
  {
    type: 'message_start',
    message: {
      type: 'message',
      id: 'msg_1',
      usage: { input_tokens: 5, cache_read_input_tokens: 16, output_tokens: 1 },
    },
  },
  { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Two' } },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
  { type: 'message_stop' },
]
const responsesUrl = 'https://api.example/v1/responses'
const responsesBody = { model: 'm', input: 'Hi' }
const completed = {
  type: 'response.completed',
  response: {
    object: 'response',
    id: 'r1',
    status: 'completed',
    usage: { input_tokens: 21, output_tokens: 3 },
  },
}
const geminiUrl = 'https://api.example/v1beta/models/gemini-3-pro:streamGenerateContent'
const geminiBody = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }
const geminiChunks = [
  { candidates: [{ content: { parts: [{ text: 'T' }] } }], usageMetadata: { promptTokenCount: 21 } },
  {
    candidates: [{ finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 21, candidatesTokenCount: 3 },
  },
]

describe('an answer that came to its end', () => {
  it.each<[string, () => Response, string?, unknown?]>([
    ['a JSON body', () => jsonResponse(completion({ prompt_tokens: 21, completion_tokens: 3 }))],
    ['a stream that says so by its last sign alone', () => new Response(events([delta, usage]), sse)],
    ['a stream', () => new Response(events([delta, stop, usage]), sse)],
    [
      'a stream without a last empty line',
      () => new Response(events([delta, stop, usage], false).trimEnd(), sse),
    ],
    ['a stream with a byte order mark', () => new Response(`\uFEFF${events([delta, stop, usage])}`, sse)],
    [
      'a JSON text per line',
      () =>
        new Response([delta, stop, usage].map((line) => JSON.stringify(line)).join('\n'), {
          headers: { 'content-type': 'application/x-ndjson' },
        }),
    ],
    [
      'a stream of Anthropic',
      () => new Response(events(anthropicEvents, false), sse),
      anthropicUrl,
      anthropicBody,
    ],
    [
      'a stream of Responses',
      () => new Response(events([completed], false), sse),
      responsesUrl,
      responsesBody,
    ],
    [
      'a stream of Gemini',
      () => new Response(events(geminiChunks, false), sse),
      `${geminiUrl}?alt=sse`,
      geminiBody,
    ],
    ['a list of Gemini', () => jsonResponse(geminiChunks), geminiUrl, geminiBody],
  ])('[R32, R33, R38] in %s is settled with its usage', async (_what, answer, url, body) => {
    const chat = open(answer)
    const round = await roundOf(chat, url, body)
    expect(round.text).toBe(await answer().text())
    expect(round.settled).toMatchObject([
      { outcome: 'completed', usage: { input: 21, output: 3, isTotal: false } },
    ])
    expect(round.delivered).toBe(true)
    expect(chat.warnings()).toEqual([])
  })

  it('is read whatever pieces its bytes come in', async () => {
    const bytes = new TextEncoder().encode(
      events([{ choices: [{ delta: { content: 'zwölf €' } }] }, stop, usage]),
    )
    const chat = open(
      () =>
        new Response(
          new ReadableStream({
            start(controller) {
              for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
              controller.close()
            },
          }),
          sse,
        ),
    )
    expect((await roundOf(chat)).settled).toMatchObject([{ outcome: 'completed', usage: { input: 21 } }])
  })

  it('[R39] may be continued: its id and its size are kept', async () => {
    const chat = open(() => new Response(events([completed], false), sse))
    await roundOf(chat, responsesUrl, responsesBody)
    await roundOf(chat, responsesUrl, { ...responsesBody, input: 'On', previous_response_id: 'r1' })
    const { decisions } = await (await chat.dogear.branch('chat')).journal()
    expect(decisions[1]).toMatchObject({ method: 'remote' })
  })

  it.each([
    ['no usage', null, 'usage_missing'],
    ['negative usage', { prompt_tokens: -4 }, 'usage_unreadable'],
    ['absurd usage', { prompt_tokens: 9e15, completion_tokens: 1 }, 'usage_unreadable'],
    ['usage in words', { prompt_tokens: 'many' }, 'usage_unreadable'],
  ])('with %s is complete, teaches nothing, and the app is told', async (_what, reported, code) => {
    const chat = open(() => jsonResponse(completion(reported)))
    const round = await roundOf(chat)
    expect(JSON.parse(round.text)).toEqual(JSON.parse(JSON.stringify(completion(reported))))
    expect(round.settled).toMatchObject([{ outcome: 'completed', scale: 1 }])
    expect(round.settled[0]?.usage?.input).toBeUndefined()
    expect(chat.warnings()).toEqual([code])
    expect(chat.events.at(-1)).toMatchObject({ branchId: 'chat', requestId: round.settled[0]?.requestId })
  })

  it('with another content type than its own is read by its looks, and the app is told', async () => {
    const chat = open(
      () => new Response(events([stop, usage]), { headers: { 'content-type': 'text/plain' } }),
    )
    expect((await roundOf(chat)).settled).toMatchObject([{ outcome: 'completed', usage: { input: 21 } }])
    expect(chat.warnings()).toEqual(['response_of_other_type'])
    const other = open(() => jsonResponse(completion(), { headers: { 'content-type': 'text/html' } }))
    expect((await roundOf(other)).settled).toMatchObject([{ outcome: 'completed' }])
    expect(other.warnings()).toEqual(['response_of_other_type'])
  })
})

describe('an answer that did not come to its end', () => {
  it.each<[string, () => Response, string, number?, string?, unknown?]>([
    ['a stream that was cut', () => new Response(events([delta], false), sse), 'response_truncated'],
    [
      'a stream of Anthropic that was cut',
      () => new Response(events(anthropicEvents.slice(0, 2), false), sse),
      'response_truncated',
      21,
      anthropicUrl,
      anthropicBody,
    ],
    [
      'a JSON body that was cut',
      () =>
        new Response(JSON.stringify(completion()).slice(0, -9), {
          headers: { 'content-type': 'application/json' },
        }),
      'response_unreadable',
    ],
    [
      'a page of a proxy',
      () => new Response('<html>Log in</html>', { headers: { 'content-type': 'text/html' } }),
      'response_unreadable',
    ],
    ['JSON of another shape', () => jsonResponse({ hello: 1 }), 'response_unreadable'],
    ['an empty body', () => new Response('', sse), 'response_unreadable'],
    ['no body', () => new Response(null, { status: 204 }), 'response_unreadable'],
    [
      'an error amid a stream',
      () => new Response(events([delta, { error: { message: 'gone' } }]), sse),
      'response_failed',
    ],
    [
      'an error with status 200',
      () => jsonResponse({ error: { code: 402, message: 'no credit' } }),
      'response_failed',
    ],
    [
      'an error event of Anthropic',
      () =>
        new Response(
          events(
            [...anthropicEvents.slice(0, 2), { type: 'error', error: { type: 'overloaded_error' } }],
            false,
          ),
          sse,
        ),
      'response_failed',
      21,
      anthropicUrl,
      anthropicBody,
    ],
    [
      'a failed response',
      () =>
        new Response(
          events(
            [
              {
                type: 'response.failed',
                response: { ...completed.response, status: 'failed', error: { code: 'server_error' } },
              },
            ],
            false,
          ),
          sse,
        ),
      'response_failed',
      21,
      responsesUrl,
      responsesBody,
    ],
  ])(
    '[R84] %s is a failure of which the app is told, and delivers nothing',
    async (_what, answer, code, input, url, body) => {
      const chat = open(answer)
      const round = await roundOf(chat, url, body)
      expect(round.text).toBe(await answer().text())
      expect(round.settled).toMatchObject([{ outcome: 'failed', scale: 1 }])
      expect(round.settled[0]?.usage?.input).toBe(input)
      expect(round.delivered).toBe(false)
      expect(chat.warnings()).toEqual([code])
      expect(JSON.stringify(warningsOf(chat.events))).not.toMatch(/gone|credit|Log in/)
    },
  )

  it.each([429, 500, 400])('a rejection with %i is a failure, and the app reads it', async (status) => {
    const chat = open(() =>
      jsonResponse({ error: { message: 'no' } }, { status, headers: { 'retry-after': '1' } }),
    )
    const response = await chat.fetch(chatUrl, post(asks('Hello')))
    expect(response.status).toBe(status)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await response.json()).toEqual({ error: { message: 'no' } })
    expect(await settlements(chat)).toMatchObject([{ outcome: 'failed' }])
    expect(chat.warnings()).toEqual([])
  })

  it('a rejection whose body the client throws away is a failure too', async () => {
    const chat = open(() => jsonResponse({ error: {} }, { status: 503 }))
    await (await chat.fetch(chatUrl, post(asks('Hello')))).body?.cancel()
    expect(await settlements(chat)).toMatchObject([{ outcome: 'failed' }])
  })

  it('a connection that was never made is a failure, and the client gets its error', async () => {
    const error = new TypeError('fetch failed')
    const chat = open(() => Promise.reject(error))
    await expect(chat.fetch(chatUrl, post(asks('Hello')))).rejects.toBe(error)
    expect(await settlements(chat)).toMatchObject([{ outcome: 'failed' }])
  })

  it('one that the app aborted before it was answered is aborted', async () => {
    const controller = new AbortController()
    const chat = open(async () => {
      controller.abort(new RangeError('took too long'))
      throw controller.signal.reason
    })
    const sending = chat.fetch(chatUrl, post(asks('Hello'), { signal: controller.signal }))
    await expect(sending).rejects.toMatchObject({ name: 'RangeError' })
    expect(await settlements(chat)).toMatchObject([{ outcome: 'aborted' }])
  })

  it.each(['an init', 'a request'])(
    '[R43, R84] one aborted midway keeps the usage that had come, with the signal of %s',
    async (where) => {
      const start = new TextEncoder().encode(events(anthropicEvents.slice(0, 2), false))
      let end: () => void = () => undefined
      const body = new ReadableStream({
        start(stream) {
          stream.enqueue(start)
          end = () => stream.close()
        },
      })
      const chat = open(() => new Response(body, sse))
      const controller = new AbortController()
      const init = post(anthropicBody, { signal: controller.signal })
      const response = await (where === 'an init'
        ? chat.fetch(anthropicUrl, init)
        : chat.fetch(new Request(anthropicUrl, init)))
      const reader = response.body?.getReader()
      await reader?.read()
      controller.abort()
      expect(await settlements(chat)).toMatchObject([{ outcome: 'aborted', usage: { input: 21 }, scale: 1 }])
      expect(await delivered(chat)).toBe(false)
      // How it ends from here on is nobody's business any more.
      end()
      await reader?.read()
      expect(chat.warnings()).toEqual([])
    },
  )

  it('tries again as a second attempt of the same request, with an answer that completes it', async () => {
    let answers = 0
    const chat = open(async () => {
      if (answers++ === 0) throw new TypeError('fetch failed')
      return jsonResponse(completion())
    })
    await expect(chat.fetch(chatUrl, post(asks('Hello')))).rejects.toThrow('fetch failed')
    await roundOf(chat)
    const settled = await settlements(chat)
    expect(settled).toMatchObject([
      { outcome: 'failed', attempt: 1 },
      { outcome: 'completed', attempt: 2 },
    ])
    expect(settled[0]?.requestId).toBe(settled[1]?.requestId)
  })
})

describe('what a response is settled with', () => {
  it('is settled ahead of what the app asks for next', async () => {
    const chat = open(() => jsonResponse(completion()))
    const response = await chat.fetch(chatUrl, post(asks('Hello')))
    await response.text()
    await (await chat.fetch(chatUrl, post(asks('Hello', 'Two.', 'On')))).text()
    const order = chat.events.flatMap(({ type }) =>
      type === 'request-decided' || type === 'request-settled' ? [type] : [],
    )
    await settlements(chat)
    expect(order.slice(0, 3)).toEqual(['request-decided', 'request-settled', 'request-decided'])
  })

  it('is nothing where the branch was deleted meanwhile: the app has its answer, and is told', async () => {
    const chat = open(() => jsonResponse(completion()))
    const response = await chat.fetch(chatUrl, post(asks('Hello')))
    await (await chat.dogear.branch('chat')).delete()
    expect(await response.json()).toEqual(completion())
    await Promise.resolve()
    expect(chat.warnings()).toEqual(['request_not_settled'])
  })
})
