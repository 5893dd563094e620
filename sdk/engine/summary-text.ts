import { isErrorReport } from './error-report.ts'
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
