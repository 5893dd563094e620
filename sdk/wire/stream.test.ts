import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ResponseReading } from '../engine/format.ts'
import type { JsonObject } from '../engine/json.ts'
import { formats } from './detect.ts'
import { emptyReading } from './response-reading.ts'

const streams: Readonly<Record<string, readonly JsonObject[]>> = {
  'openai-chat': [
    { id: 'c1', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { role: 'assistant' } }] },
    { id: 'c1', choices: [{ index: 0, delta: { content: 'Two' }, finish_reason: null }], usage: null },
    { id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    {
      id: 'c1',
      choices: [],
      usage: {
        prompt_tokens: 900,
        completion_tokens: 7,
        total_tokens: 907,
        prompt_tokens_details: { cached_tokens: 640 },
      },
      timings: { cache_n: 640, prompt_n: 260 },
    },
  ],
  anthropic: [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        content: [],
        usage: { input_tokens: 20, cache_read_input_tokens: 800, output_tokens: 1 },
      },
    },
    { type: 'ping' },
    { type: 'content_block_start', index: 0, content_block: { type: 'server_tool_use', id: 's1' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Two' } },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: null, output_tokens: 41, server_tool_use: { web_search_requests: 1 } },
    },
    { type: 'message_stop' },
  ],
  'openai-responses': [
    {
      type: 'response.created',
      response: {
        object: 'response',
        id: 'resp_1',
        conversation: { id: 'conv_1' },
        status: 'in_progress',
        output: [],
      },
    },
    { type: 'response.output_item.done', item: { type: 'web_search_call', id: 'ws_1' } },
    { type: 'response.output_text.delta', delta: 'Two' },
    {
      type: 'response.completed',
      response: {
        object: 'response',
        id: 'resp_1',
        status: 'completed',
        conversation: { id: 'conv_1' },
        output: [{ type: 'web_search_call' }, { type: 'message' }],
        usage: { input_tokens: 700, output_tokens: 30, input_tokens_details: { cached_tokens: 512 } },
      },
    },
  ],
  gemini: [
    {
      candidates: [{ content: { role: 'model', parts: [{ text: 'T' }] } }],
      usageMetadata: { promptTokenCount: 300, candidatesTokenCount: 1, totalTokenCount: 301 },
    },
    { candidates: [{ content: { parts: [{ text: 'wo' }] }, finishReason: 'CONTINUATION' }] },
    {
      candidates: [{ content: { parts: [] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 300, candidatesTokenCount: 9, thoughtsTokenCount: 4 },
    },
  ],
}

/** What a stream of each format says instead of its last event. */
const errors: Readonly<Record<string, readonly [JsonObject, unknown]>> = {
  'openai-chat': [{ error: { code: 502, message: 'gone' } }, { code: 502, message: 'gone' }],
  anthropic: [{ type: 'error', error: { type: 'overloaded_error' } }, { type: 'overloaded_error' }],
  'openai-responses': [
    {
      type: 'response.failed',
      response: { object: 'response', status: 'failed', error: { code: 'server_error' } },
    },
    { code: 'server_error' },
  ],
  gemini: [{ error: { code: 503, status: 'UNAVAILABLE' } }, { code: 503, status: 'UNAVAILABLE' }],
}

function formatOf(name: string) {
  const format = formats.find((each) => each.format === name)
  if (!format?.readEvent) throw new Error(`${name} reads no events`)
  return { ...format, readEvent: format.readEvent }
}

function readAll(name: string, events: readonly JsonObject[]): ResponseReading {
  return events.reduce((reading, event) => formatOf(name).readEvent(reading, event), emptyReading)
}

describe.each(Object.entries(streams))('a stream of %s', (name, events) => {
  const format = formatOf(name)

  it('[R33, R38] comes to the usage of all its events at every point of it, and to its id', () => {
    for (let length = 0; length <= events.length; length++) {
      const passed = events.slice(0, length)
      const { response } = readAll(name, passed)
      expect(format.readUsage(response)).toEqual(format.readUsage(passed))
      expect(format.responseId?.(response)).toEqual(format.responseId?.(passed))
    }
  })

  it('[R33] merges counts and never sums them, however often an event comes (seed 7)', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(events.length - 1), { maxLength: 12 }), (order) => {
        const passed = order.map((position) => events[position] ?? {})
        const { response } = readAll(name, passed)
        expect(format.readUsage(response)).toEqual(format.readUsage(passed))
      }),
      { seed: 7, numRuns: 60 },
    )
  })

  it('is complete with the event that ends the answer, and not before', () => {
    const lengths = events.map((_, position) => readAll(name, events.slice(0, position + 1)).isComplete)
    expect(lengths.at(-1)).toBe(true)
    expect(lengths[0]).toBe(false)
    expect(readAll(name, events.slice(0, 2)).isComplete).toBe(name === 'gemini')
  })

  it('holds no more after a long stream than after a short one, and no word of the answer', () => {
    const size = (list: readonly JsonObject[]) => JSON.stringify(readAll(name, list)).length
    const long = Array.from({ length: 300 }, () => events).flat()
    expect(size(long)).toBeLessThanOrEqual(size([...events, ...events]))
    expect(JSON.stringify(readAll(name, events))).not.toMatch(/Two|"T"|"wo"/)
  })

  it('is a failure once it has reported an error', () => {
    const [event, error] = errors[name] ?? []
    expect(readAll(name, [...events.slice(0, 1), event ?? {}]).error).toEqual(error)
    expect(readAll(name, [event ?? {}, ...events]).error).toEqual(error)
    expect(readAll(name, events).error).toBeNull()
  })

  it('says nothing where no event is one of its format', () => {
    expect(readAll(name, [{}, { type: 'ping' }, { hello: 1 }])).toEqual(emptyReading)
  })

  it('is read from events of any shape without failing (seed 8)', () => {
    const shapes = fc.dictionary(
      fc.constantFrom(
        'type',
        'choices',
        'usage',
        'response',
        'message',
        'candidates',
        'usageMetadata',
        'error',
        'object',
        'delta',
      ),
      fc.jsonValue({ maxDepth: 2 }),
    )
    fc.assert(
      fc.property(fc.array(shapes, { maxLength: 4 }), (list) => {
        expect(() => readAll(name, list as JsonObject[])).not.toThrow()
      }),
      { seed: 8, numRuns: 200 },
    )
  })
})

