import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../engine/json.ts'
import { detectFormat } from './detect.ts'

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
    ['nothing', undefined],
    ['a text', 'hello'],
    ['a list', [{ role: 'user', content: 'x' }]],
    ['an empty object', {}],
    ['a Gemini body', { contents: [{ role: 'user', parts: [{ text: 'x' }] }] }],
    ['messages that are no list', { messages: {} }],
  ])('does not know %s', (_what, request) => {
    expect(detectFormat(request)).toBeNull()
  })
})
