import { isBlock, isServerCall, isServerResult, type Turn } from './anthropic-blocks.ts'
import type { AnthropicRule } from './anthropic-rule.ts'
import { textOf } from './json-reading.ts'

/** Each call is answered by the next message, once and ahead of all else in it, and nothing else is. */
export const pairFault: AnthropicRule = (turns) => {
  const known = new Set<string>()
  for (const [number, turn] of turns.entries()) {
    for (const { block, path } of callsOf(turn)) {
      if (typeof block.id !== 'string') return `${path}.tool_use.id: Field required`
      if (known.has(block.id)) return `${path}: \`tool_use\` ids must be unique`
      known.add(block.id)
    }
    const text = unansweredIn(turn, turns[number + 1]) ?? strayIn(turn, turns[number - 1])
    if (text !== null) return text
  }
  return serverFault(turns)
}

const isCall = isBlock('tool_use')
const isResult = isBlock('tool_result')

function callsOf(turn: Turn | undefined): Turn['blocks'] {
  return turn?.role === 'assistant' ? turn.blocks.filter(isCall) : []
}

/** Results that do not come first are not found. */
function unansweredIn(turn: Turn, next: Turn | undefined): string | null {
  const blocks = next?.role === 'user' ? next.blocks : []
  const end = blocks.findIndex((placed) => !isResult(placed))
  const answered = (end < 0 ? blocks : blocks.slice(0, end)).map(({ block }) => block.tool_use_id)
  const missing = callsOf(turn).filter(({ block }) => !answered.includes(block.id))
  const ids = missing.map(({ block }) => textOf(block.id)).join(', ')
  return missing.length === 0
    ? null
    : `messages.${turn.place}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
}

function strayIn(turn: Turn, before: Turn | undefined): string | null {
  const asked = callsOf(before).map(({ block }) => block.id)
  const answered = new Set<string>()
  for (const { block, path } of turn.blocks.filter(isResult)) {
    const id = textOf(block.tool_use_id)
    if (!asked.includes(id))
      return `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`
    if (answered.has(id))
      return `${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`
    answered.add(id)
  }
  return null
}

/** A tool of the provider's own is answered where it was called. */
function serverFault(turns: readonly Turn[]): string | null {
  const called = new Set<string>()
  for (const placed of turns.flatMap(({ blocks }) => blocks)) {
    const { block, path } = placed
    if (isServerCall(placed)) called.add(textOf(block.id))
    const id = textOf(block.tool_use_id)
    const type = textOf(block.type)
    if (isServerResult(placed) && !called.has(id))
      return `${path}: unexpected \`tool_use_id\` found in \`${type}\` blocks: ${id}. Each \`${type}\` block must have a corresponding \`server_tool_use\` block before it.`
  }
  return null
}
