import { isObject, type JsonValue } from '../engine/json.ts'

/** No provider nests its blocks nearly as deep; what lies deeper is compared as it is written. */
const deepest = 100

/** JSON text with sorted keys and no spaces, by which values are compared. Never runs out of stack. */
export function canonicalJson(value: JsonValue, depth = 0): string {
  if (depth === deepest) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const pairs = Object.keys(value)
    .sort()
    .flatMap((key) => {
      const item = value[key]
      return item === undefined ? [] : [`${JSON.stringify(key)}:${canonicalJson(item, depth + 1)}`]
    })
  return `{${pairs.join(',')}}`
}
