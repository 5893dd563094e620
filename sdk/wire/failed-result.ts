import { isFailedResult } from '../engine/error-report.ts'
import { isObject, type JsonValue } from '../engine/json.ts'

/** Whether the content of a result says that its call failed, where the format has no word for it. */
export function saysFailed(content: JsonValue | undefined): boolean {
  const first = Array.isArray(content) ? content[0] : content
  const text = isObject(first) && first.type === 'text' ? first.text : first
  return typeof text === 'string' && isFailedResult(text)
}
