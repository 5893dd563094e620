import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'
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
  const format = formatOf(request, messages)
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

/**
 * Anthropic where something stands in the body that only Anthropic has; OpenAI Chat where something of its
 * own stands there, and for a list of plain texts, which both can carry.
 */
function formatOf(request: JsonObject, messages: readonly JsonObject[]): Conversation['format'] {
  const byBody = formatOfRequest(request)
  if (byBody) return byBody
  for (const message of messages) {
    const byMessage = formatOfMessage(message)
    if (byMessage) return byMessage
  }
  return typeof request.model === 'string' && request.model.startsWith('claude') ? 'anthropic' : 'openai-chat'
}

function formatOfRequest(request: JsonObject): Conversation['format'] | undefined {
  if ('system' in request || 'anthropic_version' in request) return 'anthropic'
  const tool = Array.isArray(request.tools) ? request.tools.find(isObject) : undefined
  if (!tool) return undefined
  if ('function' in tool || 'custom' in tool) return 'openai-chat'
  return 'input_schema' in tool || 'name' in tool ? 'anthropic' : undefined
}

const anthropicBlocks = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'image',
  'document',
  'search_result',
  'server_tool_use',
  'web_search_tool_result',
])
const openaiParts = new Set(['image_url', 'input_audio', 'file', 'refusal'])
const openaiRoles = new Set(['system', 'developer', 'tool', 'function'])

function formatOfMessage(message: JsonObject): Conversation['format'] | undefined {
  if (openaiRoles.has(String(message.role)) || 'tool_calls' in message) return 'openai-chat'
  if (!Array.isArray(message.content)) return undefined
  for (const block of message.content) {
    if (!isObject(block) || typeof block.type !== 'string') continue
    if (anthropicBlocks.has(block.type)) return 'anthropic'
    if (openaiParts.has(block.type)) return 'openai-chat'
  }
  return undefined
}

function kindOf(value: JsonValue | undefined): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}
