import { describe, expect, it } from 'vitest'
import { responseId } from './response-id.ts'

describe('responseId', () => {
  const response = { object: 'response', id: 'resp_1' }

  it.each([
    ['a response', response, 'resp_1'],
    ['a response of a conversation', { ...response, conversation: { id: 'conv_1' } }, 'conv_1'],
    ['a response of no conversation', { ...response, conversation: null }, 'resp_1'],
    [
      'a stream',
      [
        { type: 'response.created', response },
        { type: 'response.completed', response },
      ],
      'resp_1',
    ],
    ['server-sent events', [{ data: JSON.stringify({ type: 'response.created', response }) }], 'resp_1'],
    ['a message of another format', { id: 'msg_1', type: 'message' }, null],
    ['an item of a stream', [{ type: 'response.output_item.done', item: { id: 'msg_1' } }], null],
    ['nothing', undefined, null],
  ])('is the name of %s', (_what, given, id) => {
    expect(responseId(given)).toBe(id)
  })
})
