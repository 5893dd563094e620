import { afterEach, describe, expect, it } from 'vitest'
import type { BranchOptions } from './branch.ts'
import type { JsonObject } from './engine/json.ts'
import {
  closeFetches,
  completion,
  jsonResponse,
  openFetch,
  post,
  type SentCall,
} from './testing/open-fetch.ts'
import { asksForSummary, talk, urls } from './testing/open-repairing.ts'

afterEach(closeFetches)

const answered = (text: string): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 10, output_tokens: 2 },
})

const rejection = (message: string): Response =>
  jsonResponse({ type: 'error', error: { type: 'invalid_request_error', message } }, { status: 400 })

const unbound = 'messages.1.content.0: Invalid `signature` in `thinking` block'

/** A talk with reasoning in its first answer. */
function reasoned(turns: number): JsonObject {
  const { messages, ...rest } = talk('anthropic', turns, false)
  const thought = [
    { type: 'thinking', thinking: 'They count.', signature: 's' },
    { type: 'text', text: 'One.' },
  ]
  return { ...rest, messages: (messages as JsonObject[]).with(1, { role: 'assistant', content: thought }) }
}

const bodyOf = ({ init }: SentCall): string => String(init?.body)

const keyOf = ({ init }: SentCall): string | null => new Headers(init?.headers).get('idempotency-key')

describe('a request whose reasoning is rejected', () => {
  it('leaves once more without it, under no key of the first, and the app is told', async () => {
    const test = openFetch({
      policy: { maxInputTokens: 'none' },
      answer: (call) =>
        bodyOf(call).includes('thinking') ? rejection(unbound) : jsonResponse(answered('Two.')),
    })
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'k1' }
    const response = await test.fetch(urls.anthropic, post(reasoned(2), { headers }))
    expect(await response.json()).toEqual(answered('Two.'))
    expect(test.sent.map(keyOf)).toEqual(['k1', null])
    expect(test.warnings()).toEqual(['reasoning_rejected'])
  })

  it('[R321, R328, R363] and then for its length, goes on by what is made to fit', async () => {
    const test = openFetch({
      policy: { maxInputTokens: 'none' },
      answer: (call) => {
        const text = bodyOf(call)
        if (asksForSummary(text)) return jsonResponse(answered('They counted.'))
        if (text.includes('thinking')) return rejection(unbound)
        const { messages } = JSON.parse(text)
        return messages.length > 20 ? rejection('prompt is too long') : jsonResponse(answered('Two.'))
      },
    })
    const response = await test.fetch(urls.anthropic, post(reasoned(16)))
    expect(await response.json()).toEqual(answered('Two.'))
    expect(test.sent).toHaveLength(4)
    const last = test.sent.at(-1)
    expect(last && bodyOf(last)).toContain('They counted.')
  })
})

describe('a rejection without a word', () => {
  it('[R321, R322] is known by its status and by who sent it', async () => {
    const sentTo = async (options: BranchOptions) => {
      const test = openFetch({
        policy: { maxInputTokens: 'none' },
        answer: (call) => {
          const text = bodyOf(call)
          const isLong = !asksForSummary(text) && JSON.parse(text).messages.length > 20
          return isLong ? new Response('', { status: 400 }) : jsonResponse(completion())
        },
      })
      await test.dogear.branch('chat', options)
      const { status } = await test.fetch(urls['openai-chat'], post(talk('openai-chat', 16, false)))
      return { status, requests: test.sent.length, warnings: test.warnings() }
    }
    expect(await sentTo({ provider: 'cerebras' })).toEqual({ status: 200, requests: 3, warnings: [] })
    expect(await sentTo({})).toEqual({ status: 400, requests: 1, warnings: [] })
  })
})
