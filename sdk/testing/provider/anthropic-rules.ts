import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { blocksOf, invalid } from './anthropic-blocks.ts'
import { signatureFor } from './binding.ts'
import type { ReceivedChat, Rejection } from './dialect.ts'
import { objectsOf, textOf } from './json-reading.ts'
import type { ProviderModel } from './model.ts'

/** What Anthropic says of a request that has the wrong shape, first fault first; null: nothing. */
export function anthropicFault({ body }: ReceivedChat, model: ProviderModel): Rejection | null {
  const messages = objectsOf(body.messages)
  const rules = [emptyFault, orderFault, resultFault, markFault]
  for (const rule of rules) {
    const text = rule(messages, body)
    if (text !== null) return invalid(text)
  }
  const text =
    model.thinking === 'preserved'
      ? bindingFault(messages, body)
      : model.thinking === 'manual'
        ? leadingFault(messages, body)
        : null
  return text === null ? null : invalid(text)
}

type Rule = (messages: readonly JsonObject[], body: JsonObject) => string | null

const isOf =
  (...types: readonly string[]) =>
  ({ type }: JsonObject): boolean =>
    types.includes(textOf(type))

const emptyFault: Rule = (messages) => {
  for (const [place, { role, content }] of messages.entries()) {
    const blocks = blocksOf(content)
    const isLastAnswer = place === messages.length - 1 && role === 'assistant'
    if (blocks.length === 0 && !isLastAnswer)
      return `messages.${place}: all messages must have non-empty content except for the optional final assistant message`
    if (blocks.some(({ type, text }) => type === 'text' && textOf(text).trim() === ''))
      return 'messages: text content blocks must be non-empty'
  }
  return null
}

const orderFault: Rule = (messages) => {
  if (messages.length === 0) return 'messages: at least one message is required'
  if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role'
  return messages.at(-1)?.role === 'assistant'
    ? 'This model does not support assistant message prefill. The conversation must end with a user message.'
    : null
}

const resultFault: Rule = (messages) => {
  for (const [place, { content }] of messages.entries()) {
    const before = blocksOf(messages[place - 1]?.content).filter(isOf('tool_use'))
    const asked = messages[place - 1]?.role === 'assistant' ? before.map(({ id }) => textOf(id)) : []
    const blocks = blocksOf(content)
    const answered = blocks.filter(isOf('tool_result')).map((block) => textOf(block.tool_use_id))
    const missing = asked.filter((id) => !answered.includes(id))
    if (missing.length > 0) return unanswered(place - 1, missing)
    const orphan = blocks.findIndex(
      (block) => block.type === 'tool_result' && !asked.includes(textOf(block.tool_use_id)),
    )
    if (orphan >= 0)
      return `messages.${place}.content.${orphan}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${textOf(blocks[orphan]?.tool_use_id)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`
    const firstOther = blocks.findIndex((block) => block.type !== 'tool_result')
    // Results come first, or they are not found.
    if (asked.length > 0 && firstOther >= 0 && firstOther < answered.length)
      return unanswered(place - 1, asked)
  }
  const last = messages.at(-1)
  const open = blocksOf(last?.content).filter(isOf('tool_use'))
  return last?.role === 'assistant' && open.length > 0
    ? unanswered(
        messages.length - 1,
        open.map(({ id }) => textOf(id)),
      )
    : null
}

function unanswered(place: number, ids: readonly string[]): string {
  return `messages.${place}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
}

const markFault: Rule = (_, body) => {
  const found = countMarks(body)
  return found > 4 ? `A maximum of 4 blocks with cache_control may be provided. Found ${found}.` : null
}

function countMarks(value: JsonValue | undefined): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, inner) => sum + countMarks(inner), 0)
  if (!isObject(value)) return 0
  const own = isObject(value.cache_control) ? 1 : 0
  return Object.values(value).reduce<number>((sum, inner) => sum + countMarks(inner), own)
}

/** Each block of reasoning is signed for the system, the tools and all messages before its own. */
const bindingFault: Rule = (messages, body) => {
  const { thinking } = body
  const binding = isObject(thinking) && isObject(thinking.block_binding) ? thinking.block_binding : {}
  if (binding.prefix_mismatch_behavior === 'drop_block') return null
  for (const [place, { role, content }] of messages.entries()) {
    if (role !== 'assistant') continue
    for (const [position, { type, signature }] of blocksOf(content).entries())
      if (type === 'thinking' && signature !== bindingOf(body, messages.slice(0, place)))
        return `messages.${place}.content.${position}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`
  }
  return null
}

export function bindingOf(body: JsonObject, messages: readonly JsonObject[]): string {
  return signatureFor([blocksOf(body.system), body.tools ?? [], messages])
}

/** The answer whose results the request brings must begin with its reasoning. */
const leadingFault: Rule = (messages, { thinking }) => {
  const isOn = isObject(thinking) && thinking.type === 'enabled'
  const place = messages.length - 2
  const blocks = blocksOf(messages[place]?.content)
  const [first] = blocks
  if (!isOn || messages[place]?.role !== 'assistant' || !blocks.some(isOf('tool_use'))) return null
  return first && isOf('thinking', 'redacted_thinking')(first)
    ? null
    : `messages.${place}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${textOf(first?.type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`
}
