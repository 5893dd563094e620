import { describe, expect, it, vi } from 'vitest'
import type { SendOwnRequest } from './branch.ts'
import type { WireFormat } from './engine/format.ts'
import type { JsonObject } from './engine/json.ts'
import { modelTransport } from './model-transport.ts'
import { openAiChat } from './wire/openai-chat/index.ts'

const request = {
  model: 'm',
  messages: [{ role: 'user', content: 'Hello' }],
  tools: [{ type: 'function', function: { name: 'read' } }],
} as unknown as JsonObject

const answer = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'They met.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 50, completion_tokens: 3 },
}

const question = { instructions: 'Write a record.', history: 'User: Hello' }

describe('asking the model of a request for a summary', () => {
  it('[R313, R338] sends a request of its own without tools, and reads what comes of it', async () => {
    const send = vi.fn<SendOwnRequest>(async () => answer)
    const { signal } = new AbortController()
    const written = await modelTransport({ wire: openAiChat, request }, { send })?.({ ...question, signal })
    expect(written).toEqual({ text: 'They met.', usage: openAiChat.readUsage(answer) })
    expect(written?.usage).not.toBeNull()
    const own = openAiChat.summaryRequest?.(request, question)
    expect(own).not.toHaveProperty('tools')
    expect(send.mock.calls).toEqual([[own, { signal }]])
  })

  it('[R338] names another model where one is to write, in the request and beside it', async () => {
    const send = vi.fn<SendOwnRequest>(async () => answer)
    const { signal } = new AbortController()
    await modelTransport({ wire: openAiChat, request }, { send })?.({ ...question, model: 'other', signal })
    expect(send.mock.calls[0]?.[0]).toMatchObject({ model: 'other' })
    expect(send.mock.calls[0]?.[1]).toEqual({ signal, model: 'other' })
  })

  it('passes on what sending came to', async () => {
    const send = () => Promise.reject(new Error('no way'))
    const { signal } = new AbortController()
    const asked = modelTransport({ wire: openAiChat, request }, { send })?.({ ...question, signal })
    await expect(asked).rejects.toThrow('no way')
  })

  it('cannot be done without a way to send, nor in a format that has no such request or cannot read its answer', () => {
    const send = async () => answer
    const { summaryRequest: _, ...unasked } = openAiChat
    const { readAnswer: __, ...unread } = openAiChat
    expect(modelTransport({ wire: openAiChat, request }, {})).toBeUndefined()
    for (const wire of [unasked, unread] as readonly WireFormat[])
      expect(modelTransport({ wire, request }, { send })).toBeUndefined()
  })
})
