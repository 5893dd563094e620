import type { LintFault } from '../../engine/format.ts'
import type { JsonObject } from '../../engine/json.ts'
import { malformed } from '../message-list.ts'
import { lintContent } from './content-rules.ts'
import { lintOrder } from './order-rules.ts'
import { checkRequest } from './read.ts'
import { lintPairs } from './tool-rules.ts'

/** What the Messages API rejects with status 400, from its published rejections. */
export function lint(request: JsonObject): readonly LintFault[] {
  const list = checkRequest(request)
  if (list.type === 'fault') return [malformed(list.fault)]
  return [
    ...lintOrder(request, list.messages),
    ...lintContent(request, list.messages),
    ...lintPairs(request, list.messages),
  ]
}
