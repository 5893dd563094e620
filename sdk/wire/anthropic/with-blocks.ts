import type { NativeMessage } from '../../engine/format.ts'
import { isObject, type JsonValue } from '../../engine/json.ts'
import { contentBlocks } from './entries.ts'

/** A new message with other blocks; the blocks that stay are the very ones that were there. */
export function withBlocks(
  message: NativeMessage,
  change: (blocks: readonly JsonValue[]) => readonly JsonValue[],
): NativeMessage {
  return isObject(message) ? { ...message, content: change(contentBlocks(message)) } : message
}
