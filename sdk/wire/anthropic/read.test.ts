import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../engine/json.ts'
import { readRequest } from './read.ts'

const go: JsonObject = { role: 'user', content: 'go' }

function read(request: JsonObject) {
  const outcome = readRequest({ messages: [go], ...request })
  if (outcome.type === 'fault') throw new Error(outcome.fault.path)
  return outcome.request
}

describe('readRequest', () => {
  it('[R27, R28] counts the keys that are counted, in their order, the schema of the answer last', () => {
    const { fields } = read({
      output_config: { format: {} },
      max_tokens: 9,
      tools: [],
      system: [{ type: 'text', text: 's' }],
      model: 'claude-opus-4-8',
    })
    expect(fields.map((field) => [field.key, field.type === 'value' ? field.part : null])).toEqual([
      ['system', 'system'],
      ['messages', null],
      ['tools', 'tools'],
      ['output_config', 'other'],
    ])
  })

  it('takes every message for an entry, a system message too', () => {
    const messages = [go, { role: 'system', content: 'x' }]
    expect(read({ messages })).toMatchObject({ leading: [], messages })
  })

  it('[R218] knows the context tool by its schema', () => {
    const schema = { type: 'object', properties: { action: { type: 'string', enum: ['read_result'] } } }
    const tools = [
      { name: 'memory', input_schema: schema },
      { name: 'look', input_schema: { type: 'object' } },
      { type: 'web_search_20250305', name: 'web_search' },
      { input_schema: schema },
    ]
    expect(read({ tools }).tools).toEqual([
      { name: 'memory', readsResults: true },
      { name: 'look', readsResults: false },
      { name: 'web_search', readsResults: false },
    ])
  })

  it('[R42] says that a thread holds the history where the request says so, and only then', () => {
    expect(read({ thread: { type: 'continue', previous_message_id: 'msg_1' } }).continues).toBe('msg_1')
    expect(read({ thread: { type: 'create' } })).not.toHaveProperty('continues')
    expect(read({ previous_message_id: 'msg_1' })).not.toHaveProperty('continues')
  })

  it('says where thinking must lead the turn', () => {
    const thinking = { type: 'enabled', budget_tokens: 1_024 }
    expect(read({ model: 'claude-sonnet-4-5', thinking }).keepsTurnHead).toBe(true)
    expect(read({ model: 'claude-opus-5-5', thinking })).not.toHaveProperty('keepsTurnHead')
    expect(read({ model: 'claude-sonnet-4-5' })).not.toHaveProperty('keepsTurnHead')
    expect(read({ model: 'claude-opus-4-8', thinking: { type: 'adaptive' } })).not.toHaveProperty(
      'keepsTurnHead',
    )
  })

  it.each<[string, JsonObject, string, string, string]>([
    ['an empty list', { messages: [] }, 'messages', 'a list of at least one message', 'an empty list'],
    ['null for a message', { messages: [go, null] }, 'messages[1]', 'a message object', 'null'],
    [
      'a number for a role',
      { messages: [{ role: 1, content: 'x' }] },
      'messages[0].role',
      'a role such as "user"',
      'number',
    ],
    [
      'no content',
      { messages: [{ role: 'user' }] },
      'messages[0].content',
      'text or a list of content blocks',
      'nothing',
    ],
    [
      'an object for content',
      { messages: [{ role: 'user', content: { text: 'secret' } }] },
      'messages[0].content',
      'text or a list of content blocks',
      'object',
    ],
    [
      'a list for a block',
      { messages: [{ role: 'user', content: [[]] }] },
      'messages[0].content[0]',
      'an object',
      'a list',
    ],
  ])('says where %s stands, and what it should be', (_what, request, path, expected, actual) => {
    expect(readRequest(request)).toEqual({ type: 'fault', fault: { path, expected, actual } })
  })
})
