import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'

export function contentParts(message: JsonValue): readonly JsonValue[] {
  return isObject(message) && Array.isArray(message.content) ? message.content : []
}

/** A call that the app runs and answers. */
export function isToolCall(part: JsonValue): part is JsonObject {
  return isObject(part) && part.type === 'tool-call' && part.providerExecuted !== true
}

/** A call of a tool that the provider runs itself. */
export function isProviderCall(part: JsonValue): part is JsonObject {
  return isObject(part) && part.type === 'tool-call' && part.providerExecuted === true
}

export function isToolResult(part: JsonValue): part is JsonObject {
  return isObject(part) && part.type === 'tool-result'
}

export function isReasoningPart(part: JsonValue): part is JsonObject {
  return isObject(part) && (part.type === 'reasoning' || part.type === 'reasoning-file')
}

export function isSystem(message: JsonObject): boolean {
  return message.role === 'system'
}

/** What one provider is told of a message, a part or a request; empty where that is nothing. */
export function optionsFor(provider: string, holder: JsonObject): JsonObject {
  const options = isObject(holder.providerOptions) ? holder.providerOptions[provider] : undefined
  return isObject(options) ? options : {}
}

/** A copy of a message with other parts. */
export function withParts(message: JsonObject, parts: readonly JsonValue[]): JsonObject {
  return { ...message, content: parts }
}
