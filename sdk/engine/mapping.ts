import { isObject, type JsonObject } from './json.ts'

/**
 * The object that a text is the JSON of, or null: for any other text, for an object without values, and for
 * one that would lose something by being read and written again.
 */
export function parseMapping(text: string): JsonObject | null {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}') || holdsInexactNumber(trimmed)) return null
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
  const number = /-?\d[\d.eE+-]*/y
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') quoted = !quoted
    else if (quoted && character === '\\') at++
    if (quoted || !'-0123456789'.includes(character ?? '')) continue
    number.lastIndex = at
    const [token = ''] = number.exec(text) ?? []
    if (token.length > 15 && String(Number(token)) !== token) return true
    at += Math.max(0, token.length - 1)
  }
  return false
}
