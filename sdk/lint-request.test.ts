import { describe, expect, it } from 'vitest'
import type { Format } from './engine/format.ts'
import type { JsonObject } from './engine/json.ts'
import { lintRequest } from './lint-request.ts'

const user = { role: 'user', content: 'go' }
const chatCalls = (...ids: readonly string[]): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })),
})
const chatResult = (id: string): JsonObject => ({ role: 'tool', tool_call_id: id, content: 'ok' })

const itemCall = { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' }
const itemResult = { type: 'function_call_output', call_id: 'a', output: 'ok' }
const itemReasoning = { type: 'reasoning', id: 'rs_1', summary: [] }
const update = { type: 'configuration_update', reasoning: { effort: 'low' } }

const text = (said: string): JsonObject => ({ type: 'text', text: said })
const blocks = (role: string, ...content: readonly JsonObject[]): JsonObject => ({ role, content })
const toolUse = { type: 'tool_use', id: 'a', name: 'look', input: {} }
const toolResult = { type: 'tool_result', tool_use_id: 'a', content: 'ok' }
const system = { role: 'system', content: 'Be short.' }
const claude = (model: string, ...messages: readonly JsonObject[]): JsonObject => ({
  model,
  max_tokens: 9,
  messages,
})

const part = (role: string, ...parts: readonly JsonObject[]): JsonObject => ({ role, parts })
const functionCall = { functionCall: { name: 'look', args: {} } }
const functionResponse = { functionResponse: { name: 'look', response: {} } }
const go = part('user', { text: 'go' })

/** What providers publish that they reject, and how the linter calls it. */
const rejections: readonly (readonly [said: string, rule: string, format: Format, request: JsonObject])[] = [
  [
    'OpenAI: calls must be followed by tool messages that respond to each id',
    'call_without_result',
    'openai-chat',
    { messages: [user, chatCalls('a', 'b'), chatResult('a')] },
  ],
  [
    'DeepSeek, Kimi and Qwen: too few tool messages follow the calls',
    'call_without_result',
    'openai-chat',
    { model: 'deepseek-chat', messages: [user, chatCalls('a'), user] },
  ],
  [
    'OpenAI: a tool message must respond to a preceding message with calls',
    'result_without_call',
    'openai-chat',
    { messages: [user, chatResult('a')] },
  ],
  [
    'OpenAI Responses: no output was found for a call',
    'call_without_result',
    'openai-responses',
    { input: [user, itemCall] },
  ],
  [
    'OpenAI Responses: no call was found for an output',
    'result_without_call',
    'openai-responses',
    { input: [user, itemResult] },
  ],
  [
    'DeepSeek Responses: an output must stand next to its call',
    'result_not_adjacent',
    'openai-responses',
    { model: 'deepseek-chat', input: [user, itemCall, user, itemResult] },
  ],
  [
    'OpenAI Responses: reasoning without the item that must follow it',
    'reasoning_without_item',
    'openai-responses',
    { input: [user, itemReasoning, user] },
  ],
  [
    'OpenAI Responses: configuration updates in a row',
    'updates_in_a_row',
    'openai-responses',
    { input: [user, update, update] },
  ],
  [
    'OpenAI Responses: configuration updates with automatic truncation',
    'update_beside_shortening',
    'openai-responses',
    { input: [user, update], truncation: 'auto' },
  ],
  [
    'OpenAI Responses: configuration updates with automatic compaction',
    'update_beside_shortening',
    'openai-responses',
    { input: [user, update], context_management: [{ type: 'compaction', compact_threshold: 9_000 }] },
  ],
  [
    'OpenAI Responses: a response and a conversation at once',
    'two_histories',
    'openai-responses',
    { input: 'go', previous_response_id: 'resp_1', conversation: 'conv_1' },
  ],
  [
    'Anthropic: tool_use without a tool_result in the next message',
    'call_without_result',
    'anthropic',
    claude('claude-haiku-4-5', user, blocks('assistant', toolUse), user),
  ],
  [
    'Anthropic: a tool_result whose tool_use is not in the previous message',
    'result_without_call',
    'anthropic',
    claude('claude-haiku-4-5', blocks('user', toolResult)),
  ],
  [
    "Anthropic: a result of the server's tools without its call before it",
    'server_result_without_call',
    'anthropic',
    claude(
      'claude-haiku-4-5',
      user,
      blocks('assistant', { type: 'web_search_tool_result', tool_use_id: 's', content: [] }, text('x')),
      user,
    ),
  ],
  [
    'Anthropic: a final assistant message must start with thinking while it is enabled',
    'thinking_not_first',
    'anthropic',
    {
      ...claude('claude-sonnet-4-5', user, blocks('assistant', toolUse), blocks('user', toolResult)),
      thinking: { type: 'enabled', budget_tokens: 1_024 },
    },
  ],
  [
    'Anthropic: messages must have content, the last answer excepted',
    'empty_content',
    'anthropic',
    claude('claude-haiku-4-5', user, blocks('assistant'), user),
  ],
  [
    'Anthropic: texts must not be empty',
    'empty_text',
    'anthropic',
    claude('claude-haiku-4-5', blocks('user', text(''))),
  ],
  [
    'Anthropic: texts must not be white space',
    'empty_text',
    'anthropic',
    claude('claude-haiku-4-5', blocks('user', text(' \n'))),
  ],
  [
    'Anthropic: the conversation must end with a user message',
    'ends_with_assistant',
    'anthropic',
    claude('claude-opus-4-6', user, blocks('assistant', text('Once'))),
  ],
  [
    'Anthropic: at most four blocks with cache_control',
    'too_many_cache_marks',
    'anthropic',
    claude(
      'claude-haiku-4-5',
      blocks('user', ...[1, 2, 3, 4, 5].map(() => ({ ...text('x'), cache_control: { type: 'ephemeral' } }))),
    ),
  ],
  [
    'Anthropic: a model that takes no system message in the list',
    'system_not_supported',
    'anthropic',
    claude('claude-sonnet-4-6', user, system),
  ],
  [
    'Anthropic: a system message as the first one',
    'system_misplaced',
    'anthropic',
    claude('claude-opus-5', system, user),
  ],
  [
    'Anthropic: a system message that follows an answer',
    'system_misplaced',
    'anthropic',
    claude('claude-opus-5', user, blocks('assistant', text('yes')), system),
  ],
  [
    'Anthropic: a system message of anything but text',
    'system_block',
    'anthropic',
    claude(
      'claude-opus-5',
      user,
      blocks('system', { type: 'image', source: { type: 'url', url: 'https://example.test/a.png' } }),
    ),
  ],
  [
    'Anthropic: the first message must be of the user',
    'first_message_not_user',
    'anthropic',
    claude('claude-haiku-4-5', blocks('assistant', text('Hello')), user),
  ],
  [
    'Gemini: as many responses as calls',
    'result_count',
    'gemini',
    { contents: [go, part('model', functionCall, functionCall), part('user', functionResponse)] },
  ],
  [
    'Gemini: a call must come right after the user or a response',
    'call_misplaced',
    'gemini',
    {
      contents: [
        go,
        part('model', { text: 'yes' }),
        part('model', functionCall),
        part('user', functionResponse),
      ],
    },
  ],
  [
    'Gemini: a call without its thought signature',
    'missing_signature',
    'gemini',
    { model: 'gemini-3-pro', contents: [go, part('model', functionCall), part('user', functionResponse)] },
  ],
  ['Gemini: a content must have a part', 'empty_parts', 'gemini', { contents: [part('user')] }],
  [
    'AI SDK: a call without its result',
    'call_without_result',
    'ai-sdk',
    {
      prompt: [
        blocks('user', text('go')),
        blocks('assistant', { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: {} }),
      ],
    },
  ],
]

describe('lintRequest', () => {
  it.each(rejections)('tells what a provider rejects. %s: %s', (_said, rule, format, request) => {
    const faults = lintRequest(format, request)
    expect(faults.map((fault) => fault.rule)).toEqual([rule])
    expect(faults[0]?.path).toMatch(/^(messages|input|contents|prompt)\[\d+\]|^conversation$/)
    expect(faults[0]?.message).not.toBe('')
  })

  it('cannot see what a provider remembers, and faults none of it', () => {
    const said = {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'x' }],
    }
    const bound = { type: 'thinking', thinking: '', signature: 'b2YgYW5vdGhlciBjb252ZXJzYXRpb24=' }
    expect(lintRequest('openai-responses', { input: [user, said, user] })).toEqual([])
    const request = claude('claude-opus-5-5', user, blocks('assistant', bound, text('x')), user)
    expect(lintRequest('anthropic', request)).toEqual([])
  })

  it('takes neighbours of one role for one turn, as Anthropic does', () => {
    const request = claude(
      'claude-haiku-4-5',
      user,
      user,
      blocks('assistant', text('a')),
      blocks('assistant', text('b')),
      user,
    )
    expect(lintRequest('anthropic', request)).toEqual([])
  })

  it.each([null, undefined, 7, 'go', [user]])('faults what is no request: %j', (request) => {
    expect(lintRequest('anthropic', request).map(({ rule, path }) => [rule, path])).toEqual([
      ['not_an_object', ''],
    ])
  })

  it('faults a format that is none', () => {
    expect(lintRequest('morse' as Format, { messages: [user] }).map(({ rule }) => rule)).toEqual([
      'unknown_format',
    ])
  })
})
