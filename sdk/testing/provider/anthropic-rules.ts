import { isObject, type JsonObject } from '../../engine/json.ts'
import { invalid, turnsOf } from './anthropic-blocks.ts'
import { contentFault } from './anthropic-content.ts'
import { markFault } from './anthropic-marks.ts'
import { endFault, orderFault } from './anthropic-order.ts'
import { pairFault } from './anthropic-pairs.ts'
import type { AnthropicRule } from './anthropic-rule.ts'
import { bindingFault, leadingFault } from './anthropic-thinking.ts'
import type { ReceivedChat, Rejection } from './dialect.ts'
import { objectsOf } from './json-reading.ts'
import type { ProviderModel } from './model.ts'

/** In the order in which they are told. */
const rules: readonly AnthropicRule[] = [
  orderFault,
  contentFault,
  pairFault,
  endFault,
  markFault,
  leadingFault,
  bindingFault,
]

/** What Anthropic says of a request that has the wrong shape, first fault first; null: nothing. */
export function anthropicFault({ body }: ReceivedChat, model: ProviderModel): Rejection | null {
  const malformed = shapeFault(body)
  if (malformed !== null) return invalid(malformed)
  const turns = turnsOf(objectsOf(body.messages))
  for (const rule of rules) {
    const text = rule(turns, body, model)
    if (text !== null) return invalid(text)
  }
  return null
}

function shapeFault({ messages }: JsonObject): string | null {
  if (messages === undefined) return 'messages: Field required'
  if (!Array.isArray(messages)) return 'messages: Input should be a valid list'
  if (messages.length === 0) return 'messages: at least one message is required'
  for (const [place, message] of messages.entries()) {
    const path = `messages.${place}`
    if (!isObject(message)) return `${path}: Input should be an object`
    const { role, content } = message
    if (role === undefined) return `${path}.role: Field required`
    if (typeof role !== 'string') return `${path}.role: Input should be a valid string`
    if (content === undefined) return `${path}.content: Field required`
    if (typeof content === 'string') continue
    if (!Array.isArray(content)) return `${path}.content: Input should be a valid list`
    const position = content.findIndex((block) => !isObject(block))
    if (position >= 0) return `${path}.content.${position}: Input should be an object`
  }
  return null
}
