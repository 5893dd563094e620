import { endsInServerTool, isBlock, isThinking } from './anthropic-blocks.ts'
import type { AnthropicRule } from './anthropic-rule.ts'

const roles: readonly string[] = ['user', 'assistant', 'system']

/** Which message may stand where. Of system messages Anthropic publishes the rules, and its words of one alone. */
export const orderFault: AnthropicRule = (turns, _, { refusesSystemMessages }) => {
  const unknown = turns.find(({ role }) => !roles.includes(role))
  if (unknown) return `messages: Unexpected role "${unknown.role}". Allowed roles are "user" or "assistant".`
  const [first] = turns
  // What the server wrote when it shortened the history itself comes back ahead of everything.
  if (first?.role === 'assistant' && !isBlock('compaction')(first.blocks[0]))
    return 'messages: first message must use the "user" role'
  for (const [number, { role, place }] of turns.entries()) {
    if (role !== 'system') continue
    if (refusesSystemMessages) return `messages.${place}: role 'system' is not supported on this model`
    const before = turns[number - 1]
    const after = turns[number + 1]
    const follows = before?.role === 'user' || (before !== undefined && endsInServerTool(before))
    if (!follows || after?.role === 'user')
      return `messages.${place}: role 'system' must follow a user message, or an assistant message that ends in server tool use, and be last or come before an assistant message`
  }
  return null
}

/** How answers may end, the last one above all. */
export const endFault: AnthropicRule = (turns, _, { takesPrefill }) => {
  const open = turns.find(({ role, blocks }) => role === 'assistant' && isThinking(blocks.at(-1)))
  if (open) return `messages.${open.place}: The final block in an assistant message cannot be \`thinking\`.`
  const last = turns.at(-1)
  return last?.role !== 'assistant' || takesPrefill || endsInServerTool(last)
    ? null
    : 'This model does not support assistant message prefill. The conversation must end with a user message.'
}
