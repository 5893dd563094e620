import type { JsonObject } from '../../engine/json.ts'
import { describeWireFormat } from '../contract.ts'
import builtInTools from './fixtures/built-in-tools.json'
import parallelTools from './fixtures/parallel-tools.json'
import references from './fixtures/references.json'
import textInput from './fixtures/text-input.json'
import { openAiResponses } from './index.ts'

const user: JsonObject = { role: 'user', content: 'go' }
const call = (id: string, text = '{}'): JsonObject => ({
  type: 'function_call',
  call_id: id,
  name: 'look',
  arguments: text,
})
const result = (id: string, output: JsonObject[string] = 'ok'): JsonObject => ({
  type: 'function_call_output',
  call_id: id,
  output,
})
const said = (text: string): JsonObject => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})
const reasoning = (id: string): JsonObject => ({
  type: 'reasoning',
  id,
  summary: [],
  encrypted_content: 'eA==',
})
const update: JsonObject = { type: 'configuration_update', reasoning: { effort: 'low' } }
const trigger: JsonObject = { type: 'compaction_trigger' }
const body = (...input: readonly JsonObject[]): JsonObject => ({ model: 'gpt-5.4', input })
const search: JsonObject = {
  type: 'web_search_call',
  id: 'ws_1',
  status: 'completed',
  action: { query: 'x' },
}
const image = (link: string): JsonObject => ({
  role: 'user',
  content: [{ type: 'input_image', image_url: link }],
})

