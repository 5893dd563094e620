import { isObject, sortedJson } from './json.ts'

/**
 * The text of a tool result that `read_result` pages over (rules.md 5). A JSON object reads as one
 * `key: text` line per value, in its own key order; any other text stands for itself, and so does an object
 * that would lose something by the reading.
 */
export function readableText(content: string): string {
  const trimmed = content.trim()
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}') || holdsInexactNumber(trimmed)) return content
  try {
    const value: unknown = JSON.parse(trimmed)
    const lines = isObject(value) ? Object.entries(value).map(readableValue) : []
    return lines.length > 0 ? lines.join('\n') : content
  } catch {
    // Not JSON after all, or nested too deep to be written again.
    return content
  }
}

function readableValue([key, value]: readonly [string, unknown]): string {
  return `${key}: ${typeof value === 'string' ? value : sortedJson(value)}`
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
