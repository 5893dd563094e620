import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'

/** How far into the list signs are looked for. */
const contentsLookedAt = 8

/**
 * Whether a body is one of Gemini's generateContent, which keeps its history in `contents`: as it goes over the
 * wire, or as `@google/genai` takes it. Contents that are no list of turns are for other endpoints, or too short
 * to be a conversation.
 */
export function isGeminiBody({ contents, messages, input }: JsonObject): boolean {
  if (messages !== undefined || input !== undefined) return false
  return (
    Array.isArray(contents) && contents.length > 0 && contents.slice(0, contentsLookedAt).every(isContent)
  )
}

/** A model that was cut short answers with a content that has no parts. */
function isContent(content: JsonValue): boolean {
  if (!isObject(content)) return false
  return Array.isArray(content.parts) || (content.parts === undefined && content.role === 'model')
}
