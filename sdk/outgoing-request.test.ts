import { describe, expect, it } from 'vitest'
import type { DecidedRequest } from './engine/decide.ts'
import { outgoingRequest } from './outgoing-request.ts'
import { openRequest } from './request-reading.ts'
import { openAiChat } from './wire/openai-chat/index.ts'

const call = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'one', type: 'function', function: { name: 'f', arguments: '{}' } }],
}
const result = { role: 'tool', tool_call_id: 'one', content: 'r' }
const opened = openRequest(openAiChat, {
  model: 'm',
  messages: [{ role: 'user', content: 'q' }, call, result],
})

function decided(messages: readonly object[]): DecidedRequest {
  return {
    changed: true,
    fields: new Map(),
    leading: new Map(),
    messages: messages.map((native) => ({ native, snapshot: native, indexes: [] })),
  } as unknown as DecidedRequest
}

describe('the gate of what leaves', () => {
  it("[R100] lets no request through that has a fault which the app's own had not", () => {
    expect(() => outgoingRequest(opened, decided([{ role: 'user', content: 'q' }, call]))).toThrow(
      expect.objectContaining({ code: 'compiled_request_invalid' }),
    )
    expect(outgoingRequest(opened, decided([{ role: 'user', content: 'q' }]))).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'q' }],
    })
  })
})
