import { isObject, type JsonObject, type JsonValue, sortedJson } from './json.ts'

/**
 * The text of a tool result that `read_result` pages over (rules.md 5). A JSON object reads as one
 * `key: text` line per value, in its own key order; any other text stands for itself.
 */
export function readableText(content: string): string {
  const mapping = parseMapping(content)
  return mapping === null ? content : readableMapping(mapping)
}

/** A mapping that a provider keeps as a native object. Values that JSON refuses are left out. */
export function readableMapping(mapping: JsonObject): string {
  const lines: string[] = []
  for (const [key, value] of Object.entries(mapping)) {
    if (isJson(value)) lines.push(`${key}: ${typeof value === 'string' ? value : sortedJson(value)}`)
  }
  return lines.join('\n')
}

/** The object that a text is the JSON of; null where it is other text, and for `{}`, which has nothing to list. */
function parseMapping(text: string): JsonObject | null {
  if (!/^\s*\{[\s\S]*\}\s*$/.test(text)) return null
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) && Object.keys(value).length > 0 ? value : null
  } catch {
    return null
  }
}

function isJson(value: JsonValue | undefined): value is JsonValue {
  return JSON.stringify(value) !== undefined
}
