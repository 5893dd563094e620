import { beforeAll, describe, expect, it } from 'vitest'
import { makeConversation } from './testing/conversation.ts'
import { loadTokenizer, type Tokenizer } from './tokenizer.ts'

let tokenizer: Tokenizer

beforeAll(async () => {
  tokenizer = await loadTokenizer()
})

describe('loadTokenizer', () => {
  it('counts texts', () => {
    expect(tokenizer.count('hello world')).toBe(2)
    expect(tokenizer.count('<|endoftext|>')).toBe(7)
  })

  it.each(['openai-chat', 'anthropic'] as const)(
    '[R23, R28] counts a %s request as one text, by part',
    (format) => {
      const { request } = makeConversation({ seed: 5, format, rounds: 8 })
      const counted = Object.fromEntries(
        ['system', 'messages', 'tools'].filter((key) => key in request).map((key) => [key, request[key]]),
      )
      const { total, parts } = tokenizer.countRequest(request)
      expect(total).toBe(tokenizer.count(JSON.stringify(counted)))
      expect(parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(total)
      expect(parts.map(({ part }) => part)).toEqual(
        expect.arrayContaining(['instruction', 'answer', 'call', 'result']),
      )
      expect(tokenizer.countRequest(request, format)).toEqual({ total, parts })
    },
  )

  it('names a request that it cannot count', () => {
    expect(() => tokenizer.countRequest({ prompt: 'hello' })).toThrow(
      expect.objectContaining({ code: 'unknown_format' }),
    )
    expect(() => tokenizer.countRequest('hello')).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    )
  })

  it('counts nothing after it was disposed of', async () => {
    const other = await loadTokenizer()
    other.dispose()
    const request = { model: 'gpt-5', messages: [{ role: 'user', content: 'hello' }] }
    for (const count of [() => other.count('hello'), () => other.countRequest(request)])
      expect(count).toThrow(expect.objectContaining({ code: 'tokenizer_unavailable' }))
  })
})
