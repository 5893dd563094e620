import type { LintFault } from '../../engine/format.ts'
import type { JsonObject } from '../../engine/json.ts'
import { malformed } from '../message-list.ts'
import { lintOrder } from './order-rules.ts'
import { lintPairs } from './pair-rules.ts'
import { checkRequest } from './read.ts'

/**
 * What the Responses API rejects with status 400, from its published rejections. One of them cannot be told from
 * a request: an item that is sent without the reasoning that the provider remembers it by.
 */
export function lint(request: JsonObject): readonly LintFault[] {
  const list = checkRequest(request)
  if (list.type === 'fault') return [malformed(list.fault)]
  return [...lintOrder(request, list.messages), ...lintPairs(request, list.messages)]
}
