import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'
import { chatDialect } from '../wire/chat-dialect.ts'
import type { Conversation } from './conversation.ts'
import { unreadable } from './unreadable.ts'

const formats = 'an OpenAI Chat body, an Anthropic Messages body or a Claude Code log'

/** Reads a request body whose `messages` are those of OpenAI Chat or Anthropic Messages. */
export function readBody(body: JsonValue): Conversation {
  if (!isObject(body) || !('messages' in body))
    throw unreadable({
      expected: formats,
      actual: isObject(body) ? 'an object without messages' : `a JSON ${kindOf(body)}`,
      advice: 'save the whole request body, with its messages',
    })
  const { messages: list, ...request } = body
  const messages = readMessages(list)
  // Every body with a list of messages has a dialect; the likelier one where nothing tells.
  const format = chatDialect(body) ?? 'openai-chat'
  return typeof body.model === 'string'
    ? { format, model: body.model, request, messages }
    : { format, request, messages }
}

function readMessages(list: JsonValue | undefined): readonly JsonObject[] {
  if (!Array.isArray(list) || list.length === 0)
    throw unreadable({
      expected: 'messages to be a list with at least one message',
      actual: Array.isArray(list) ? 'an empty list' : kindOf(list),
      advice: 'save the request body after the first message was sent',
    })
  const messages: JsonObject[] = []
  for (const [position, message] of list.entries()) {
    if (!isObject(message) || typeof message.role !== 'string')
      throw unreadable({
        expected: `messages[${position}] to be an object with a role`,
        actual: isObject(message) ? `a role that is ${kindOf(message.role)}` : kindOf(message),
        advice: `use ${formats}`,
      })
    messages.push(message)
  }
  return messages
}

function kindOf(value: JsonValue | undefined): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}
