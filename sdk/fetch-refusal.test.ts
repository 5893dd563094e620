import { afterEach, describe, expect, it } from 'vitest'
import { makeConversation } from './testing/conversation.ts'
import { asks, chatRequests, chatUrl, closeFetches, openFetch, post } from './testing/open-fetch.ts'

afterEach(closeFetches)

const long = makeConversation({ seed: 71, format: 'openai-chat', rounds: 14 }).request

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

  it.each(chatRequests)(
    '[R51, R55] is not sent: %s gets its own kind of rejection',
    async (format, url, body) => {
      const chat = openFetch({ policy: { maxInputTokens: 1 } })
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
    },
  )

  it('[R14] of bytes is none of the policy: what no provider would take is not sent', async () => {
    const chat = openFetch({ policy: { maxInputTokens: 'none' } })
    const source = { type: 'base64', media_type: 'image/png', data: 'A'.repeat(32_000_000) }
    const image = { model: 'm', messages: [{ role: 'user', content: [{ type: 'image', source }] }] }
    const refused = await chat.fetch('https://api.example/v1/messages', post(image))
    expect(chat.sent).toEqual([])
    expect(refused.status).toBe(413)
    expect(refused.headers.get('x-should-retry')).toBe('false')
    expect(await refused.json()).toMatchObject({ type: 'error', error: { code: 'request_too_large' } })
  })

  it('[R188] of one result that cannot be shortened to its bound is not sent either', async () => {
    const chat = openFetch({
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
    const chat = openFetch({ policy: { maxInputTokens: 30 } })
    const many = asks('word '.repeat(60))
    expect((await chat.fetch(chatUrl, post(many))).status).toBe(400)
    expect((await chat.fetch(chatUrl, post(many))).status).toBe(400)
    expect((await chat.fetch(chatUrl, post(asks('Hello')))).status).toBe(200)
  })
})
