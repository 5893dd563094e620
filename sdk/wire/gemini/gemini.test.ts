import type { JsonObject } from '../../engine/json.ts'
import { describeWireFormat } from '../contract.ts'
import byId from './fixtures/by-id.json'
import byName from './fixtures/by-name.json'
import otherSpelling from './fixtures/other-spelling.json'
import { gemini } from './index.ts'

const said = (text: string): JsonObject => ({ text })
const user = (...parts: readonly JsonObject[]): JsonObject => ({ role: 'user', parts })
const model = (...parts: readonly JsonObject[]): JsonObject => ({ role: 'model', parts })
const go = user(said('go'))
const yes = model(said('yes'))
const call = (name = 'look', args: JsonObject = {}): JsonObject => ({ functionCall: { name, args } })
const signed = (part: JsonObject, thoughtSignature = 'c2ln'): JsonObject => ({ ...part, thoughtSignature })
const result = (name = 'look', response: JsonObject = { output: 'ok' }): JsonObject => ({
  functionResponse: { name, response },
})
const chat = (...contents: readonly JsonObject[]): JsonObject => ({ contents })
const third = (...contents: readonly JsonObject[]): JsonObject => ({
  model: 'gemini-3-flash-preview',
  contents,
})

describeWireFormat('gemini', {
  format: gemini,
  fixtures: [
    {
      name: 'calls without ids',
      request: byName,
      opaque: [
        'c2lnbmVkLXN0ZXAtMQ==',
        'c2lnbmVkLXN0ZXAtMg==',
        'c2lnbmVkLXN0ZXAtMw==',
        'c2lnbmVkLWFuc3dlcg==',
        'iVBORw0KGgoAAAANSUhEUgAAAyAAAAJYCAYAAAC',
      ],
    },
    {
      name: 'the parameters of the SDK, with ids and signatures',
      request: byId,
      opaque: [
        'c2lnbmVkLXNoZWxmLTE=',
        'c2lnbmVkLXNoZWxmLTI=',
        'c2lnbmVkLXNoZWxmLTM=',
        'c2lnbmVkLXNoZWxmLTQ=',
        '/9j/4AAQSkZJRgABAQ',
      ],
    },
    {
      name: 'the other spelling',
      request: otherSpelling,
      opaque: ['c2lnbmVkLWxldHRlcg==', 'c2lnbmVkLWZpbGU=', '/9j/4AAQSkZJRgABAg'],
    },
  ],
  same: [
    ['a content with and without its role', go, { parts: [said('go')] }],
    ['an answer with and without thoughts', model({ text: 'hm', thought: true }, said('yes')), yes],
    ['an answer with and without a signature', model(signed(said('yes'))), yes],
    ['a signature by itself and none', model(said('yes'), signed(said(''))), yes],
    ['a call with and without a signature', model(signed(call())), model(call())],
    ['a call in both spellings', model(call()), model({ function_call: { name: 'look', args: {} } })],
    [
      'arguments in another key order',
      model(call('look', { x: 1, y: { a: 1, b: 2 } })),
      model(call('look', { y: { b: 2, a: 1 }, x: 1 })),
    ],
    ['a call with empty arguments and with none', model(call()), model({ functionCall: { name: 'look' } })],
    [
      'a response in another key order',
      user(result('look', { a: 1, b: 2 })),
      user(result('look', { b: 2, a: 1 })),
    ],
    [
      'a result with an id, with and without the name of its function',
      user({ functionResponse: { id: 'a', name: 'look', response: {} } }),
      user({ functionResponse: { id: 'a', response: {} } }),
    ],
  ],
  different: [
    ['two texts', go, user(said('stop'))],
    ['two roles', go, model(said('go'))],
    ['one text and two that join to it', go, user(said('g'), said('o'))],
    ['calls of two functions', model(call('a')), model(call('b'))],
    ['calls with other arguments', model(call('a', { x: 1 })), model(call('a', { x: '1' }))],
    [
      'calls with two ids',
      model({ functionCall: { id: 'a', name: 'look' } }),
      model({ functionCall: { id: 'b', name: 'look' } }),
    ],
    [
      'arguments that have a field named like a signature',
      model(call('a', { thoughtSignature: 'x' })),
      model(call('a', { thoughtSignature: 'y' })),
    ],
    ['two results', user(result()), user(result('look', { output: 'no' }))],
    ['results of two functions', user(result('a')), user(result('b'))],
    [
      'a text and an object that holds it',
      user(result('a', { output: '1' })),
      user(result('a', { output: 1 })),
    ],
    [
      'results of two media',
      user({
        functionResponse: {
          name: 'a',
          response: {},
          parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
        },
      }),
      user({
        functionResponse: {
          name: 'a',
          response: {},
          parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAB' } }],
        },
      }),
    ],
    [
      'two images',
      user({ inlineData: { mimeType: 'image/png', data: 'AAAA' } }),
      user({ inlineData: { mimeType: 'image/png', data: 'AAAB' } }),
    ],
    [
      'two runs of code',
      model({ executableCode: { language: 'PYTHON', code: '1' } }),
      model({ executableCode: { language: 'PYTHON', code: '2' } }),
    ],
  ],
  usage: [
    [
      'a response whose prompt holds its cached part [R24]',
      {
        candidates: [{ content: yes, finishReason: 'STOP' }],
        usageMetadata: {
          promptTokenCount: 4_200,
          cachedContentTokenCount: 4_000,
          candidatesTokenCount: 30,
          thoughtsTokenCount: 70,
          totalTokenCount: 4_300,
        },
      },
      { input: 4_200, cacheRead: 4_000, output: 100, isTotal: false },
    ],
    [
      'bare usage metadata',
      { promptTokenCount: 8, candidatesTokenCount: 3, totalTokenCount: 11 },
      { input: 8, output: 3, isTotal: false },
    ],
    [
      'an answer that was nothing but thought',
      { usageMetadata: { promptTokenCount: 5, thoughtsTokenCount: 4, totalTokenCount: 9 } },
      { input: 5, output: 4, isTotal: false },
    ],
    ['an answer that was blocked', { usageMetadata: { promptTokenCount: 5 } }, { input: 5, isTotal: false }],
    [
      'a stream whose last chunk has the whole [R33]',
      [
        { candidates: [{ content: yes }], usageMetadata: { promptTokenCount: 90, totalTokenCount: 90 } },
        { candidates: [{ content: yes }], usageMetadata: { promptTokenCount: 90, candidatesTokenCount: 4 } },
        {
          candidates: [{ content: yes, finishReason: 'STOP' }],
          usageMetadata: { promptTokenCount: 90, candidatesTokenCount: 9, thoughtsTokenCount: 2 },
        },
      ],
      { input: 90, output: 11, isTotal: false },
    ],
    [
      'server-sent events',
      [
        { data: '{"usageMetadata":{"promptTokenCount":7}}' },
        { data: '{"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3}}' },
      ],
      { input: 7, output: 3, isTotal: false },
    ],
    [
      'a response for which a tool of the provider read something',
      {
        usageMetadata: { promptTokenCount: 95, toolUsePromptTokenCount: 439, candidatesTokenCount: 66 },
      },
      { input: 534, output: 66, isTotal: true },
    ],
    [
      'an answer written in hops, of which the first tells the size',
      {
        candidates: [{ finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 900, initialPromptTokenCount: 400, candidatesTokenCount: 60 },
      },
      { input: 400, output: 60, isTotal: true },
    ],
    [
      'an answer that goes on',
      {
        candidates: [{ finishReason: 'CONTINUATION' }],
        usageMetadata: { promptTokenCount: 400, initialPromptTokenCount: 400 },
      },
      { input: 400, isTotal: true },
    ],
    [
      'an answer written in one hop',
      { usageMetadata: { promptTokenCount: 400, initialPromptTokenCount: 400, candidatesTokenCount: 6 } },
      { input: 400, output: 6, isTotal: false },
    ],
    [
      'an interaction, which names everything otherwise',
      {
        id: 'int_1',
        object: 'interaction',
        status: 'completed',
        usage: {
          total_input_tokens: 4_200,
          total_cached_tokens: 4_000,
          total_output_tokens: 30,
          total_thought_tokens: 70,
          total_tokens: 4_300,
        },
      },
      { input: 4_200, cacheRead: 4_000, output: 100, isTotal: false },
    ],
    [
      'a stream of an interaction',
      [
        { event_type: 'interaction.created', interaction: { id: 'int_1', status: 'in_progress' } },
        {
          event_type: 'interaction.completed',
          interaction: { id: 'int_1', usage: { total_input_tokens: 8, total_output_tokens: 3 } },
        },
      ],
      { input: 8, output: 3, isTotal: false },
    ],
    [
      'an interaction in which a tool of the provider read something',
      { total_input_tokens: 95, total_tool_use_tokens: 439, total_output_tokens: 66 },
      { input: 534, output: 66, isTotal: true },
    ],
    [
      'an interaction written in hops, of which the first tells the size',
      { usage: { total_input_tokens: 900, initial_input_tokens: 400, total_output_tokens: 60 } },
      { input: 400, output: 60, isTotal: true },
    ],
    [
      'one part that is no number: the sum is unknown',
      { usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 6, thoughtsTokenCount: -1 } },
      { input: 5, isTotal: false },
    ],
    [
      'numbers beyond belief',
      { usageMetadata: { promptTokenCount: 1e15, candidatesTokenCount: 2.5 } },
      { isTotal: false },
    ],
    ['an interrupted stream', [{ candidates: [{ content: yes }] }], null],
    ['an error', { error: { code: 400, status: 'INVALID_ARGUMENT' } }, null],
    ['nothing', undefined, null],
  ],
  faults: [
    ['malformed', 'contents', {}],
    ['malformed', 'contents', { contents: 'hello' }],
    ['malformed', 'contents[1]', { contents: [go, 'hello'] }],
    ['malformed', 'contents[0].role', chat({ role: 4, parts: [said('x')] })],
    ['malformed', 'contents[0].parts', chat({ role: 'user', parts: 'x' })],
    ['malformed', 'contents[0].parts[1]', { contents: [{ role: 'user', parts: [said('x'), 'y'] }] }],
    ['unknown_role', 'contents[0].role', chat({ role: 'assistant', parts: [said('x')] })],
    ['empty_parts', 'contents[1].parts', chat(go, { role: 'model' }, go)],
    ['empty_parts', 'contents[0].parts', chat(user())],
    ['call_without_result', 'contents[1].parts[1]', chat(go, model(said('x'), call()))],
    ['call_without_result', 'contents[1].parts[0]', chat(go, model(call()), go)],
    ['call_misplaced', 'contents[0]', chat(model(call()), user(result()))],
    ['call_misplaced', 'contents[2]', chat(go, yes, model(call()), user(result()))],
    ['result_without_call', 'contents[0]', chat(user(result()))],
    ['result_without_call', 'contents[3]', chat(go, model(call()), user(result()), user(result()))],
    ['result_without_call', 'contents[2]', chat(go, yes, user(result(), said('and')))],
    ['result_count', 'contents[2]', chat(go, model(call(), call()), user(result()))],
    ['result_count', 'contents[2]', chat(go, model(call()), user(result(), result(), said('and')))],
    [
      'missing_signature',
      'contents[1].parts[1]',
      third(go, model(said('x'), call(), signed(call())), user(result(), result())),
    ],
    [
      'missing_signature',
      'contents[3].parts[0]',
      third(go, model(signed(call()), call()), user(result(), result()), model(call()), user(result())),
    ],
    [
      'set_beside_cache',
      'systemInstruction',
      { ...chat(go), cachedContent: 'cachedContents/a', systemInstruction: {} },
    ],
    ['set_beside_cache', 'tools', { ...chat(go), config: { cachedContent: 'cachedContents/a', tools: [] } }],
    ['set_beside_cache', 'toolConfig', { ...chat(go), cached_content: 'cachedContents/a', tool_config: {} }],
  ],
})
