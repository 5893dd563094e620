import { isObject, type JsonValue, sortedJson } from '../../engine/json.ts'
import { digestOf } from './digest.ts'

/** A signature that only the same beginning has. What the cache is told is no part of it, nor the form of a text. */
export function signatureFor(prefix: JsonValue): string {
  return `sig_${digestOf(sortedJson(plain(prefix))).slice(0, 40)}`
}

function plain(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(plain)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'cache_control')
      .map(([key, inner]) => [
        key,
        key === 'content' && typeof inner === 'string'
          ? [{ type: 'text', text: inner }]
          : plain(inner as JsonValue),
      ]),
  )
}
