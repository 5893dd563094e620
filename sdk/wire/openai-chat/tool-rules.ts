import type { LintFault } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { listedCalls } from './entries.ts'

/**
 * All results follow their calls directly, one message each, in any order. The calls of the dialect before
 * tools have no ids and no such rule.
 */
export function lintPairs(messages: readonly JsonObject[]): readonly LintFault[] {
  const faults: LintFault[] = []
  /** Calls of the nearest assistant message that have no result yet: their place in it by id. */
  let open = new Map<string, number>()
  let asking = 0
  let answered = new Set<string>()
  const seen = new Set<string>()
  const closeCalls = (): void => {
    for (const order of open.values())
      faults.push({
        rule: 'call_without_result',
        path: callPath(asking, order),
        message: 'no tool message directly after answers this call',
      })
    if (open.size > 0) open = new Map()
    if (answered.size > 0) answered = new Set()
  }
  for (const [position, message] of messages.entries()) {
    if (message.role === 'tool') {
      const id = message.tool_call_id
      if (typeof id === 'string' && open.delete(id)) answered.add(id)
      else faults.push(strayResult(id, `messages[${position}]`, { answered, seen }))
      continue
    }
    closeCalls()
    if (message.role !== 'assistant') continue
    asking = position
    for (const [order, call] of listedCalls(message).entries()) {
      const id = callId(call)
      if (id === null)
        faults.push({
          rule: 'call_without_id',
          path: callPath(position, order),
          message: 'a call must have an id',
        })
      else if (open.has(id))
        faults.push({
          rule: 'duplicate_call_id',
          path: callPath(position, order),
          message: 'two calls of one message share an id',
        })
      else {
        open.set(id, order)
        seen.add(id)
      }
    }
  }
  closeCalls()
  return faults
}

function callPath(position: number, order: number): string {
  return `messages[${position}].tool_calls[${order}]`
}

function strayResult(
  id: JsonValue | undefined,
  path: string,
  ids: { readonly answered: ReadonlySet<string>; readonly seen: ReadonlySet<string> },
): LintFault {
  if (typeof id === 'string' && ids.answered.has(id))
    return { rule: 'duplicate_result', path, message: 'this call has a result already' }
  if (typeof id === 'string' && ids.seen.has(id))
    return {
      rule: 'result_not_adjacent',
      path,
      message: 'must directly follow the message that holds its call',
    }
  return { rule: 'result_without_call', path, message: 'no message before it holds its call' }
}

function callId(call: JsonValue): string | null {
  return isObject(call) && typeof call.id === 'string' ? call.id : null
}
