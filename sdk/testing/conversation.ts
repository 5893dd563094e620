import type { JsonObject } from '../engine/json.ts'
import { type Random, seededRandom } from './random.ts'

export type ConversationFormat = 'openai-chat' | 'anthropic'

export interface ConversationOptions {
  readonly seed: number
  readonly format: ConversationFormat
  /** Rounds of tool calls. */
  readonly rounds: number
  /** Longest result in words; results are of very different lengths. */
  readonly resultWords?: number
  readonly contextTool?: boolean
}

export interface Conversation {
  /** The last request, whole. */
  readonly request: JsonObject & { readonly messages: readonly JsonObject[] }
  /** Lengths of the list at which a request left, ascending; the last is the whole list. */
  readonly requests: readonly number[]
}

interface Call {
  readonly id: string
  readonly name: string
  readonly input: JsonObject
  readonly output: string
  readonly failed: boolean
}

/**
 * A tool conversation as an agent has it: turns of several rounds, parallel calls, failed calls, answers with
 * and without words, text of several scripts. The same seed gives the same conversation.
 */
export function makeConversation(options: ConversationOptions): Conversation {
  const random = seededRandom(options.seed)
  const messages: JsonObject[] = []
  const requests: number[] = []
  const speak = options.format === 'anthropic' ? anthropicSpeaker : openAiSpeaker
  let asked = 0
  for (let round = 0; round < options.rounds; round++) {
    if (round === 0 || random.chance(0.12)) {
      if (round > 0) {
        requests.push(messages.length)
        messages.push(speak.say(words(random, 30)))
      }
      messages.push(speak.ask(`Task ${++asked}: ${words(random, 25)}`))
    }
    requests.push(messages.length)
    const calls = Array.from({ length: random.pick([1, 1, 1, 2, 3, 5]) }, (_, position): Call => {
      const failed = random.chance(0.08)
      return {
        id: `call_${round}_${position}`,
        name: random.pick(['search', 'read_file', 'list_files', 'run']),
        input: { path: `notes/${words(random, 1)}/${round}.md`, query: words(random, random.integer(1, 40)) },
        output: failed
          ? `Error: ${words(random, 6)}`
          : words(random, random.integer(1, options.resultWords ?? 400)),
        failed,
      }
    })
    messages.push(speak.call(random.chance(0.5) ? words(random, 12) : '', calls), ...speak.results(calls))
  }
  requests.push(messages.length)
  return { request: speak.request(messages, options.contextTool === true), requests }
}

interface Speaker {
  ask(text: string): JsonObject
  say(text: string): JsonObject
  call(text: string, calls: readonly Call[]): JsonObject
  results(calls: readonly Call[]): readonly JsonObject[]
  request(messages: readonly JsonObject[], contextTool: boolean): Conversation['request']
}

const system = 'You keep a small archive of notes. Read before you answer, and name your sources.'

const contextParameters: JsonObject = {
  type: 'object',
  properties: {
    action: { type: 'string', enum: ['status', 'read_result', 'restore'] },
    index: { type: 'integer' },
  },
  required: ['action'],
}

const openAiSpeaker: Speaker = {
  ask: (content) => ({ role: 'user', content }),
  say: (content) => ({ role: 'assistant', content }),
  call: (text, calls) => ({
    role: 'assistant',
    content: text === '' ? null : text,
    tool_calls: calls.map(({ id, name, input }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    })),
  }),
  results: (calls) => calls.map(({ id, output }) => ({ role: 'tool', tool_call_id: id, content: output })),
  request: (messages, contextTool) => ({
    model: 'test-model',
    messages: [{ role: 'system', content: system }, ...messages],
    tools: [
      { type: 'function', function: { name: 'search', parameters: { type: 'object' } } },
      ...(contextTool
        ? [{ type: 'function', function: { name: 'context', parameters: contextParameters } }]
        : []),
    ],
  }),
}

const anthropicSpeaker: Speaker = {
  ask: (text) => ({ role: 'user', content: [{ type: 'text', text }] }),
  say: (text) => ({ role: 'assistant', content: [{ type: 'text', text }] }),
  call: (text, calls) => ({
    role: 'assistant',
    content: [
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
    ],
  }),
  results: (calls) => [
    {
      role: 'user',
      content: calls.map(({ id, output, failed }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: output,
        ...(failed ? { is_error: true } : {}),
      })),
    },
  ],
  request: (messages, contextTool) => ({
    model: 'test-model',
    max_tokens: 1024,
    system,
    messages,
    tools: [
      { name: 'search', input_schema: { type: 'object' } },
      ...(contextTool ? [{ name: 'context', input_schema: contextParameters }] : []),
    ],
  }),
}

/** The request as it left with the first `length` messages of the list; a leading system message is not counted. */
export function requestAt(conversation: Conversation, length: number): JsonObject {
  const { messages } = conversation.request
  const leading = messages[0]?.role === 'system' ? 1 : 0
  return { ...conversation.request, messages: messages.slice(0, leading + length) }
}

const vocabulary = [
  'archive',
  'river',
  'ledger',
  'maps',
  'harbour',
  'keeper',
  'winter',
  'letters',
  'the',
  'of',
  'and',
  'under',
  'between',
  'Überfahrt',
  'naïve',
  '港の記録',
  '北京',
  'маяк',
  '🧭',
  'https://example.org/a?b=1',
  '{"k":[1,2,3]}',
  '0042',
  "it's",
  'don’t',
  'line\nbreak',
  'tab\there',
  '<b>tag</b>',
  '…',
  '100,000',
  'snake_case_name',
  '——',
] as const satisfies readonly string[]

function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => vocabulary[random.integer(0, vocabulary.length - 1)]).join(' ')
}
