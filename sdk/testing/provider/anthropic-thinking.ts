import { isObject, type JsonObject } from '../../engine/json.ts'
import { blocksOf, bringsResults, isOn, isThinking } from './anthropic-blocks.ts'
import type { AnthropicRule } from './anthropic-rule.ts'
import { signatureFor } from './binding.ts'
import { objectsOf, textOf } from './json-reading.ts'

/** Preserved thinking: each block is signed for the system, the tools, all messages before its own, and its words. */
export const bindingFault: AnthropicRule = (_, body, model) => {
  const { thinking } = body
  const binding = isObject(thinking) && isObject(thinking.block_binding) ? thinking.block_binding : {}
  if (model.thinking !== 'preserved' || binding.prefix_mismatch_behavior === 'drop_block') return null
  const messages = objectsOf(body.messages)
  for (const [place, { content }] of messages.entries())
    for (const [position, { type, thinking: thought, signature }] of blocksOf(content).entries())
      if (type === 'thinking' && signature !== bindingOf(body, messages.slice(0, place), textOf(thought)))
        return `messages.${place}.content.${position}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`
  return null
}

export function bindingOf(body: JsonObject, messages: readonly JsonObject[], reasoning: string): string {
  return signatureFor([blocksOf(body.system), body.tools ?? [], messages, reasoning])
}

/** Manual thinking: the turn whose results close the request must begin with its reasoning. */
export const leadingFault: AnthropicRule = (turns, { thinking }, model) => {
  if (model.thinking !== 'manual' || !isOn(thinking) || !bringsResults(turns.at(-1))) return null
  const asked = turns.findLastIndex((turn) => turn.role === 'user' && !bringsResults(turn))
  const answer = turns.slice(asked + 1).find(({ role }) => role === 'assistant')
  const [first] = answer?.blocks ?? []
  return first === undefined || isThinking(first)
    ? null
    : `${first.path}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${textOf(first.block.type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`
}
