import type { LintFault } from '../../engine/format.ts'
import type { JsonObject, JsonValue } from '../../engine/json.ts'
import { claudeName } from '../claude-name.ts'
import { isServerCall, isServerResult, isToolResult, isToolUse } from './entries.ts'
import { asksForLeadingThinking, continuedMessage } from './read.ts'
import { isThinking } from './reasoning.ts'
import { type Turn, turnsOf } from './turns.ts'

/** Which message may stand where, and where thinking must. */
export function lintOrder(request: JsonObject, messages: readonly JsonObject[]): readonly LintFault[] {
  const model = typeof request.model === 'string' ? request.model : undefined
  const turns = turnsOf(messages)
  return [
    ...lintRoles(messages),
    ...(continuedMessage(request) === null ? lintStart(turns) : []),
    ...lintSystemPlaces(turns, model),
    ...lintEnd(turns, model),
    ...lintThinkingLast(turns),
    ...(asksForLeadingThinking(request, model) ? lintThinkingFirst(turns) : []),
  ]
}

const roles: ReadonlySet<JsonValue | undefined> = new Set(['user', 'assistant', 'system'])

function lintRoles(messages: readonly JsonObject[]): readonly LintFault[] {
  return messages.flatMap((message, position) =>
    roles.has(message.role)
      ? []
      : [{ rule: 'unknown_role', path: `messages[${position}].role`, message: 'no role of this format' }],
  )
}

function lintStart([first]: readonly Turn[]): readonly LintFault[] {
  // What the server wrote when it shortened the history itself comes back ahead of everything.
  if (first?.role !== 'assistant' || first.blocks[0]?.block.type === 'compaction') return []
  return [
    { rule: 'first_message_not_user', path: first.path, message: 'the first message must be of role "user"' },
  ]
}

function lintSystemPlaces(turns: readonly Turn[], model: string | undefined): readonly LintFault[] {
  return turns.flatMap((turn, position): readonly LintFault[] => {
    if (turn.role !== 'system') return []
    const { path } = turn
    if (!takesSystemMessages(model))
      return [
        { rule: 'system_not_supported', path, message: 'this model takes no system message in the list' },
      ]
    const before = turns[position - 1]
    const after = turns[position + 1]
    const follows = before?.role === 'user' || (before?.role === 'assistant' && endsInServerTool(before))
    if (follows && (after === undefined || after.role === 'assistant')) return []
    const message = 'must follow a user message, and be last or stand before an assistant message'
    return [{ rule: 'system_misplaced', path, message }]
  })
}

function lintEnd(turns: readonly Turn[], model: string | undefined): readonly LintFault[] {
  const last = turns.at(-1)
  if (last?.role !== 'assistant' || takesPrefill(model)) return []
  // A turn that the server paused is continued by sending it back as it is.
  if (endsInServerTool(last) || callsTool(last)) return []
  return [
    { rule: 'ends_with_assistant', path: last.path, message: 'this model needs a user message at the end' },
  ]
}

function lintThinkingLast(turns: readonly Turn[]): readonly LintFault[] {
  return turns.flatMap((turn) => {
    const last = turn.role === 'assistant' ? turn.blocks.at(-1) : undefined
    return last !== undefined && isThinking(last.block)
      ? [{ rule: 'thinking_last', path: last.path, message: 'an assistant message must not end in thinking' }]
      : []
  })
}

/** Manual thinking: the answers whose tool results close the request must be led by a thinking block. */
function lintThinkingFirst(turns: readonly Turn[]): readonly LintFault[] {
  if (!isResults(turns.at(-1))) return []
  const asked = turns.findLastIndex((turn) => turn.role === 'user' && !isResults(turn))
  const answer = turns.slice(asked + 1).find((turn) => turn.role === 'assistant')
  const first = answer?.blocks[0]
  if (first === undefined || isThinking(first.block)) return []
  return [
    {
      rule: 'thinking_not_first',
      path: first.path,
      message: 'while thinking is enabled, a turn that ends in tool results must start with thinking',
    },
  ]
}

function isResults(turn: Turn | undefined): boolean {
  return turn?.role === 'user' && turn.blocks.some(({ block }) => isToolResult(block))
}

function callsTool(turn: Turn): boolean {
  return turn.blocks.some(({ block }) => isToolUse(block))
}

function endsInServerTool(turn: Turn): boolean {
  const last = turn.blocks.at(-1)?.block
  return last !== undefined && (isServerCall(last) || isServerResult(last))
}

/** Opus 4.8 and all that came after it, as far as anybody knows. */
function takesSystemMessages(model: string | undefined): boolean {
  const name = claudeName(model)
  if (name === null || name.major >= 5) return true
  return name.family === 'opus' && name.major === 4 && name.minor >= 8
}

/** Gone with 4.6. A model that nobody knows is not faulted. */
function takesPrefill(model: string | undefined): boolean {
  const name = claudeName(model)
  return name === null || name.major < 4 || (name.major === 4 && name.minor < 6)
}
