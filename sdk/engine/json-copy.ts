import type { JsonValue } from './json.ts'

/** No provider nests its blocks nearly as deep. */
const DEEPEST = 64

/**
 * What `JSON.parse(JSON.stringify(value))` gives, but made of the value's own strings: every send compares those of the
 * whole chat, and a string that is the same one need not be read through. Undefined for all but plain data, which only
 * its JSON text can tell.
 */
export function copyPlainData(value: unknown, depth = 0): JsonValue | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? value : undefined
    case 'object':
      if (value === null) return null
      if (depth === DEEPEST || Reflect.get(value, 'toJSON') !== undefined) return undefined
      return Array.isArray(value) ? copyList(value, depth) : copyObject(value, depth)
    default:
      return undefined
  }
}

function copyList(list: readonly unknown[], depth: number): JsonValue | undefined {
  const copy: JsonValue[] = []
  for (const item of list) {
    const own = copyPlainData(item, depth + 1)
    if (own === undefined) return undefined
    copy.push(own)
  }
  return copy
}

function copyObject(object: object, depth: number): JsonValue | undefined {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (prototype !== Object.prototype && prototype !== null) return undefined
  const copy: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue
    const own = key === '__proto__' ? undefined : copyPlainData(value, depth + 1)
    if (own === undefined) return undefined
    copy[key] = own
  }
  return copy
}
