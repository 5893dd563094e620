import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../engine/json.ts'
import { readRequest } from './read.ts'

function read(request: JsonObject) {
  const outcome = readRequest(request)
  if (outcome.type === 'fault') throw new Error(outcome.fault.path)
  return outcome.request
}

function fault(request: JsonObject) {
  const outcome = readRequest(request)
  return outcome.type === 'fault' ? outcome.fault : null
}

describe('readRequest', () => {
  it('takes leading system and developer messages for slots, and later ones for entries', () => {
    const roles = ['system', 'developer', 'user', 'system', 'assistant']
    const messages = roles.map((role) => ({ role, content: 'x' }))
    const { leading, messages: matched } = read({ messages })
    expect(leading).toEqual(messages.slice(0, 2))
    expect(matched).toEqual(messages.slice(2))
    expect(read({ messages: messages.slice(0, 2) }).messages).toEqual([])
  })

  it('[R27, R28] counts the keys that are counted, in their order, and no others', () => {
    const { fields, model } = read({
      temperature: 1,
      response_format: { type: 'text' },
      tools: [],
      messages: [{ role: 'user', content: 'x' }],
      functions: null,
      model: 'gpt-5.2',
      system: 'y',
      tool_choice: 'auto',
    })
    expect(model).toBe('gpt-5.2')
    expect(fields).toEqual([
      { type: 'value', key: 'system', part: 'system', value: 'y' },
      { type: 'messages', key: 'messages' },
      { type: 'value', key: 'tools', part: 'tools', value: [] },
      { type: 'value', key: 'functions', part: 'tools', value: null },
      { type: 'value', key: 'response_format', part: 'other', value: { type: 'text' } },
    ])
  })

  it('[R218] knows the context tool by its schema, in every way to declare a tool', () => {
    const action = (schema: JsonObject): JsonObject => ({ type: 'object', properties: { action: schema } })
    const { tools } = read({
      messages: [{ role: 'user', content: 'x' }],
      tools: [
        {
          type: 'function',
          function: { name: 'a', parameters: action({ enum: ['status', 'read_result'] }) },
        },
        {
          type: 'function',
          function: { name: 'b', parameters: action({ anyOf: [{ const: 'read_result' }] }) },
        },
        {
          type: 'function',
          function: { name: 'c', parameters: { oneOf: [action({ const: 'read_result' })] } },
        },
        { type: 'function', function: { name: 'd', parameters: action({ enum: ['read'] }) } },
        { type: 'function', function: { name: 'e' } },
        { type: 'custom', custom: { name: 'f' } },
        { type: 'function', function: {} },
      ],
      functions: [{ name: 'g', parameters: action({ enum: ['read_result'] }) }],
    })
    expect(tools.map((tool) => [tool.name, tool.readsResults])).toEqual([
      ['a', true],
      ['b', true],
      ['c', true],
      ['d', false],
      ['e', false],
      ['f', false],
      ['g', true],
    ])
  })

  it('leaves roles, blocks and fields that it does not know', () => {
    const message = { role: 'narrator', content: [{ type: 'hologram', light: 3 }], mood: 'dark' }
    expect(read({ messages: [message] }).messages[0]).toBe(message)
  })

  it.each<[string, JsonObject, string, string, string]>([
    ['no messages', {}, 'messages', 'a list of at least one message', 'nothing'],
    ['an object for a list', { messages: {} }, 'messages', 'a list of at least one message', 'object'],
    ['an empty list', { messages: [] }, 'messages', 'a list of at least one message', 'an empty list'],
    ['a text for a message', { messages: ['x'] }, 'messages[0]', 'a message object', 'string'],
    ['no role', { messages: [{ content: 'x' }] }, 'messages[0].role', 'a role such as "user"', 'nothing'],
    [
      'a number for content',
      {
        messages: [
          { role: 'user', content: 'x' },
          { role: 'user', content: 5 },
        ],
      },
      'messages[1].content',
      'text or a list of content blocks',
      'number',
    ],
    [
      'a text for a block',
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, 'secret'] }] },
      'messages[0].content[1]',
      'an object',
      'string',
    ],
    [
      'null for a call',
      { messages: [{ role: 'assistant', content: '', tool_calls: [null] }] },
      'messages[0].tool_calls[0]',
      'an object',
      'null',
    ],
  ])('says where %s stands, and what it should be', (_what, request, path, expected, actual) => {
    expect(fault(request)).toEqual({ path, expected, actual })
  })
})
