import { describe, expect, it } from 'vitest'
import type { ReadRequest } from '../../engine/format.ts'
import type { JsonObject } from '../../engine/json.ts'
import { readRequest } from './read.ts'

function read(request: JsonObject): ReadRequest {
  const outcome = readRequest(request)
  if (outcome.type === 'fault') throw new Error(outcome.fault.path)
  return outcome.request
}

const user: JsonObject = { role: 'user', content: 'go' }
const contextSchema = { properties: { action: { enum: ['status', 'read_result'] } } }

describe('readRequest', () => {
  it('[R27] counts instructions, input, tools and the schema of the answer, in this order', () => {
    const request = { text: { format: {} }, tools: [], input: [user], instructions: 'x', store: true }
    expect(read(request).fields.map(({ key }) => key)).toEqual(['instructions', 'input', 'tools', 'text'])
  })

  it('takes system and developer items at the head for slots, tools that are added there too', () => {
    const head = [
      { role: 'system', content: 'a' },
      { type: 'additional_tools', role: 'developer', tools: [] },
    ]
    const later = { role: 'developer', content: 'b' }
    const { leading, messages } = read({ input: [...head, user, later] })
    expect(leading).toEqual(head)
    expect(messages).toEqual([user, later])
    expect(read({ input: head })).toMatchObject({ leading: head, messages: [] })
  })

  it('knows the tools of the request, of namespaces, and of items that add some', () => {
    const tools = [
      { type: 'function', name: 'look', parameters: {} },
      {
        type: 'namespace',
        name: 'notes',
        tools: [{ type: 'function', name: 'context', parameters: contextSchema }],
      },
      { type: 'web_search' },
    ]
    const added = { type: 'additional_tools', tools: [{ type: 'custom', name: 'valve' }] }
    expect(read({ input: [user, added], tools }).tools).toEqual([
      { name: 'look', readsResults: false },
      { name: 'notes', readsResults: false },
      { name: 'context', readsResults: true },
      { name: 'valve', readsResults: false },
    ])
  })

  it.each([
    [{ previous_response_id: 'resp_1' }, 'resp_1'],
    [{ conversation: 'conv_1' }, 'conv_1'],
    [{ conversation: { id: 'conv_1' } }, 'conv_1'],
    [{ conversation: null, previous_response_id: null }, undefined],
    [{}, undefined],
  ])('[R42] continues what %j names', (fields, continues) => {
    expect(read({ input: 'x', ...fields }).continues).toBe(continues)
  })

  it.each([
    ['gpt-6.2', { reasoning: { effort: 'high' } }, true],
    ['some-model', { reasoning: {} }, true],
    [undefined, { reasoning: { effort: 'low' } }, true],
    ['gpt-6.2', { reasoning: { effort: 'none' } }, undefined],
    ['gpt-6.2', {}, undefined],
    ['gpt-5.4', { reasoning: { effort: 'high' } }, undefined],
    ['openai/o3-mini', { reasoning: { effort: 'high' } }, undefined],
    ['gpt-50', { reasoning: { effort: 'high' } }, true],
  ])('of %s with %j tells whether reasoning is bound', (model, fields, binds) => {
    expect(read({ model, input: 'x', ...fields }).bindsReasoning).toBe(binds)
  })

  it('finds reasoning that is carried along', () => {
    const input = [user, { type: 'reasoning', summary: [] }, { role: 'assistant', content: 'x' }]
    expect(read({ model: 'gpt-6', input }).bindsReasoning).toBe(true)
  })

  it.each([
    [{ previous_response_id: 'resp_1' }],
    [{ conversation: 'conv_1', input: [] }],
    [{ prompt: { id: 'pmpt_1' }, input: null }],
  ])('needs no input beside %j', (request) => {
    expect(read(request).messages).toEqual([])
  })

  it.each([
    [{}, 'input', 'nothing'],
    [{ input: [] }, 'input', 'an empty list'],
    [{ input: 5 }, 'input', 'number'],
    [{ previous_response_id: 'resp_1', input: 5 }, 'input', 'number'],
    [{ input: [null] }, 'input[0]', 'null'],
    [{ input: [{ role: 3, content: 'x' }] }, 'input[0].role', 'number'],
    [{ input: [{ role: 'user', content: ['x'] }] }, 'input[0].content[0]', 'string'],
  ])('says what is wrong with %j', (request, path, actual) => {
    expect(readRequest(request)).toMatchObject({ type: 'fault', fault: { path, actual } })
  })
})
