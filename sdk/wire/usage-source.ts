import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'

/**
 * Events of a response: one for a body, all for a stream. A stream may be given as parsed chunks, as their JSON
 * texts, or as server-sent events with a `data` text; what is none of these (`[DONE]`) is left out.
 */
export function responseEvents(response: unknown): readonly JsonObject[] {
  const list: readonly unknown[] = Array.isArray(response) ? response : [response]
  return list.flatMap((item) => {
    const event = parsed(item)
    if (!isObject(event)) return []
    const inner = parsed(event.data)
    return [isObject(inner) && typeof event.data === 'string' ? inner : event]
  })
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

/** Usage objects of one stream as one. Their counts are cumulative (R33): never summed, and null says nothing. */
export function mergeUsage(usages: readonly JsonObject[]): JsonObject {
  return merge(usages, (before, value) =>
    isObject(before) && isObject(value) ? merge([before, value], mergeCount) : mergeCount(before, value),
  )
}

function merge(
  objects: readonly JsonObject[],
  join: (before: JsonValue | undefined, value: JsonValue) => JsonValue,
): JsonObject {
  const merged = new Map<string, JsonValue>()
  for (const object of objects) {
    for (const [key, value] of Object.entries(object)) {
      if (value !== undefined && value !== null) merged.set(key, join(merged.get(key), value))
    }
  }
  return Object.fromEntries(merged)
}

function mergeCount(before: JsonValue | undefined, value: JsonValue): JsonValue {
  return typeof before === 'number' && typeof value === 'number' ? Math.max(before, value) : value
}
