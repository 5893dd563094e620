import type { JsonObject } from '../../engine/json.ts'
import { describeWireFormat } from '../contract.ts'
import parallelTools from './fixtures/parallel-tools.json'
import thinking from './fixtures/thinking.json'
import { anthropic } from './index.ts'

const user: JsonObject = { role: 'user', content: 'go' }
const assistant: JsonObject = { role: 'assistant', content: 'yes' }
const system: JsonObject = { role: 'system', content: 'be brief' }
const call = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'look', input: {} })
const calls = (...ids: readonly string[]): JsonObject => ({ role: 'assistant', content: ids.map(call) })
const result = (id: string): JsonObject => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })
const results = (...ids: readonly string[]): JsonObject => ({ role: 'user', content: ids.map(result) })
const text = (said: string): JsonObject => ({ type: 'text', text: said })
const mark: JsonObject = { cache_control: { type: 'ephemeral' } }
const think: JsonObject = { type: 'thinking', thinking: 'hm', signature: 'c2ln' }
const chat = (...messages: readonly JsonObject[]): JsonObject => ({
  model: 'claude-opus-4-8',
  max_tokens: 10,
  messages,
})
const search: JsonObject = { type: 'server_tool_use', id: 'srv', name: 'web_search', input: {} }
const found: JsonObject = { type: 'web_search_tool_result', tool_use_id: 'srv', content: [] }

const signatures = [
  'c2lnbmVkLXRoaW5raW5nLTE=',
  'c2lnbmVkLXRoaW5raW5nLTI=',
  'c2lnbmVkLXRoaW5raW5nLTM=',
  'c2lnbmVkLXRoaW5raW5nLTQ=',
  'ZW5jcnlwdGVkLXBhZ2UtY29udGVudA==',
  'cmVkYWN0ZWQtdGhpbmtpbmc=',
  'c2lnbmVkLXBheWxvYWQ=',
]

