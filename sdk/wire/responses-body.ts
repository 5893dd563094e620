import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'

/** How far into the list signs are looked for. */
const itemsLookedAt = 8

/** Keys that other endpoints take beside an `input`: embeddings, speech, and Gemini's interactions. */
const foreignKeys = [
  'messages',
  'contents',
  'encoding_format',
  'dimensions',
  'voice',
  'previous_interaction_id',
  'generation_config',
  'system_instruction',
]

const foreignModels = /embed|moderation|rerank|tts|whisper/

/** Whether a body is one of OpenAI's Responses, which keeps its history in `input`. */
export function isResponsesBody(request: JsonObject): boolean {
  const { input, model } = request
  if (foreignKeys.some((key) => request[key] !== undefined)) return false
  if (typeof model === 'string' && foreignModels.test(model)) return false
  if (typeof input === 'string') return true
  if (Array.isArray(input) && input.length > 0) return input.slice(0, itemsLookedAt).every(isItem)
  return (input === undefined || input === null || Array.isArray(input)) && continuesElsewhere(request)
}

/** Whether a request may bring no input of its own: what it is about stands at the provider. */
export function continuesElsewhere({ previous_response_id: id, conversation, prompt }: JsonObject): boolean {
  if (typeof id === 'string' || typeof conversation === 'string' || isObject(conversation)) return true
  return isObject(prompt) && typeof prompt.id === 'string'
}

/** Parts that an endpoint takes without a message around them, such as moderations. */
const partTypes: ReadonlySet<JsonValue | undefined> = new Set(['text', 'image_url', 'image', 'audio'])

function isItem(item: JsonValue): boolean {
  if (!isObject(item) || partTypes.has(item.type)) return false
  return [item.role, item.type, item.id].some((sign) => typeof sign === 'string')
}
