import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'
import { messagesOf } from './play-conversation.ts'

/** A request without the marks of the provider's cache, which are no part of what it says. */
export function withoutMarks(request: unknown): JsonObject {
  const plain: unknown = JSON.parse(
    JSON.stringify(request, (key, value) => (key === 'cache_control' ? undefined : value)),
  )
  if (!isObject(plain)) throw new TypeError('a request is an object')
  return plain
}

/** The same with every text that may stand by itself or in a block in a block: only blocks can be marked. */
export function inBlocks(request: unknown): JsonObject {
  const plain = withoutMarks(request)
  return {
    ...plain,
    ...(plain.system === undefined ? {} : { system: blocksIn(plain.system) }),
    messages: messagesOf(plain).map((message) => ({ ...message, content: blocksIn(message.content) })),
  }
}

function blocksIn(content: JsonValue | undefined): JsonValue | undefined {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

/** The results in some messages, in order: what each answers and what it says. */
export function resultsIn(
  messages: readonly JsonObject[],
): readonly { readonly callId: JsonValue | undefined; readonly content: JsonValue | undefined }[] {
  return messages.flatMap((message) => {
    if (message.role === 'tool') return [{ callId: message.tool_call_id, content: message.content }]
    return blocksOf(message)
      .filter((block) => block.type === 'tool_result')
      .map((block) => ({ callId: block.tool_use_id, content: block.content }))
  })
}

/** The ids of the calls in some messages, in order. */
export function callsIn(messages: readonly JsonObject[]): readonly (JsonValue | undefined)[] {
  return messages.flatMap((message) => [
    ...(Array.isArray(message.tool_calls) ? message.tool_calls : []).filter(isObject).map((call) => call.id),
    ...blocksOf(message)
      .filter((block) => block.type === 'tool_use')
      .map((block) => block.id),
  ])
}

/** The texts that are said in a role, one per block. */
export function textsOf(request: unknown, role: string): readonly string[] {
  return messagesOf(request)
    .filter((message) => message.role === role)
    .flatMap((message) =>
      typeof message.content === 'string'
        ? [message.content]
        : blocksOf(message).flatMap(({ text }) => (typeof text === 'string' ? [text] : [])),
    )
}

/** The messages after the newest answer, with that answer: what the model has not read yet. */
export function newestRound(request: unknown): readonly JsonObject[] {
  const messages = messagesOf(request)
  const answer = messages.findLastIndex(({ role }) => role === 'assistant')
  return answer < 0 ? messages : messages.slice(answer)
}

function blocksOf(message: JsonObject): readonly JsonObject[] {
  return Array.isArray(message.content) ? message.content.filter(isObject) : []
}
