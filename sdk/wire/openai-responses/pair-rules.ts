import type { LintFault } from '../../engine/format.ts'
import type { JsonObject } from '../../engine/json.ts'
import { isCall, isHostedCall, isReference, isResult, mayBeCall, pairId } from './items.ts'
import { continuedHistory } from './read.ts'

/** Every call has its result somewhere after it, and every result its call before it. */
export function lintPairs(request: JsonObject, items: readonly JsonObject[]): readonly LintFault[] {
  const answered = lastPlaces(items)
  const called = new Set<string>()
  // What only the provider holds is out of sight, and a result may answer it.
  let seesAll = continuedHistory(request) === null
  const faults = items.flatMap((item, position): readonly LintFault[] => {
    const path = `input[${position}]`
    const id = pairId(item)
    if (isReference(item) && mayBeCall(item)) seesAll = false
    if (isHostedCall(item) && id !== undefined) called.add(id)
    if (isCall(item)) {
      if (id === undefined) return [{ rule: 'call_without_id', path, message: 'a call must have a call_id' }]
      called.add(id)
      if ((answered.get(id) ?? -1) > position || !mustBeAnswered(item)) return []
      return [
        { rule: 'call_without_result', path, message: 'no item after it holds the output of this call' },
      ]
    }
    if (!isResult(item) || (id !== undefined && called.has(id)) || !seesAll) return []
    return [{ rule: 'result_without_call', path, message: 'no item before it holds the call of this output' }]
  })
  return wantsNeighbours(request) ? [...faults, ...lintNeighbours(items)] : faults
}

/** An approval that nobody gave is no fault: the tool is not run. */
function mustBeAnswered(item: JsonObject): boolean {
  return item.type !== 'mcp_approval_request'
}

/** Position of the last output for each call id. */
function lastPlaces(items: readonly JsonObject[]): ReadonlyMap<string, number> {
  return new Map(
    items.flatMap((item, position) => {
      const id = isResult(item) ? pairId(item) : undefined
      return id === undefined ? [] : [[id, position] as const]
    }),
  )
}

/** DeepSeek's own endpoint of this kind. */
function wantsNeighbours({ model }: JsonObject): boolean {
  return typeof model === 'string' && /deepseek/i.test(model)
}

/** Between calls and their outputs nothing else may stand. */
function lintNeighbours(items: readonly JsonObject[]): readonly LintFault[] {
  let open = new Set<string>()
  const called = new Set<string>()
  return items.flatMap((item, position): readonly LintFault[] => {
    const id = pairId(item)
    if (isCall(item)) {
      if (id !== undefined) {
        open.add(id)
        called.add(id)
      }
      return []
    }
    if (!isResult(item)) {
      open = new Set()
      return []
    }
    if (id === undefined || open.has(id) || !called.has(id)) return []
    const message = 'must directly follow the calls that it answers one of'
    return [{ rule: 'result_not_adjacent', path: `input[${position}]`, message }]
  })
}
