import type { JsonObject, JsonValue } from '../../engine/json.ts'
import type { Rejection } from './dialect.ts'
import { objectsOf } from './json-reading.ts'

export function invalid(message: string): Rejection {
  return { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } }
}

export function blocksOf(content: JsonValue | undefined): readonly JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
}
