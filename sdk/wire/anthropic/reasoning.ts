import type { NativeMessage } from '../../engine/format.ts'
import { isObject, type JsonValue } from '../../engine/json.ts'
import type { ThinkingMode } from '../claude-thinking.ts'
import { contentBlocks, isToolResult } from './entries.ts'

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
