import type { LintFault } from '../../engine/format.ts'
import type { JsonObject } from '../../engine/json.ts'
import { isServerCall, isServerResult, isToolResult, isToolUse } from './entries.ts'
import { continuedMessage } from './read.ts'
import { type PlacedBlock, type Turn, turnsOf } from './turns.ts'

/** Calls and results: every call is answered by the next user turn, ahead of anything else in it. */
export function lintPairs(request: JsonObject, messages: readonly JsonObject[]): readonly LintFault[] {
  const turns = turnsOf(messages)
  // What a thread holds is out of sight, and the first results may answer it.
  const firstInSight = continuedMessage(request) === null ? 0 : 1
  return [
    ...turns.flatMap((turn, position) => lintCalls(turn, turns[position + 1])),
    ...turns.flatMap((turn, position) =>
      position < firstInSight ? [] : lintResults(turn, turns[position - 1]),
    ),
    ...lintCallIds(turns),
    ...lintServerResults(turns),
  ]
}

function lintCalls(turn: Turn, next: Turn | undefined): readonly LintFault[] {
  if (turn.role !== 'assistant') return []
  const answered = new Set(resultsOf(next).map(({ block }) => block.tool_use_id))
  return callsOf(turn)
    .filter(({ block }) => typeof block.id === 'string' && !answered.has(block.id))
    .map(({ path }) => ({
      rule: 'call_without_result',
      path,
      message: 'the next user message must hold a tool_result for this tool_use',
    }))
}

function lintResults(turn: Turn, previous: Turn | undefined): readonly LintFault[] {
  const faults: LintFault[] = []
  const called = new Set(callsOf(previous).map(({ block }) => block.id))
  const answered = new Set<unknown>()
  let other = false
  for (const { block, path } of turn.role === 'user' ? turn.blocks : []) {
    if (!isToolResult(block)) {
      other = true
      continue
    }
    if (!called.has(block.tool_use_id))
      faults.push({
        rule: 'result_without_call',
        path,
        message: 'the message before must hold the tool_use that this tool_result answers',
      })
    else if (answered.has(block.tool_use_id))
      faults.push({ rule: 'duplicate_result', path, message: 'this tool_use has a tool_result already' })
    else if (other)
      faults.push({ rule: 'results_not_first', path, message: 'must stand before all other content' })
    answered.add(block.tool_use_id)
  }
  return faults
}

function lintCallIds(turns: readonly Turn[]): readonly LintFault[] {
  const seen = new Set<unknown>()
  return turns.flatMap(callsOf).flatMap(({ block, path }) => {
    if (typeof block.id !== 'string')
      return [{ rule: 'call_without_id', path, message: 'a tool_use must have an id' }]
    if (seen.has(block.id))
      return [
        { rule: 'duplicate_call_id', path, message: 'tool_use ids must be unique in the whole request' },
      ]
    seen.add(block.id)
    return []
  })
}

/** A result of the provider's own tools stands somewhere after its call, in the answers alone. */
function lintServerResults(turns: readonly Turn[]): readonly LintFault[] {
  const called = new Set<unknown>()
  const faults: LintFault[] = []
  for (const { block, path } of turns.flatMap((turn) => turn.blocks)) {
    if (isServerCall(block)) called.add(block.id)
    if (isServerResult(block) && !called.has(block.tool_use_id))
      faults.push({
        rule: 'server_result_without_call',
        path,
        message: 'the server_tool_use that this block answers must stand before it',
      })
  }
  return faults
}

function callsOf(turn: Turn | undefined): readonly PlacedBlock[] {
  return turn?.role === 'assistant' ? turn.blocks.filter(({ block }) => isToolUse(block)) : []
}

function resultsOf(turn: Turn | undefined): readonly PlacedBlock[] {
  return turn?.role === 'user' ? turn.blocks.filter(({ block }) => isToolResult(block)) : []
}
