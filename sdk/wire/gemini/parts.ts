import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { fieldOf } from './field-of.ts'

export function contentParts(content: JsonValue): readonly JsonValue[] {
  return isObject(content) && Array.isArray(content.parts) ? content.parts : []
}

/** Whoever is not the model speaks for the user; the API fills a missing role in so. */
export function isModel(content: JsonValue): boolean {
  return isObject(content) && content.role === 'model'
}

/** What a part holds of a call; null where it is none. */
export function callIn(part: JsonValue): JsonObject | null {
  return objectIn(part, 'functionCall')
}

/** What a part holds of a call's result; null where it is none. */
export function responseIn(part: JsonValue): JsonObject | null {
  return objectIn(part, 'functionResponse')
}

/** The calls of a content; one of the user's has none. */
export function callsOf(content: JsonValue): readonly JsonObject[] {
  return isModel(content) ? contentParts(content).map(callIn).filter(isObject) : []
}

/** The results of a content; one of the model's has none. */
export function responsesOf(content: JsonValue): readonly JsonObject[] {
  return isModel(content) ? [] : contentParts(content).map(responseIn).filter(isObject)
}

/** A summary of what the model thought. */
export function isThought(part: JsonValue): boolean {
  return isObject(part) && part.thought === true
}

export function isSigned(part: JsonValue): boolean {
  if (!isObject(part)) return false
  const signature = fieldOf(part, 'thoughtSignature')
  return typeof signature === 'string' && signature !== ''
}

function objectIn(part: JsonValue, name: 'functionCall' | 'functionResponse'): JsonObject | null {
  const value = isObject(part) ? fieldOf(part, name) : undefined
  return isObject(value) ? value : null
}
