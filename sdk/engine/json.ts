/** JSON as it travels to a provider. `undefined` is a key that is not sent. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Whether two values have the same JSON text, without writing it. The left side may be an app's own object,
 * so a key that holds `undefined` counts as absent, as it does for `JSON.stringify`.
 */
export function sameJsonText(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false
    for (let i = 0; i < left.length; i++) if (!sameJsonText(left[i], right[i])) return false
    return true
  }
  if (!isObject(left) || !isObject(right)) return false
  const keys = Object.keys(left)
  let place = 0
  // A list of the keys of both sides would cost a long chat more than all else of the comparison.
  for (const key in right) {
    if (key !== keys[place]) return samePresentKeys(left, right)
    if (!sameJsonText(left[key], right[key])) return false
    place++
  }
  return place === keys.length || samePresentKeys(left, right)
}

function samePresentKeys(left: JsonObject, right: JsonObject): boolean {
  const keys = presentKeys(left)
  const others = presentKeys(right)
  return (
    keys.length === others.length &&
    keys.every((key, place) => key === others[place] && sameJsonText(left[key], right[key]))
  )
}

function presentKeys(object: JsonObject): string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined)
}

/** JSON text with sorted keys and no spaces: the form in which values are compared and previewed. */
export function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => sortedJson(item ?? null)).join(',')}]`
  if (isObject(value)) {
    const pairs = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${sortedJson(value[key])}`)
    return `{${pairs.join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}
