import type { JsonObject, JsonValue } from '../../engine/json.ts'
import { describeWireFormat } from '../contract.ts'
import version3 from './fixtures/version-3.json'
import version4 from './fixtures/version-4.json'
import { aiSdk } from './index.ts'

const text = (words: string): JsonObject => ({ type: 'text', text: words })
const user = (...content: readonly JsonObject[]): JsonObject => ({ role: 'user', content })
const answer = (...content: readonly JsonObject[]): JsonObject => ({ role: 'assistant', content })
const asked = user(text('go'))
const call = (toolCallId: string, input: JsonValue = {}): JsonObject => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'look',
  input,
})
const search: JsonObject = { ...call('s'), providerExecuted: true }
const outcome = (toolCallId: string, output: JsonObject): JsonObject => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'look',
  output,
})
const results = (...content: readonly JsonObject[]): JsonObject => ({ role: 'tool', content })
const found = (toolCallId: string, value = 'ok'): JsonObject => outcome(toolCallId, { type: 'text', value })
const result = (toolCallId: string, output: JsonObject): JsonObject => results(outcome(toolCallId, output))
const file = (data: JsonValue, mediaType = 'image/png'): JsonObject => ({ type: 'file', data, mediaType })
const prompt = (...messages: readonly JsonObject[]): JsonObject => ({ prompt: messages })
const marked = { anthropic: { cacheControl: { type: 'ephemeral' } } }

