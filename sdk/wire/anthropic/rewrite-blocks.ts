import type { WireMessage } from '../../engine/format.ts'
import { isObject, type JsonValue } from '../../engine/json.ts'
import { contentBlocks } from './entries.ts'

type Blocks = readonly JsonValue[]

/**
 * A new message with other blocks; the blocks that stay are the very ones that were there. An app's object
 * whose JSON is made by a `toJSON` of its own cannot be changed from outside, so its copy goes instead.
 */
export function rewriteBlocks(message: WireMessage, change: (blocks: Blocks) => Blocks): WireMessage {
  const { native, snapshot, indexes } = message
  const isPlain = contentBlocks(native).length === contentBlocks(snapshot).length
  const rewrite = (original: JsonValue): JsonValue =>
    isObject(original) ? { ...original, content: change(contentBlocks(original)) } : original
  return { native: rewrite(isPlain ? native : snapshot), snapshot: rewrite(snapshot), indexes }
}
