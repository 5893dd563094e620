import type { ResponseReading } from '../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'

/** Before the first event. */
export const emptyReading: ResponseReading = { response: null, error: null, isComplete: false }

/** What an event reports in place of an answer: an object, or, from smaller servers, a text. */
export function reportedError(event: JsonObject): JsonValue {
  const { error } = event
  return isObject(error) || (typeof error === 'string' && error !== '') ? error : null
}
