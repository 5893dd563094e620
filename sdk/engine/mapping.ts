import { isObject, type JsonObject } from './json.ts'

/**
 * The object that a text is the JSON of, or null: for any other text, for an object without values, and for
 * one that would lose something by being read and written again.
 */
export function parseMapping(text: string): JsonObject | null {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{') || holdsInexactNumber(trimmed)) return null
  try {
    const value: unknown = JSON.parse(trimmed)
    return isObject(value) && Object.keys(value).length > 0 ? value : null
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

/** Behind the quotation mark that ends a string; a pattern could not hold one of many megabytes. */
function endOfString(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}
