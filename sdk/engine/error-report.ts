import { isObject, type JsonObject } from './json.ts'

/** Whether a whole text is the report of an error: a JSON object that holds one, a page, or one line that says so. */
export function isErrorReport(text: string): boolean {
  if (text.startsWith('{')) return holdsError(text)
  if (/^<(!doctype|html)\b/i.test(text)) return true
  return !text.includes('\n') && /^(\w*error|request failed|internal server error)\b\s*[:(]/i.test(text)
}

/** Whether the content of a tool result says that its call failed; a page or a long text may be what was asked for. */
export function isFailedResult(text: string): boolean {
  const trimmed = text.trimStart()
  if (trimmed.startsWith('{')) return holdsError(trimmed)
  return /^(<tool_use_error>|\w*error\b\s*:)/i.test(trimmed)
}

/** Successful calls often carry an empty `error` beside what they found. */
function holdsError(json: string): boolean {
  // Looked for first, for a result may be long.
  if (!/"(error|success)"/.test(json)) return false
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) && isErrorObject(value)
  } catch {
    return false
  }
}

/** Whether an object says that a call failed. */
export function isErrorObject(value: JsonObject): boolean {
  return value.success === false || !EMPTY.has(value.error)
}

const EMPTY: ReadonlySet<unknown> = new Set([undefined, null, false, '', 0])
