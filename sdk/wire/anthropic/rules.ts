import type { LintFault } from '../../engine/format.ts'
import type { JsonObject } from '../../engine/json.ts'
import { lintContent } from './content-rules.ts'
import { lintOrder } from './order-rules.ts'
import { checkRequest } from './read.ts'
import { lintPairs } from './tool-rules.ts'

/** What the Messages API rejects with status 400, from its published rejections. */
export function lint(request: JsonObject): readonly LintFault[] {
  const list = checkRequest(request)
  if (list.type === 'fault') {
    const { path, expected, actual } = list.fault
    return [{ rule: 'malformed', path, message: `must be ${expected}, is ${actual}` }]
  }
  return [
    ...lintOrder(request, list.messages),
    ...lintContent(request, list.messages),
    ...lintPairs(list.messages),
  ]
}