describeWireFormat('aiSdk', {
  format: aiSdk,
  fixtures: [
    {
      name: 'version 4',
      request: version4,
      opaque: [
        'iVBORw0KGgoAAAANSUhEUgAAAyAAAAJYCAYAAAC',
        'c2lnbmVkLWJ5LXRoZS1rZWVwZXI=',
        'R0lGODlhZABkAIAAAAAAAP8',
        'UklGRiQAAABXQVZFZm10IBAA',
      ],
    },
    {
      name: 'version 3',
      request: version3,
      opaque: [
        'JVBERi0xLjQKJcOkw7zDtsOfCjIgMCBv',
        'ZW5jcnlwdGVkLXRob3VnaHRz',
        'iVBORw0KGgoAAAANSUhEUgAAAGQAAABk',
        'SGVsbG8gZnJvbSB0aGUgUXVheQ',
        'data:image/png;base64,iVBORw0KGgo',
      ],
    },
  ],
  same: [
    ['text and its one part', { role: 'user', content: 'go' }, asked],
    ['a part with and without options', user({ ...text('go'), providerOptions: marked }), asked],
    [
      'a call of the provider with and without options',
      answer(search),
      answer({ ...search, providerOptions: { openai: { itemId: 'ws_1' } } }),
    ],
    ['a message with and without options', { ...asked, providerOptions: marked }, asked],
    [
      'an answer with and without reasoning',
      answer(
        { type: 'reasoning', text: 'hm' },
        { type: 'reasoning-file', data: 'AA', mediaType: 'image/png' },
        text('so'),
      ),
      answer(text('so')),
    ],
    ['no content in any form', answer(call('a')), answer(text(''), call('a'))],
    ['input in another key order', answer(call('a', { x: 1, y: [2] })), answer(call('a', { y: [2], x: 1 }))],
    ['input and the JSON of it', answer(call('a', { x: 1 })), answer(call('a', ' { "x": 1 }'))],
    ['a file of both versions', user(file('AAAA')), user(file({ type: 'data', data: 'AAAA' }))],
    [
      'a link of both versions',
      user(file('https://x.example/a')),
      user(file({ type: 'url', url: 'https://x.example/a' })),
    ],
    [
      'an image in a result of both versions',
      result('a', { type: 'content', value: [{ type: 'image-data', data: 'AAAA', mediaType: 'image/png' }] }),
      result('a', { type: 'content', value: [file({ type: 'data', data: 'AAAA' })] }),
    ],
    [
      'a result in string or array form',
      results(found('a')),
      result('a', { type: 'content', value: [text('ok')] }),
    ],
    [
      'a result with and without the name of its tool and options',
      results(found('a')),
      results({ ...found('a'), toolName: 'other', providerOptions: { openai: { itemId: 'fc_1' } } }),
    ],
    [
      'JSON in another key order',
      result('a', { type: 'json', value: { x: 1, y: 2 } }),
      result('a', { type: 'json', value: { y: 2, x: 1 } }),
    ],
  ],
  different: [
    ['two texts', asked, user(text('stop'))],
    ['two roles', asked, answer(text('go'))],
    ['two results', results(found('a')), results(found('a', 'no'))],
    ['results of two calls', results(found('a')), results(found('b'))],
    ['calls with two ids', answer(call('a')), answer(call('b'))],
    ['calls with other input', answer(call('a', { x: 1 })), answer(call('a', { x: '1' }))],
    ['a call of the app and one of the provider', answer(call('s')), answer(search)],
    [
      'a result and a failure of the same words',
      results(found('a')),
      result('a', { type: 'error-text', value: 'ok' }),
    ],
    [
      'JSON and a failure of the same',
      result('a', { type: 'json', value: [1] }),
      result('a', { type: 'error-json', value: [1] }),
    ],
    ['a text and JSON that is that text', results(found('a')), result('a', { type: 'json', value: 'ok' })],
    [
      'two reasons to deny',
      result('a', { type: 'execution-denied' }),
      result('a', { type: 'execution-denied', reason: 'no' }),
    ],
    ['two files', user(file('AAAA')), user(file('AAAB'))],
    ['one file of two types', user(file('AAAA')), user(file('AAAA', 'image/gif'))],
    [
      'files of two names',
      user({ ...file('AAAA'), filename: 'a' }),
      user({ ...file('AAAA'), filename: 'b' }),
    ],
    [
      'two approvals',
      results({ type: 'tool-approval-response', approvalId: 'a', approved: true }),
      results({ type: 'tool-approval-response', approvalId: 'a', approved: false }),
    ],
    ['one text and two that join to it', asked, user(text('g'), text('o'))],
  ],
  usage: [
    [
      'a result',
      {
        content: [],
        usage: {
          inputTokens: { total: 900, noCache: 100, cacheRead: 700, cacheWrite: 100 },
          outputTokens: { total: 40, text: 30, reasoning: 10 },
        },
      },
      { input: 900, cacheRead: 700, cacheWrite: 100, output: 40, isTotal: false },
    ],
    [
      'a stream',
      [
        { type: 'stream-start', warnings: [] },
        { type: 'text-delta', id: '1', delta: 'a' },
        {
          type: 'finish',
          finishReason: { unified: 'stop' },
          usage: { inputTokens: { total: 12, noCache: undefined }, outputTokens: { total: 3 } },
        },
      ],
      { input: 12, output: 3, isTotal: false },
    ],
    [
      'a bare usage object whose total nobody gives',
      { inputTokens: { total: undefined, noCache: 5, cacheRead: 20, cacheWrite: 0 }, outputTokens: {} },
      { input: 25, cacheRead: 20, cacheWrite: 0, isTotal: false },
    ],
    [
      'one that leaves a part of the sum out',
      { inputTokens: { noCache: 5, cacheRead: 20 }, outputTokens: { total: 1 } },
      { cacheRead: 20, output: 1, isTotal: false },
    ],
    [
      'flat figures',
      { inputTokens: 30, outputTokens: 2, totalTokens: 32, cachedInputTokens: 20 },
      { input: 30, output: 2, cacheRead: 20, isTotal: false },
    ],
    [
      'flat figures with details',
      { inputTokens: 30, inputTokenDetails: { cacheReadTokens: 20, cacheWriteTokens: 4 }, outputTokens: 2 },
      { input: 30, output: 2, cacheRead: 20, cacheWrite: 4, isTotal: false },
    ],
    [
      'flat figures that left the cached part out',
      { usage: { inputTokens: 10, outputTokens: 2, cachedInputTokens: 20 } },
      { output: 2, cacheRead: 20, isTotal: false },
    ],
    [
      'one step of a loop',
      {
        steps: [{}],
        usage: { inputTokens: 10, outputTokens: 2 },
        totalUsage: { inputTokens: 10, outputTokens: 2 },
      },
      { input: 10, output: 2, isTotal: false },
    ],
    [
      'a loop of several steps [R41]',
      { steps: [{}, {}], usage: { inputTokens: 20, outputTokens: 2 }, totalUsage: { inputTokens: 30 } },
      { input: 20, output: 2, isTotal: true },
    ],
    [
      'the sum of all steps alone',
      { totalUsage: { inputTokens: 30, outputTokens: 4 } },
      { input: 30, output: 4, isTotal: true },
    ],
    [
      'a stream of several steps',
      [
        { type: 'finish-step', usage: { inputTokens: 10, outputTokens: 1 } },
        { type: 'finish-step', usage: { inputTokens: 20, outputTokens: 2 } },
        { type: 'finish', totalUsage: { inputTokens: 30, outputTokens: 3 } },
      ],
      { input: 20, output: 2, isTotal: true },
    ],
    [
      'a result in which tools of the provider ran',
      { content: [search], usage: { inputTokens: { total: 90 }, outputTokens: { total: 4 } } },
      { input: 90, output: 4, isTotal: true },
    ],
    [
      'a stream in which tools of the provider ran',
      [search, { type: 'finish', usage: { inputTokens: { total: 90 }, outputTokens: { total: 4 } } }],
      { input: 90, output: 4, isTotal: true },
    ],
    [
      'a sum over what Anthropic lists as calls of its own',
      { inputTokens: { total: 90 }, outputTokens: { total: 4 }, raw: { iterations: [{}, {}] } },
      { input: 90, output: 4, isTotal: true },
    ],
    [
      'numbers that are none',
      { usage: { inputTokens: { total: -1 }, outputTokens: 'x' } },
      { isTotal: false },
    ],
    ['an interrupted stream', [{ type: 'text-delta', id: '1', delta: 'a' }], null],
    ['nothing', undefined, null],
  ],
  faults: [
    ['malformed', 'prompt', {}],
    ['malformed', 'prompt', { prompt: [] }],
    ['malformed', 'prompt[1].role', prompt(asked, { content: 'x' })],
    ['malformed', 'prompt[0].content', prompt({ role: 'user' })],
    ['malformed', 'prompt[0].content[1]', { prompt: [{ role: 'user', content: [text('x'), 'y'] }] }],
    ['unknown_role', 'prompt[0].role', prompt({ role: 'developer', content: 'x' })],
    ['system_not_text', 'prompt[0].content', prompt({ role: 'system', content: [text('x')] }, asked)],
    ['empty_content', 'prompt[0].content', prompt(user())],
    ['empty_content', 'prompt[2].content', prompt(asked, answer(text('x')), results())],
    ['part_in_wrong_role', 'prompt[0].content[1]', prompt(user(text('x'), search))],
    ['part_in_wrong_role', 'prompt[0].content[0]', prompt(user({ type: 'reasoning', text: 'x' }))],
    ['part_in_wrong_role', 'prompt[0].content[0]', prompt(user(found('a')))],
    ['part_in_wrong_role', 'prompt[1].content[0]', prompt(asked, results(text('x')))],
    ['call_without_result', 'prompt[1].content[0]', prompt(asked, answer(call('a')))],
    [
      'call_without_result',
      'prompt[1].content[1]',
      prompt(asked, answer(call('a'), call('b')), results(found('a'))),
    ],
    ['call_without_result', 'prompt[1].content[0]', prompt(asked, answer(call('a')), asked)],
    [
      'call_without_result',
      'prompt[1].content[0]',
      prompt(asked, answer(call('a')), { role: 'system', content: 'x' }),
    ],
    ['call_without_id', 'prompt[1].content[0]', prompt(asked, answer({ type: 'tool-call', toolName: 'x' }))],
    [
      'duplicate_call_id',
      'prompt[1].content[1]',
      prompt(asked, answer(call('a'), call('a')), results(found('a'))),
    ],
    ['result_without_call', 'prompt[1].content[0]', prompt(asked, results(found('a')))],
    ['result_without_call', 'prompt[1].content[0]', prompt(asked, answer(found('a')))],
    [
      'duplicate_result',
      'prompt[2].content[1]',
      prompt(asked, answer(call('a')), results(found('a'), found('a'))),
    ],
    [
      'result_not_adjacent',
      'prompt[4].content[0]',
      prompt(asked, answer(call('a')), results(found('a')), asked, results(found('a'))),
    ],
  ],
})
