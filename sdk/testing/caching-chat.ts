import type { CacheMark } from '../engine/format.ts'
import type { JsonObject, JsonValue } from '../engine/json.ts'
import type { ContextPolicy } from '../engine/policy.ts'
import { cacheMarks } from '../wire/anthropic/marks.ts'
import { openTestBranch, type TestBranch, type TestBranchOptions } from './open-branch.ts'
import { messagesOf } from './play-conversation.ts'

export const short = { type: 'ephemeral' }
export const long = { type: 'ephemeral', ttl: '1h' }
export const caching = { maxInputTokens: 2500, promptCaching: true } as const

export async function openCaching(
  policy: ContextPolicy = caching,
  options: TestBranchOptions = {},
): Promise<TestBranch> {
  return openTestBranch({ policy, ...options })
}

export const tools: readonly JsonObject[] = [
  { name: 'look', description: 'Looks.', input_schema: { type: 'object' } },
  {
    name: 'context',
    description: 'Reads back.',
    input_schema: { type: 'object', properties: { action: { enum: ['read_result'] } } },
  },
]

export const ask = (text: string): JsonObject => ({ role: 'user', content: text })
export const say = (text: string): JsonObject => ({ role: 'assistant', content: [{ type: 'text', text }] })

/** A call and its result of so many words. */
export function round(id: string, words: number): readonly JsonObject[] {
  const content = Array.from({ length: words }, (_, word) => `${id}${word}`).join(' ')
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'look', input: { at: id } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ]
}

export function chat(messages: readonly JsonObject[], changed: JsonObject = {}): JsonObject {
  return {
    model: 'claude-opus-5-5',
    max_tokens: 100,
    system: 'You look things up.',
    messages,
    tools,
    ...changed,
  }
}

/** Rounds of which some must go under a ceiling of 2,500. */
export const rounds = ['b', 'c', 'd', 'e', 'f', 'g'].map((id) => round(id, 180))
export const opening = [ask('Look around.'), ...round('a', 20)]

export async function sendAll(
  { branch }: Pick<TestBranch, 'branch'>,
  requests: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const sent: JsonObject[] = []
  for (const request of requests) {
    const prepared = await branch.prepare(request)
    sent.push(prepared.request)
    await prepared.settle({ usage: null })
  }
  return sent
}

/** One request per round, as a loop of calls sends them. */
export function looped(changed: JsonObject = {}): readonly JsonObject[] {
  return [0, 1, 2, 3, 4, 5, 6].map((count) => chat([...opening, ...rounds.slice(0, count).flat()], changed))
}

function marksIn(value: JsonValue | undefined): readonly CacheMark[] {
  return value === undefined ? [] : cacheMarks.read(value)
}

/** Where a request is marked: parts, and positions of messages. */
export function marked(request: JsonObject): readonly string[] {
  return [
    ...marksIn(request.tools).map(({ lifetime }) => `tools ${lifetime}`),
    ...marksIn(request.system).map(({ lifetime }) => `system ${lifetime}`),
    ...messagesOf(request).flatMap((message, position) =>
      marksIn(message).map(({ lifetime }) => `${position} ${lifetime}`),
    ),
  ]
}

/** What a request says: no marks, and text as a block. */
export function saidOf(request: JsonObject): readonly JsonValue[] {
  return messagesOf(request).map((message) => cacheMarks.covered(message, Number.POSITIVE_INFINITY))
}

export function noteAt(request: JsonObject): number {
  return messagesOf(request).findLastIndex((message) => JSON.stringify(message).includes('[Record kept'))
}
