import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'

export type ChatDialect = 'openai-chat' | 'anthropic'

/** How far into the list signs are looked for. */
const messagesLookedAt = 8

/**
 * Whose chat body this is: both keep their history in `messages`. Decided by what only one of them has; where
 * a body has nothing of the kind, by what is likelier with one, the model's name above all. Null where it is
 * no chat body.
 */
export function chatDialect(request: JsonObject): ChatDialect | null {
  if (!Array.isArray(request.messages)) return null
  const messages = request.messages.slice(0, messagesLookedAt).filter(isObject)
  return ownSign(request, messages) ?? likelyDialect(request, messages)
}

const openAiKeys = [
  'functions',
  'function_call',
  'response_format',
  'max_completion_tokens',
  'stream_options',
  'parallel_tool_calls',
  'frequency_penalty',
  'presence_penalty',
]
const anthropicKeys = ['system', 'anthropic_version', 'anthropic_beta', 'stop_sequences', 'output_config']
const openAiRoles: ReadonlySet<unknown> = new Set(['developer', 'tool', 'function'])
const openAiBlocks: ReadonlySet<unknown> = new Set(['image_url', 'input_audio', 'file', 'refusal'])
const anthropicBlocks: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_result',
  'image',
  'document',
  'search_result',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
])

/** The first sign that only one of the two can bear, messages before tools before other keys. */
function ownSign(request: JsonObject, messages: readonly JsonObject[]): ChatDialect | null {
  for (const [position, message] of messages.entries()) {
    if (openAiRoles.has(message.role) || isOpenAiMessage(message)) return 'openai-chat'
    // Anthropic takes a system message too, but never as the first one.
    if (message.role === 'system' && position === 0) return 'openai-chat'
    const types = blocks(message).map((block) => block.type)
    if (types.some((type) => openAiBlocks.has(type))) return 'openai-chat'
    if (types.some((type) => anthropicBlocks.has(type))) return 'anthropic'
  }
  const tools = Array.isArray(request.tools) ? request.tools.filter(isObject) : []
  if (tools.some((tool) => isObject(tool.function))) return 'openai-chat'
  if (tools.some((tool) => isObject(tool.input_schema))) return 'anthropic'
  if (openAiKeys.some((key) => request[key] !== undefined)) return 'openai-chat'
  return anthropicKeys.some((key) => request[key] !== undefined) ? 'anthropic' : null
}

function isOpenAiMessage(message: JsonObject): boolean {
  return message.tool_calls !== undefined || message.function_call !== undefined
}

/** A router's name, such as `anthropic/claude-sonnet-5`, goes to an OpenAI-shaped address. */
function likelyDialect(request: JsonObject, messages: readonly JsonObject[]): ChatDialect {
  if (typeof request.model === 'string') return /^claude-/.test(request.model) ? 'anthropic' : 'openai-chat'
  const isMarked = messages.some((message) => blocks(message).some((block) => isObject(block.cache_control)))
  return isMarked && request.max_tokens !== undefined ? 'anthropic' : 'openai-chat'
}

function blocks(message: JsonObject): readonly JsonObject[] {
  const content: JsonValue | undefined = message.content
  return Array.isArray(content) ? content.filter(isObject) : []
}