describe('a response that is not streamed', () => {
  it.each<[string, JsonObject, boolean]>([
    ['openai-chat', { object: 'chat.completion', choices: [{ message: {}, finish_reason: 'length' }] }, true],
    ['anthropic', { type: 'message', id: 'msg_1', content: [], usage: { input_tokens: 3 } }, true],
    ['openai-responses', { object: 'response', id: 'resp_1', status: 'incomplete', output: [] }, true],
    ['openai-responses', { object: 'response', id: 'resp_1', status: 'queued' }, true],
    ['gemini', { promptFeedback: { blockReason: 'SAFETY' } }, true],
  ])('of %s is its own only event', (name, response, isComplete) => {
    const reading = readAll(name, [response])
    expect(reading).toMatchObject({ isComplete, error: null })
    expect(formatOf(name).readUsage(reading.response)).toEqual(formatOf(name).readUsage(response))
    expect(formatOf(name).responseId?.(reading.response)).toEqual(formatOf(name).responseId?.(response))
  })

  it.each<[string, JsonObject]>([
    ['openai-chat', { error: 'the model is not loaded' }],
    ['openai-responses', { object: 'response', status: 'cancelled', error: null }],
    ['openai-responses', { type: 'error', code: 'server_error', message: 'gone' }],
  ])('of %s may report an error', (name, response) => {
    expect(readAll(name, [response]).error).not.toBeNull()
  })
})
