import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../engine/json.ts'
import { detectFormat } from './detect.ts'
import { recogniseFormat } from './load-format.ts'

const said = (content: JsonValue): JsonObject => ({ role: 'user', content })
const chat = (message: JsonObject, rest: JsonObject = {}): JsonObject => ({ messages: [message], ...rest })

describe('detectFormat', () => {
  it.each([
    ['a system message at the head', { messages: [{ role: 'system', content: 'x' }, said('y')] }],
    ['a developer message', { messages: [{ role: 'developer', content: 'x' }] }],
    ['tool messages', { messages: [said('x'), { role: 'tool', tool_call_id: 'a', content: 'y' }] }],
    ['calls beside the content', chat({ role: 'assistant', content: null, tool_calls: [] })],
    ['an image by URL', chat(said([{ type: 'image_url', image_url: { url: 'https://x' } }]))],
    ['function tools', chat(said('x'), { tools: [{ type: 'function', function: { name: 'x' } }] })],
    ['functions', chat(said('x'), { functions: [{ name: 'x' }] })],
    ['a response format', chat(said('x'), { response_format: { type: 'json_object' } })],
    ['nothing but messages', chat(said('x'))],
    ['sampling options that servers of both kinds take', chat(said('x'), { top_k: 5, max_tokens: 9 })],
    [
      'a Claude model behind a router',
      chat(said('x'), { model: 'anthropic/claude-sonnet-5', max_tokens: 9 }),
    ],
    [
      'a cache mark behind a router',
      chat(said([{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }]), {
        model: 'anthropic/claude-sonnet-5',
        max_tokens: 9,
      }),
    ],
    [
      'a Claude model with an OpenAI message',
      { model: 'claude-sonnet-5', messages: [{ role: 'system', content: 'x' }, said('y')] },
    ],
  ])('takes %s for openai-chat', (_what, request) => {
    expect(detectFormat(request)?.format).toBe('openai-chat')
  })

  it.each([
    ['a system field', chat(said('x'), { system: 'y' })],
    ['calls in the content', chat({ role: 'assistant', content: [{ type: 'tool_use', id: 'a' }] })],
    ['results in the content', chat(said([{ type: 'tool_result', tool_use_id: 'a' }]))],
    ['an image with a source', chat(said([{ type: 'image', source: {} }]))],
    ['a document', chat(said([{ type: 'document', source: {} }]))],
    ['tools with an input schema', chat(said('x'), { tools: [{ name: 'x', input_schema: {} }] })],
    ['the version of a cloud', chat(said('x'), { anthropic_version: 'bedrock-2023-05-31', max_tokens: 9 })],
    ['the name of the model alone', chat(said('x'), { model: 'claude-haiku-5-5' })],
    [
      'a cache mark, a limit and no model',
      chat(said([{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }]), { max_tokens: 9 }),
    ],
    [
      'a system message that is not the first',
      { model: 'claude-opus-4-8', max_tokens: 9, messages: [said('x'), { role: 'system', content: 'y' }] },
    ],
  ])('takes %s for anthropic', (_what, request) => {
    expect(detectFormat(request)?.format).toBe('anthropic')
  })

  it.each([
    ['input that is text', { model: 'gpt-5.2', input: 'x' }],
    ['items with roles', { input: [said('x')] }],
    ['items with types', { input: [{ type: 'reasoning' }, { type: 'function_call_output' }] }],
    ['a reference without a type', { input: [{ id: 'msg_1' }] }],
    ['what only goes on', { previous_response_id: 'resp_1' }],
    ['a conversation without input', { conversation: { id: 'conv_1' }, input: [] }],
    ['a prompt that is stored', { prompt: { id: 'pmpt_1' } }],
  ])('takes %s for openai-responses', (_what, request) => {
    expect(detectFormat(request)?.format).toBe('openai-responses')
    expect(recogniseFormat(request)).toBe('openai-responses')
  })

  it.each([
    ['turns', { contents: [{ role: 'user', parts: [{ text: 'x' }] }] }],
    [
      'the parameters of the SDK',
      { model: 'gemini-2.5-pro', contents: [{ parts: [{ text: 'x' }] }], config: {} },
    ],
  ])('takes %s for gemini', (_what, request) => {
    expect(detectFormat(request)?.format).toBe('gemini')
    expect(recogniseFormat(request)).toBe('gemini')
  })

  it.each([
    ['embeddings', { model: 'text-embedding-3-small', input: 'x' }],
    ['embeddings of several texts', { input: ['x', 'y'] }],
    ['embeddings by their form', { input: 'x', encoding_format: 'float' }],
    ['moderations', { input: [{ type: 'text', text: 'x' }] }],
    ['speech', { model: 'some', input: 'x', voice: 'alloy' }],
    ["Gemini's interactions", { input: 'x', previous_interaction_id: 'i' }],
    ['a completion of a text', { model: 'some', prompt: 'x' }],
    ['an input of nothing', { input: [] }],
    ['nothing', undefined],
    ['a text', 'hello'],
    ['a list', [{ role: 'user', content: 'x' }]],
    ['an empty object', {}],
    ['messages that are no list', { messages: {} }],
  ])('does not know %s', (_what, request) => {
    expect(detectFormat(request)).toBeNull()
  })
})
