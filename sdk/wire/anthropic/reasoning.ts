import type { NativeMessage } from '../../engine/format.ts'
import { isObject, type JsonValue } from '../../engine/json.ts'
import { contentBlocks, isToolResult } from './entries.ts'
import { claudeName } from './model-name.ts'

/**
 * How long a model's thinking stays valid. `preserved`: a thinking block is bound to everything before it, so
 * after a change all of it must go. `manual`: it is bound to nothing, and that of the last turn must stay ahead
 * of its tool results.
 */
export type ThinkingMode = 'preserved' | 'manual'

/** Families with manual thinking, and the first version of each that no longer belongs here. */
const manualThinkingUntil: Readonly<Record<string, number>> = { opus: 5, sonnet: 5, haiku: 5 }

/** A model that nobody knows is treated as the newest kind: losing reasoning is better than a rejection. */
export function thinkingMode(model: string | undefined): ThinkingMode {
  const name = claudeName(model)
  if (name === null) return 'preserved'
  const until = manualThinkingUntil[name.family]
  return until !== undefined && name.major < until ? 'manual' : 'preserved'
}

export function isThinking(block: JsonValue): boolean {
  return isObject(block) && (block.type === 'thinking' || block.type === 'redacted_thinking')
}

/**
 * Position of the first message whose thinking must stay although the list changed before it: what follows
 * the last user messages that are not the results of tools. Neighbouring user messages are read as one.
 */
export function keptThinkingFrom(messages: readonly NativeMessage[], mode: ThinkingMode): number {
  if (mode === 'preserved') return messages.length
  let from = 0
  let run: 'none' | 'said' | 'results' = 'none'
  for (const [position, message] of messages.entries()) {
    if (isUser(message)) {
      if (contentBlocks(message).some(isToolResult)) run = 'results'
      else if (run === 'none') run = 'said'
      continue
    }
    if (run === 'said') from = position
    run = 'none'
  }
  return run === 'said' ? messages.length : from
}

function isUser(message: NativeMessage): boolean {
  return isObject(message) && message.role === 'user'
}
