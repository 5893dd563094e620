import { isObject, type JsonObject } from './json.ts'

/**
 * Values of an object that is still a record, whose keys all matter. One of more is a table: cut value by value it
 * could not be shortened, so it is one text.
 */
const MOST_VALUES = 100

/**
 * The object that a text is the JSON of, or null: for any other text, for an object without values or with very
 * many, and for one that would lose something by being read and written again.
 */
export function parseMapping(text: string): JsonObject | null {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{') || holdsInexactNumber(trimmed)) return null
  try {
    const value: unknown = JSON.parse(trimmed)
    if (!isObject(value)) return null
    const { length } = Object.keys(value)
    return length > 0 && length <= MOST_VALUES && !repeatsKey(trimmed, value) ? value : null
  } catch {
    return null
  }
}

/** Identifiers are often longer than a number can hold, and would be read back as other ones. */
function holdsInexactNumber(text: string): boolean {
  if (!/\d{16}/.test(text)) return false
  const stringOrNumber = /"|-?\d[\d.eE+-]*/g
  for (let found = stringOrNumber.exec(text); found; found = stringOrNumber.exec(text)) {
    const [token] = found
    if (token === '"') stringOrNumber.lastIndex = endOfString(text, stringOrNumber.lastIndex)
    else if (token.length > 15 && String(Number(token)) !== token) return true
  }
  return false
}

/** Of a key that stands there twice, only the last value is read. */
function repeatsKey(text: string, value: JsonObject): boolean {
  return countKeys(text) !== countKeys(JSON.stringify(value))
}

function countKeys(json: string): number {
  const stringOrColon = /[":]/g
  let keys = 0
  for (let found = stringOrColon.exec(json); found; found = stringOrColon.exec(json)) {
    if (found[0] === ':') keys++
    else stringOrColon.lastIndex = endOfString(json, stringOrColon.lastIndex)
  }
  return keys
}

/** Behind the quotation mark that ends a string; a pattern could not hold one of many megabytes. */
function endOfString(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}