describeWireFormat('openAiResponses', {
  format: openAiResponses,
  fixtures: [
    {
      name: 'parallel calls',
      request: parallelTools,
      opaque: [
        'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAyAAAAJYCAYAAAC',
        'Z2FyZGVuLXJlYXNvbmluZy1vbmU=',
        'Z2FyZGVuLXJlYXNvbmluZy10d28=',
        'Z2FyZGVuLXJlYXNvbmluZy10aHJlZQ==',
      ],
    },
    {
      name: 'built-in tools',
      request: builtInTools,
      opaque: [
        'YnVpbHQtaW4tcmVhc29uaW5nLTE=',
        'data:image/png;base64,Y29kZS1pbWFnZQ==',
        'aVZCT1J3MEtHZ28gaW1hZ2U=',
        'data:image/png;base64,c2NyZWVuc2hvdA==',
        'Y29tcGFjdGVkLWhpc3Rvcnk=',
        'JVBERi0xLjQKYmlsbA==',
        'SUQzBAAAAAAAI1RTU0U=',
      ],
    },
    {
      name: 'items that only the provider holds',
      request: references,
      opaque: ['cmVmZXJlbmNlcy1yZWFzb25pbmc='],
      breaks: ['unknown_role'],
    },
    { name: 'input that is text', request: textInput, opaque: [] },
  ],
  same: [
    ['input that is text and the item of it', 'go', user],
    ['text and its one part', user, { role: 'user', content: [{ type: 'input_text', text: 'go' }] }],
    ['a message with and without its type', user, { type: 'message', ...user }],
    ['an answer as text and as the provider wrote it', { role: 'assistant', content: 'yes' }, said('yes')],
    [
      'an answer with and without its phase and name',
      { ...said('yes'), phase: 'final_answer' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'yes' }] },
    ],
    ['an answer with and without reasoning', [reasoning('rs_1'), said('yes')], said('yes')],
    ['a call with and without its own name', { ...call('a'), id: 'fc_1', status: 'completed' }, call('a')],
    [
      'arguments in another spacing and key order',
      call('a', '{"x":1,"y":[2]}'),
      call('a', ' { "y": [ 2 ], "x": 1 } '),
    ],
    ['output as text and as its one part', result('a'), result('a', [{ type: 'input_text', text: 'ok' }])],
    [
      'a search under another name and further on',
      [search, said('x')],
      [{ ...search, id: 'ws_2', status: 'searching' }, said('x')],
    ],
  ],
  different: [
    ['two texts', user, { role: 'user', content: 'stop' }],
    ['two roles', user, { role: 'assistant', content: 'go' }],
    ['two outputs', result('a'), result('a', 'no')],
    ['outputs of two calls', result('a'), result('b')],
    ['calls with two ids', call('a'), call('b')],
    ['calls with other arguments', call('a', '{"x":1}'), call('a', '{"x":"1"}')],
    ['two searches', search, { ...search, action: { query: 'y' } }],
    ['two references', { type: 'item_reference', id: 'a' }, { type: 'item_reference', id: 'b' }],
    [
      'two compacted histories',
      { type: 'compaction', encrypted_content: 'YQ==' },
      { type: 'compaction', encrypted_content: 'Yg==' },
    ],
    ['an answer, and the one that goes on', said('a'), [said('a'), call('b')]],
    ['two images', image('data:image/png;base64,AAAA'), image('data:image/png;base64,AAAB')],
    ['two actions of a computer', computer('click'), computer('type')],
  ],
  usage: [
    [
      'a response',
      {
        object: 'response',
        id: 'resp_1',
        output: [said('x')],
        usage: { input_tokens: 93_525, output_tokens: 40 },
      },
      { input: 93_525, output: 40, isTotal: false },
    ],
    [
      'a bare usage object with what was cached and written',
      {
        input_tokens: 900,
        output_tokens: 5,
        input_tokens_details: { cached_tokens: 512, cache_write_tokens: 300 },
        output_tokens_details: { reasoning_tokens: 3 },
      },
      { input: 900, output: 5, cacheRead: 512, cacheWrite: 300, isTotal: false },
    ],
    ...(['response.completed', 'response.incomplete', 'response.failed'] as const).map(
      (type) =>
        [
          `a stream that ends in ${type}`,
          [
            { type: 'response.created', response: { object: 'response', id: 'resp_1', usage: null } },
            { type: 'response.output_text.delta', delta: 'x' },
            {
              type,
              response: { object: 'response', id: 'resp_1', usage: { input_tokens: 12, output_tokens: 3 } },
            },
          ],
          { input: 12, output: 3, isTotal: false },
        ] as const,
    ),
    [
      'server-sent events',
      [{ data: '{"type":"response.completed","response":{"usage":{"input_tokens":8}}}' }, { data: '[DONE]' }],
      { input: 8, isTotal: false },
    ],
    [
      'a response in which a tool of the provider ran',
      { output: [search, said('x')], usage: { input_tokens: 9_000, output_tokens: 5 } },
      { input: 9_000, output: 5, isTotal: true },
    ],
    ...[
      'file_search_call',
      'code_interpreter_call',
      'image_generation_call',
      'mcp_call',
      'tool_search_output',
      'shell_call_output',
      'program_output',
    ].map(
      (type) =>
        [
          `a response that holds an item of type ${type}`,
          { output: [{ type }, said('x')], usage: { input_tokens: 9_000 } },
          { input: 9_000, isTotal: true },
        ] as const,
    ),
    [
      'a stream in which a tool of the provider ran',
      [
        { type: 'response.output_item.done', item: { type: 'mcp_call' } },
        { type: 'response.completed', response: { usage: { input_tokens: 9_000 } } },
      ],
      { input: 9_000, isTotal: true },
    ],
    [
      'a response in which the history was compacted',
      { output: [{ type: 'compaction' }, said('x')], usage: { input_tokens: 9_000 } },
      { input: 9_000, isTotal: true },
    ],
    [
      'a response whose call the app answers',
      { output: [reasoning('rs_1'), computer('click')], usage: { input_tokens: 9_000 } },
      { input: 9_000, isTotal: false },
    ],
    [
      'a provider that counts the tools it ran',
      { usage: { input_tokens: 9_000, num_server_side_tools_used: 2 } },
      { input: 9_000, isTotal: true },
    ],
    [
      'numbers that are none',
      { usage: { input_tokens: -1, output_tokens: Number.NaN, input_tokens_details: null } },
      { isTotal: false },
    ],
    ['an interrupted stream', [{ type: 'response.created', response: { usage: null } }], null],
    ['an error', { type: 'error', code: 'server_error', message: 'no' }, null],
    ['nothing', undefined, null],
  ],
  faults: [
    ['malformed', 'input', {}],
    ['malformed', 'input', { input: [] }],
    ['malformed', 'input[1]', { input: [user, 'x'] }],
    ['malformed', 'input[0].role', body({ type: 'message', content: 'x' })],
    ['malformed', 'input[0].content', body({ role: 'user', content: 5 })],
    ['malformed', 'input[0].type', body({ type: 5 })],
    ['malformed', 'input[1].output[0]', body(call('a'), { ...result('a'), output: ['x'] })],
    ['call_without_result', 'input[2]', body(user, call('a'), call('b'), result('a'))],
    ['call_without_result', 'input[2]', body(user, said('x'), computer('click'))],
    ['call_without_result', 'input[3]', body(user, call('a'), result('a'), call('a'))],
    ['call_without_id', 'input[0]', body({ type: 'function_call', name: 'look', arguments: '{}' })],
    ['result_without_call', 'input[1]', body(user, result('a'))],
    ['result_without_call', 'input[1]', body(user, { type: 'function_call_output', output: 'x' })],
    ['reasoning_without_item', 'input[1]', body(user, reasoning('rs_1'), user)],
    ['reasoning_without_item', 'input[2]', body(user, said('x'), reasoning('rs_1'))],
    ['reasoning_without_item', 'input[2]', body(user, call('a'), reasoning('rs_1'), result('a'))],
    ['reasoning_without_item', 'input[0]', body(reasoning('rs_1'), { role: 'developer', content: 'x' })],
    ['updates_in_a_row', 'input[2]', body(user, update, update)],
    ['update_beside_shortening', 'input[1]', { ...body(user, update), truncation: 'auto' }],
    [
      'update_beside_shortening',
      'input[1]',
      { ...body(user, update), context_management: [{ type: 'compaction', compact_threshold: 9_000 }] },
    ],
    ['trigger_not_last', 'input[1]', body(user, trigger, user)],
    [
      'two_histories',
      'conversation',
      { ...body(user), previous_response_id: 'resp_1', conversation: 'conv_1' },
    ],
    ['unknown_role', 'input[0].role', body({ role: 'narrator', content: 'x' })],
    ['missing_content', 'input[0].content', body({ role: 'user' })],
    [
      'result_not_adjacent',
      'input[3]',
      { ...body(user, call('a'), user, result('a')), model: 'deepseek-v4-flash' },
    ],
  ],
})

function computer(action: string): JsonObject {
  return { type: 'computer_call', id: 'cu_1', call_id: 'c', status: 'completed', action: { type: action } }
}
