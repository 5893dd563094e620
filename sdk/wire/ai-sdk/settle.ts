import type { ComposeOptions, Composition, WireMessage } from '../../engine/format.ts'
import { isObject, type JsonValue } from '../../engine/json.ts'
import { thinkingMode } from '../claude-thinking.ts'
import type { PlacedMessage } from '../closed-gaps.ts'
import { reasoningDropped } from '../reasoning-dropped.ts'
import { writtenMessage } from '../written-message.ts'
import { contentParts, isProviderCall, isToolResult, withParts } from './parts.ts'
import { isSignedReasoning, keptReasoningFrom } from './reasoning.ts'

const SIGNED_REASONING =
  'signed reasoning of answers after the first changed message was left out, since it is bound to what stood before it'

/** Takes from a changed list what a provider would no longer accept in it, and leaves the rest untouched. */
export function settle(placed: readonly PlacedMessage[], options: ComposeOptions): Composition {
  const changedFrom = options.changedFrom ?? Number.POSITIVE_INFINITY
  const keptFrom = keptReasoningFrom(
    placed.map(({ message }) => message.snapshot),
    thinkingMode(options.model),
  )
  const called = new Set<unknown>()
  const dropped: number[] = []
  const messages = placed.flatMap(({ message, item }, position): readonly WireMessage[] => {
    const { snapshot, indexes } = message
    const parts = contentParts(snapshot)
    for (const part of parts) if (isProviderCall(part)) called.add(part.toolCallId)
    const isAnswer = isObject(snapshot) && snapshot.role === 'assistant'
    const losesReasoning = position < keptFrom && parts.some(isSignedReasoning)
    // A result of the provider's own tools may stand in a later answer than its call, and goes when that goes.
    const stays = (part: JsonValue): boolean =>
      !(losesReasoning && isSignedReasoning(part)) &&
      !(isAnswer && isToolResult(part) && !called.has(part.toolCallId))
    if (item < changedFrom || parts.every(stays) || !isObject(snapshot)) return [message]
    if (losesReasoning) dropped.push(...indexes.slice(0, 1))
    const rest = parts.filter(stays)
    if (rest.length === 0) return []
    return [writtenMessage(() => withParts(snapshot, rest), indexes)]
  })
  return { messages, warnings: reasoningDropped(dropped, SIGNED_REASONING) }
}
