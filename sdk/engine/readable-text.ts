import { isObject, type JsonObject, sortedJson } from './json.ts'

/**
 * The text of a tool result that `read_result` pages over (rules.md 5). A JSON object reads as one
 * `key: text` line per value, in its own key order; any other text stands for itself.
 */
export function readableText(content: string): string {
  const mapping = parseMapping(content)
  if (mapping === null) return content
  return Object.entries(mapping)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : sortedJson(value)}`)
    .join('\n')
}

/** The object that a text is the JSON of. Null for other text, and for an object that would lose by the parsing. */
function parseMapping(text: string): JsonObject | null {
  if (!/^\s*\{[\s\S]*\}\s*$/.test(text) || holdsInexactNumber(text)) return null
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) && Object.keys(value).length > 0 ? value : null
  } catch {
    return null
  }
}

/** Identifiers are often longer than a number can hold, and would be read back as other ones. */
function holdsInexactNumber(text: string): boolean {
  if (!/\d{16}/.test(text)) return false
  const tokens = text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g)
  for (const [token] of tokens) if (/^-?\d{16}/.test(token) && String(Number(token)) !== token) return true
  return false
}
