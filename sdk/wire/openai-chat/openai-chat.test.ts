import type { JsonObject } from '../../engine/json.ts'
import { describeWireFormat } from '../contract.ts'
import dialects from './fixtures/dialects.json'
import legacyFunctions from './fixtures/legacy-functions.json'
import parallelTools from './fixtures/parallel-tools.json'
import { openAiChat } from './index.ts'

const user: JsonObject = { role: 'user', content: 'go' }
const call = (id: string, text = '{}'): JsonObject => ({
  id,
  type: 'function',
  function: { name: 'look', arguments: text },
})
const calls = (...ids: readonly string[]): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => call(id)),
})
const result = (id: string, content = 'ok'): JsonObject => ({ role: 'tool', tool_call_id: id, content })
const chat = (...messages: readonly JsonObject[]): JsonObject => ({ messages })

describeWireFormat('openAiChat', {
  format: openAiChat,
  fixtures: [
    {
      name: 'parallel calls',
      request: parallelTools,
      opaque: ['data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAyAAAAJYCAYAAAC'],
    },
    {
      name: 'dialects',
      request: dialects,
      opaque: [
        'SUQzBAAAAAAAI1RTU0UAAAAPAAADTGF2',
        'JVBERi0xLjQKJcOkw7zDtsOfCjIgMCBv',
        'c2lnbmF0dXJlLW9mLXRleHQ=',
        'ZW5jcnlwdGVkLXJlYXNvbmluZw==',
        'dGhvdWdodC1zaWduYXR1cmU=',
      ],
      breaks: ['unknown_role'],
    },
    { name: 'the functions before tools', request: legacyFunctions, opaque: [] },
  ],
  same: [
    ['text and its one part', user, { role: 'user', content: [{ type: 'text', text: 'go' }] }],
    [
      'a part with and without a cache mark',
      { role: 'user', content: [{ type: 'text', text: 'go', cache_control: { type: 'ephemeral' } }] },
      user,
    ],
    ['no content in any form', calls('a'), { ...calls('a'), content: '' }],
    [
      'arguments in another spacing and key order',
      { role: 'assistant', content: null, tool_calls: [call('a', '{"x":1,"y":[2]}')] },
      { role: 'assistant', content: null, tool_calls: [call('a', ' { "y": [ 2 ], "x": 1 } ')] },
    ],
    [
      'an answer with and without reasoning and its id',
      { role: 'assistant', content: 'yes', reasoning_content: 'because', id: 'msg_1' },
      { role: 'assistant', content: 'yes' },
    ],
    ['a result with and without the name of its tool', result('a'), { ...result('a'), name: 'look' }],
    [
      'a refusal as a field and as a part',
      { role: 'assistant', content: null, refusal: 'no' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] },
    ],
  ],
  different: [
    ['two texts', user, { role: 'user', content: 'stop' }],
    ['two roles', user, { role: 'assistant', content: 'go' }],
    ['two results', result('a'), result('a', 'no')],
    ['results of two calls', result('a'), result('b')],
    ['calls with two ids', calls('a'), calls('b')],
    [
      'calls with other arguments',
      { role: 'assistant', content: null, tool_calls: [call('a', '{"x":1}')] },
      { role: 'assistant', content: null, tool_calls: [call('a', '{"x":"1"}')] },
    ],
    [
      'arguments that are JSON and text that looks like their canonical form',
      { role: 'assistant', content: null, tool_calls: [call('a', '"{}"')] },
      { role: 'assistant', content: null, tool_calls: [call('a', '{}')] },
    ],
    [
      'one text and two that join to it',
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'g' },
          { type: 'text', text: 'o' },
        ],
      },
    ],
    [
      'two images',
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAB' } }] },
    ],
    [
      'legacy results of two functions',
      { role: 'function', name: 'a', content: 'x' },
      { role: 'function', name: 'b', content: 'x' },
    ],
    [
      'a text that is written like a canonical block',
      { role: 'user', content: '["block","{}"]' },
      { role: 'user', content: [{}] },
    ],
  ],
  usage: [
    [
      'a response',
      { choices: [], usage: { prompt_tokens: 93_525, completion_tokens: 40, total_tokens: 93_565 } },
      { input: 93_525, output: 40, isTotal: false },
    ],
    [
      'a bare usage object with what was cached',
      { prompt_tokens: 900, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 512 } },
      { input: 900, output: 5, cacheRead: 512, isTotal: false },
    ],
    [
      'a response that wrote to the cache',
      { usage: { prompt_tokens: 900, prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 800 } } },
      { input: 900, cacheRead: 0, cacheWrite: 800, isTotal: false },
    ],
    [
      'DeepSeek',
      { prompt_tokens: 30, completion_tokens: 2, prompt_cache_hit_tokens: 20, prompt_cache_miss_tokens: 10 },
      { input: 30, output: 2, cacheRead: 20, isTotal: false },
    ],
    ['Mistral', { prompt_tokens: 30, num_cached_tokens: 16 }, { input: 30, cacheRead: 16, isTotal: false }],
    ['Together', { prompt_tokens: 30, cached_tokens: 8 }, { input: 30, cacheRead: 8, isTotal: false }],
    [
      'a stream of Groq',
      [{ choices: [] }, { x_groq: { id: 'req', usage: { prompt_tokens: 12, completion_tokens: 3 } } }],
      { input: 12, output: 3, isTotal: false },
    ],
    [
      'xAI, whose reasoning stands outside the completion',
      {
        usage: {
          prompt_tokens: 100,
          completion_tokens: 10,
          total_tokens: 150,
          completion_tokens_details: { reasoning_tokens: 40 },
        },
      },
      { input: 100, output: 50, isTotal: false },
    ],
    [
      'a provider whose reasoning stands inside the completion',
      {
        usage: {
          prompt_tokens: 100,
          completion_tokens: 50,
          total_tokens: 150,
          completion_tokens_details: { reasoning_tokens: 40 },
        },
      },
      { input: 100, output: 50, isTotal: false },
    ],
    [
      'llama.cpp, whose timings leave out the cached part',
      {
        choices: [],
        usage: { prompt_tokens: 70, completion_tokens: 9 },
        timings: { cache_n: 60, prompt_n: 10 },
      },
      { input: 70, output: 9, cacheRead: 60, isTotal: false },
    ],
    [
      'the timings of llama.cpp alone',
      { choices: [], timings: { cache_n: 60, prompt_n: 10 } },
      { input: 70, cacheRead: 60, isTotal: false },
    ],
    [
      'Ollama',
      { prompt_eval_count: 26, eval_count: 5, done: true },
      { input: 26, output: 5, isTotal: false },
    ],
    [
      'OpenRouter, which says what it cost',
      {
        prompt_tokens: 900,
        completion_tokens: 5,
        cost: 0.002,
        prompt_tokens_details: { cached_tokens: 512 },
      },
      { input: 900, output: 5, cacheRead: 512, isTotal: false },
    ],
    [
      'Cohere, which bills less than it reads',
      {
        usage: {
          billed_units: { input_tokens: 25, output_tokens: 9 },
          tokens: { input_tokens: 91, output_tokens: 11 },
          cached_tokens: 64,
        },
      },
      { input: 91, output: 11, cacheRead: 64, isTotal: false },
    ],
    [
      'a stream of Cohere',
      [
        { type: 'content-delta', delta: { message: { content: { text: 'a' } } } },
        {
          type: 'message-end',
          delta: { finish_reason: 'COMPLETE', usage: { tokens: { input_tokens: 91, output_tokens: 11 } } },
        },
      ],
      { input: 91, output: 11, isTotal: false },
    ],
    [
      'OpenRouter, when its own tools ran',
      {
        usage: {
          prompt_tokens: 9_000,
          completion_tokens: 5,
          server_tool_use_details: { tool_calls_executed: 2 },
        },
      },
      { input: 9_000, output: 5, isTotal: true },
    ],
    [
      'a stream whose counts are cumulative [R33]',
      [
        { choices: [{}], usage: null },
        { choices: [{}], usage: { prompt_tokens: 1_525, completion_tokens: 1 } },
        { choices: [], usage: { prompt_tokens: 1_525, completion_tokens: 7 } },
      ],
      { input: 1_525, output: 7, isTotal: false },
    ],
    [
      'server-sent events',
      [{ data: '{"choices":[],"usage":{"prompt_tokens":8,"completion_tokens":2}}' }, { data: '[DONE]' }],
      { input: 8, output: 2, isTotal: false },
    ],
    [
      'texts of chunks',
      ['{"choices":[],"usage":{"prompt_tokens":8}}', '[DONE]'],
      { input: 8, isTotal: false },
    ],
    [
      'numbers that are none',
      { usage: { prompt_tokens: -1, completion_tokens: Number.NaN, prompt_tokens_details: null } },
      { isTotal: false },
    ],
    [
      'numbers beyond belief',
      { usage: { prompt_tokens: 1e15, completion_tokens: 2.5, total_tokens: '7' } },
      { isTotal: false },
    ],
    ['an interrupted stream', [{ choices: [{ delta: { content: 'a' } }] }], null],
    ['an error', { error: { message: 'no' } }, null],
    ['nothing', undefined, null],
  ],
  faults: [
    ['malformed', 'messages', {}],
    ['malformed', 'messages[1].role', chat(user, { content: 'x' })],
    ['malformed', 'messages[0].tool_calls', chat({ role: 'assistant', content: '', tool_calls: 'x' })],
    ['call_without_result', 'messages[1].tool_calls[1]', chat(user, calls('a', 'b'), result('a'))],
    ['call_without_result', 'messages[1].tool_calls[0]', chat(user, calls('a'))],
    [
      'call_without_id',
      'messages[0].tool_calls[0]',
      chat({ ...calls(), tool_calls: [{ type: 'function' }] }),
    ],
    ['result_without_call', 'messages[1]', chat(user, result('a'))],
    ['result_without_call', 'messages[3]', chat(user, calls('a'), result('a'), result('x'))],
    ['result_without_call', 'messages[1]', chat(user, { role: 'tool', content: 'ok' })],
    ['duplicate_call_id', 'messages[1].tool_calls[1]', chat(user, calls('a', 'a'), result('a'))],
    ['duplicate_result', 'messages[3]', chat(user, calls('a'), result('a'), result('a'))],
    ['result_not_adjacent', 'messages[4]', chat(user, calls('a'), result('a'), user, result('a'))],
    [
      'empty_calls',
      'messages[1].tool_calls',
      chat(user, { role: 'assistant', content: 'x', tool_calls: [] }),
    ],
    ['empty_content', 'messages[0].content', chat({ role: 'user', content: [] })],
    ['missing_content', 'messages[1].content', chat(user, { role: 'assistant', content: null })],
    ['missing_content', 'messages[0].content', chat({ role: 'user', content: null })],
    ['unknown_role', 'messages[0].role', chat({ role: 'narrator', content: 'x' })],
  ],
})