describeWireFormat('anthropic', {
  format: anthropic,
  fixtures: [
    {
      name: 'parallel calls',
      request: parallelTools,
      opaque: ['iVBORw0KGgoAAAANSUhEUgAAAyAAAAJYCAYAAAC', 'JVBERi0xLjQKJcOkw7zDtsOf'],
    },
    {
      name: 'thinking and tools of the server',
      request: thinking,
      opaque: signatures,
    },
    {
      name: 'thinking that is bound to its prefix',
      request: { ...thinking, model: 'claude-opus-5-5', thinking: { type: 'adaptive' } },
      opaque: signatures,
    },
  ],
  same: [
    ['text and its one block', user, { role: 'user', content: [text('go')] }],
    ['a block with and without a cache mark', { role: 'user', content: [{ ...text('go'), ...mark }] }, user],
    [
      'input in another key order',
      { role: 'assistant', content: [{ ...call('a'), input: { x: 1, y: { a: 1, b: 2 } } }] },
      { role: 'assistant', content: [{ ...call('a'), input: { y: { b: 2, a: 1 }, x: 1 } }] },
    ],
    ['an answer with and without thinking', { role: 'assistant', content: [think, text('yes')] }, assistant],
    [
      'a text with and without citations',
      { role: 'assistant', content: [{ ...text('yes'), citations: null }] },
      assistant,
    ],
    [
      'a result as text and as its one block',
      results('a'),
      { role: 'user', content: [{ ...result('a'), content: [text('ok')] }] },
    ],
    [
      'a result with and without marks',
      { role: 'user', content: [{ ...result('a'), ...mark, is_error: false }] },
      results('a'),
    ],
    [
      'a document with and without a title that is null, in another key order',
      { role: 'user', content: [{ type: 'document', title: null, source: { type: 'file', file_id: 'f' } }] },
      { role: 'user', content: [{ source: { file_id: 'f', type: 'file' }, type: 'document' }] },
    ],
    [
      'a search result whose encrypted page is renewed',
      {
        role: 'assistant',
        content: [search, { ...found, content: [{ url: 'u', encrypted_content: 'eA==' }] }],
      },
      {
        role: 'assistant',
        content: [search, { ...found, content: [{ url: 'u', encrypted_content: 'eQ==' }] }],
      },
    ],
  ],
  different: [
    ['two texts', user, { role: 'user', content: 'stop' }],
    ['two roles', user, { role: 'assistant', content: 'go' }],
    ['results of two calls', results('a'), results('b')],
    [
      'a result and one that failed',
      results('a'),
      { role: 'user', content: [{ ...result('a'), is_error: true }] },
    ],
    ['calls with two ids', calls('a'), calls('b')],
    [
      'calls whose input has a field named like a signature',
      { role: 'assistant', content: [{ ...call('a'), input: { signature: 'x' } }] },
      { role: 'assistant', content: [{ ...call('a'), input: { signature: 'y' } }] },
    ],
    [
      'calls of the server whose input has a field named like a signature',
      { role: 'assistant', content: [{ ...search, input: { signature: 'x' } }] },
      { role: 'assistant', content: [{ ...search, input: { signature: 'y' } }] },
    ],
    [
      'two images',
      {
        role: 'user',
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
      },
      {
        role: 'user',
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAB' } }],
      },
    ],
  ],
  usage: [
    [
      'a response, what was read from cache and written to it added [R24]',
      {
        content: [text('hi')],
        usage: {
          input_tokens: 1_525,
          cache_read_input_tokens: 90_000,
          cache_creation_input_tokens: 2_000,
          output_tokens: 12,
        },
      },
      { input: 93_525, cacheRead: 90_000, cacheWrite: 2_000, output: 12, isTotal: false },
    ],
    [
      'a bare usage object without cache figures',
      { input_tokens: 40, output_tokens: 2 },
      { input: 40, output: 2, isTotal: false },
    ],
    [
      'a stream whose counts are cumulative [R33]',
      [
        { type: 'message_start', message: { usage: { input_tokens: 1_525, output_tokens: 1 } } },
        { type: 'content_block_start', content_block: { type: 'text', text: '' } },
        { type: 'message_delta', delta: {}, usage: { input_tokens: 1_525, output_tokens: 80 } },
        { type: 'message_stop' },
      ],
      { input: 1_525, output: 80, isTotal: false },
    ],
    [
      'a stream whose end leaves out the input',
      [
        {
          type: 'message_start',
          message: {
            content: [],
            usage: {
              input_tokens: 5,
              cache_read_input_tokens: 100,
              cache_creation_input_tokens: 0,
              output_tokens: 1,
            },
          },
        },
        {
          type: 'message_delta',
          usage: { input_tokens: null, cache_read_input_tokens: null, output_tokens: 9 },
        },
      ],
      { input: 105, cacheRead: 100, cacheWrite: 0, output: 9, isTotal: false },
    ],
    [
      'server-sent events',
      [
        { event: 'message_start', data: '{"type":"message_start","message":{"usage":{"input_tokens":7}}}' },
        { event: 'message_delta', data: '{"type":"message_delta","usage":{"output_tokens":3}}' },
      ],
      { input: 7, output: 3, isTotal: false },
    ],
    [
      'a response for which the server searched',
      { usage: { input_tokens: 9_000, output_tokens: 5, server_tool_use: { web_search_requests: 2 } } },
      { input: 9_000, output: 5, isTotal: true },
    ],
    [
      'a stream in which a tool of the server ran',
      [
        { type: 'message_start', message: { usage: { input_tokens: 9 } } },
        { type: 'content_block_start', content_block: search },
      ],
      { input: 9, isTotal: true },
    ],
    [
      'one iteration',
      { usage: { input_tokens: 54, output_tokens: 14, iterations: [{ type: 'message', input_tokens: 54 }] } },
      { input: 54, output: 14, isTotal: false },
    ],
    [
      'an iteration that is no message of its own',
      {
        usage: { input_tokens: 54, output_tokens: 14, iterations: [{ type: 'compaction', input_tokens: 9 }] },
      },
      { input: 54, output: 14, isTotal: true },
    ],
    [
      'several iterations, of which the last tells the size',
      {
        usage: {
          input_tokens: 400,
          output_tokens: 30,
          iterations: [
            { type: 'message', input_tokens: 150 },
            { type: 'message', input_tokens: 50, cache_read_input_tokens: 200 },
          ],
        },
      },
      { input: 250, cacheRead: 200, output: 30, isTotal: true },
    ],
    [
      'a response before which the server shortened the history',
      {
        usage: {
          input_tokens: 220,
          output_tokens: 8,
          iterations: [
            { type: 'compaction', input_tokens: 55_196 },
            { type: 'message', input_tokens: 220 },
          ],
        },
      },
      { input: 220, output: 8, isTotal: true },
    ],
    [
      "a response of Bedrock's Converse, what was read from cache and written to it added",
      {
        output: { message: { role: 'assistant', content: [{ text: 'hi' }] } },
        stopReason: 'end_turn',
        usage: {
          inputTokens: 1_525,
          cacheReadInputTokens: 90_000,
          cacheWriteInputTokens: 2_000,
          outputTokens: 12,
          totalTokens: 93_537,
        },
      },
      { input: 93_525, cacheRead: 90_000, cacheWrite: 2_000, output: 12, isTotal: false },
    ],
    [
      "the stream of Bedrock's Converse",
      [
        { messageStart: { role: 'assistant' } },
        { metadata: { usage: { inputTokens: 40, outputTokens: 2, totalTokens: 42 }, metrics: {} } },
      ],
      { input: 40, output: 2, isTotal: false },
    ],
    [
      'one part that is no number: the sum is unknown',
      { usage: { input_tokens: 10, cache_read_input_tokens: -4, output_tokens: 2 } },
      { output: 2, isTotal: false },
    ],
    ['numbers beyond belief', { usage: { input_tokens: 1e15, output_tokens: 1.5 } }, { isTotal: false }],
    ['an error', { type: 'error', error: { type: 'invalid_request_error', message: 'no' } }, null],
    ['an interrupted stream', [{ type: 'ping' }], null],
    ['nothing', null, null],
  ],
  faults: [
    ['malformed', 'messages', { messages: 4 }],
    ['malformed', 'messages[0].content', chat({ role: 'user' })],
    ['malformed', 'messages[0].content[1]', chat({ role: 'user', content: [text('x'), 'y'] })],
    ['call_without_result', 'messages[1].content[1]', chat(user, calls('a', 'b'), results('a'))],
    ['call_without_result', 'messages[1].content[0]', chat(user, calls('a'))],
    ['call_without_result', 'messages[1].content[0]', chat(user, calls('a'), user)],
    [
      'call_without_id',
      'messages[1].content[0]',
      chat(user, { role: 'assistant', content: [{ type: 'tool_use' }] }, user),
    ],
    ['result_without_call', 'messages[0].content[0]', chat(results('a'))],
    [
      'result_without_call',
      'messages[4].content[0]',
      chat(user, calls('a'), results('a'), assistant, results('a')),
    ],
    [
      'duplicate_call_id',
      'messages[3].content[0]',
      chat(user, calls('a'), results('a'), calls('a'), results('a')),
    ],
    ['duplicate_result', 'messages[2].content[1]', chat(user, calls('a'), results('a', 'a'))],
    [
      'results_not_first',
      'messages[2].content[1]',
      chat(user, calls('a'), { role: 'user', content: [text('now'), result('a')] }),
    ],
    ['results_not_first', 'messages[3].content[0]', chat(user, calls('a'), user, results('a'))],
    [
      'server_result_without_call',
      'messages[1].content[0]',
      chat(user, { role: 'assistant', content: [found, text('yes')] }, user),
    ],
    ['empty_text', 'messages[0].content[0]', chat({ role: 'user', content: [text(' \n'), text('x')] })],
    ['empty_text', 'messages[0].content', chat({ role: 'user', content: ' ' })],
    ['empty_text', 'system[1]', { ...chat(user), system: [text('x'), text('')] }],
    ['empty_content', 'messages[1].content', chat(user, { role: 'assistant', content: [] }, user)],
    ['empty_content', 'messages[0].content', chat({ role: 'user', content: '' })],
    [
      'block_in_wrong_role',
      'messages[0].content[1]',
      chat({ role: 'user', content: [text('x'), { type: 'redacted_thinking', data: 'eA==' }] }),
    ],
    [
      'too_many_cache_marks',
      'messages[2].content[0].content[0]',
      {
        ...chat(user, calls('a'), {
          role: 'user',
          content: [{ ...result('a'), content: [{ ...text('x'), ...mark }] }],
        }),
        tools: [{ name: 'look', input_schema: {}, ...mark }],
        system: [
          { ...text('x'), ...mark },
          { ...text('y'), ...mark },
          { ...text('z'), ...mark },
        ],
      },
    ],
    ['first_message_not_user', 'messages[0]', chat(assistant, user)],
    ['ends_with_assistant', 'messages[1]', chat(user, assistant)],
    ['unknown_role', 'messages[1].role', chat(user, { role: 'narrator', content: 'x' })],
    ['system_misplaced', 'messages[0]', chat(system, user)],
    ['system_misplaced', 'messages[2]', chat(user, assistant, system)],
    ['system_misplaced', 'messages[1]', chat(user, system, user)],
    ['system_not_supported', 'messages[1]', { ...chat(user, system), model: 'claude-opus-4-7' }],
    ['system_not_supported', 'messages[1]', { ...chat(user, system), model: 'claude-sonnet-4-6' }],
    [
      'system_block',
      'messages[1].content[0]',
      chat(user, { role: 'system', content: [{ type: 'image', source: { type: 'url', url: 'https://x' } }] }),
    ],
    [
      'thinking_not_first',
      'messages[1].content[0]',
      { ...chat(user, calls('a'), results('a')), thinking: { type: 'enabled', budget_tokens: 1_024 } },
    ],
    [
      'thinking_last',
      'messages[1].content[1]',
      chat(user, { role: 'assistant', content: [text('x'), think] }, user),
    ],
  ],
})
