import { isObject } from './json.ts'

/**
 * The text of what a summary request brought, or null where that is no summary: nothing, only white space, or
 * the report of an error instead of one (rules.md 4, U13).
 */
export function readSummary(value: unknown): string | null {
  const text = isObject(value) ? value.text : value
  if (typeof text !== 'string') return null
  const trimmed = text.trim()
  return trimmed === '' || isErrorReport(trimmed) ? null : trimmed
}

/** An error that came as text: a JSON object that holds one, a page of markup, or a line that names itself an error. */
function isErrorReport(text: string): boolean {
  if (text.startsWith('{')) return holdsError(text)
  if (/^<(!doctype|html)\b/i.test(text)) return true
  return !text.includes('\n') && /^(\w*error|request failed|internal server error)\b\s*[:(]/i.test(text)
}

function holdsError(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) && value.error !== undefined
  } catch {
    return false
  }
}
