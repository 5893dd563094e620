import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import type { ReceivedChat, Rejection } from './dialect.ts'
import { objectsOf, textOf } from './json-reading.ts'
import type { ProviderModel } from './model.ts'
import {
  contentFault,
  emptyArray,
  invalidRole,
  invalidType,
  missingParameter,
  openAiError,
  openAiRejection,
} from './openai-errors.ts'

/** What Chat Completions says of a list of messages that is not whole, first fault first; null: nothing. */
export function chatFault(
  { body: { messages } }: ReceivedChat,
  { server }: Pick<ProviderModel, 'server'>,
): Rejection | null {
  if (messages === undefined) return missingParameter('messages')
  if (!Array.isArray(messages)) return invalidType('messages', 'an array of objects', messages)
  if (messages.length === 0) return emptyArray('messages')
  for (const [place, message] of messages.entries()) {
    const fault = messageFault(message, `messages[${place}]`)
    if (fault) return fault
  }
  return pairFault(objectsOf(messages), server)
}

const roles = ['system', 'assistant', 'user', 'function', 'tool', 'developer']

function messageFault(message: JsonValue, path: string): Rejection | null {
  if (!isObject(message)) return invalidType(path, 'an object', message)
  const { role, content, tool_calls: calls } = message
  if (role === undefined) return missingParameter(`${path}.role`)
  if (typeof role !== 'string') return invalidType(`${path}.role`, 'a string', role)
  if (!roles.includes(role)) return invalidRole(`${path}.role`, role, roles)
  const fault = contentFault(content, `${path}.content`) ?? callsFault(calls, `${path}.tool_calls`)
  if (fault) return fault
  if (Array.isArray(content) && content.length === 0) return emptyArray(`${path}.content`)
  if ((content ?? null) !== null || mayLackContent(message)) return null
  return openAiRejection("Invalid value for 'content': expected a string, got null.", `${path}.content`)
}

function callsFault(calls: JsonValue | undefined, path: string): Rejection | null {
  if (calls === undefined || calls === null) return null
  if (!Array.isArray(calls)) return invalidType(path, 'an array of objects', calls)
  if (calls.length === 0) return emptyArray(path)
  for (const [order, call] of calls.entries()) {
    if (!isObject(call)) return invalidType(`${path}[${order}]`, 'an object', call)
    if (typeof call.id !== 'string') return missingParameter(`${path}[${order}].id`)
  }
  return null
}

function mayLackContent({ tool_calls: calls, function_call: call, refusal, audio }: JsonObject): boolean {
  return objectsOf(calls).length > 0 || isObject(call) || typeof refusal === 'string' || isObject(audio)
}

/** Every call is answered right after it, once, and nothing else is. */
function pairFault(messages: readonly JsonObject[], server: ProviderModel['server']): Rejection | null {
  let open: readonly string[] = []
  const answers = new Map<string, number>()
  for (const [place, { role, tool_calls: calls, tool_call_id: callId }] of messages.entries()) {
    if (role === 'tool') {
      const id = textOf(callId)
      const before = answers.get(id)
      if (before !== undefined) return duplicate(id, before, place)
      if (!open.includes(id)) return orphan(place)
      open = open.filter((other) => other !== id)
      answers.set(id, place)
      continue
    }
    if (open.length > 0) return unanswered(open, place, server)
    answers.clear()
    open = role === 'assistant' ? objectsOf(calls).map(({ id }) => textOf(id)) : []
    const twice = open.find((id, order) => open.indexOf(id) < order)
    if (twice !== undefined) return duplicate(twice, place, place)
  }
  return open.length > 0 ? unanswered(open, messages.length, server) : null
}

function orphan(place: number): Rejection {
  return openAiRejection(
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    `messages.[${place}].role`,
  )
}

function duplicate(id: string, first: number, second: number): Rejection {
  return openAiRejection(
    `Invalid parameter: Duplicate value for 'tool_call_id' of '${id}', in messages[${first}] and messages[${second}].`,
    `messages.[${second}].tool_call_id`,
  )
}

function unanswered(ids: readonly string[], place: number, server: ProviderModel['server']): Rejection {
  const rule =
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
  if (server === 'deepseek') {
    const message = `${rule} (insufficient tool messages following tool_calls message)`
    return { status: 400, body: openAiError({ message, code: 'invalid_request_error', param: null }) }
  }
  return openAiRejection(
    `${rule} The following tool_call_ids did not have response messages: ${ids.join(', ')}`,
    `messages.[${place}].role`,
  )
}
