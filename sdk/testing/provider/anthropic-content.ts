import type { JsonObject } from '../../engine/json.ts'
import { blocksOf, type PlacedBlock } from './anthropic-blocks.ts'
import type { AnthropicRule } from './anthropic-rule.ts'
import { objectsOf, textOf } from './json-reading.ts'

/** What may stand in a message of each role. */
export const contentFault: AnthropicRule = (turns, { messages, system }) => {
  const list = objectsOf(messages)
  for (const [place, { role, content }] of list.entries()) {
    const isLastAnswer = place === list.length - 1 && role === 'assistant'
    if (content === '' && isLastAnswer) continue
    const blocks = blocksOf(content)
    if ((content === '' || blocks.length === 0) && !isLastAnswer)
      return `messages.${place}: all messages must have non-empty content except for the optional final assistant message`
    if (blocks.some(isBlank)) return 'messages: text content blocks must be non-empty'
  }
  if (objectsOf(system).some(isBlank)) return 'system: text content blocks must be non-empty'
  for (const { role, blocks } of turns)
    for (const placed of blocks) {
      const text = roleFault(placed, role)
      if (text !== null) return text
    }
  return null
}

function isBlank({ type, text }: JsonObject): boolean {
  return type === 'text' && typeof text === 'string' && text.trim() === ''
}

const roleOf: Readonly<Record<string, string>> = {
  tool_use: 'assistant',
  server_tool_use: 'assistant',
  thinking: 'assistant',
  redacted_thinking: 'assistant',
  tool_result: 'user',
}

const inSystem: readonly string[] = ['text', 'tool_addition', 'tool_removal']

function roleFault({ block, path }: PlacedBlock, role: string): string | null {
  const type = textOf(block.type)
  if (role === 'system' && !inSystem.includes(type)) return `${path}: role 'system' takes text only`
  const needed = roleOf[type]
  return needed === undefined || needed === role
    ? null
    : `${path}: \`${type}\` blocks can only be in \`${needed}\` messages`
}
