import { isFailedResult } from '../engine/error-report.ts'
import type { JsonValue } from '../engine/json.ts'
import { isTextBlock } from './text-block.ts'

/** Whether the content of a result says that its call failed, where the format has no word for it. */
export function saysFailed(content: JsonValue | undefined): boolean {
  const first = Array.isArray(content) ? content[0] : content
  const text = isTextBlock(first) ? first.text : first
  return typeof text === 'string' && isFailedResult(text)
}
