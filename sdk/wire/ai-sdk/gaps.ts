import type { CompiledItem, ComposeOptions, WireMessage } from '../../engine/format.ts'
import { isObject, type JsonObject } from '../../engine/json.ts'
import { contentParts } from './parts.ts'
import type { PlacedMessage } from './settle.ts'

/**
 * Gemini takes calls right after what the user or a tool said only. Where a fold left an answer before them, a line of
 * our own stands there; answers that stood side by side in the app's list are the app's.
 */
export function closeGaps(
  placed: readonly PlacedMessage[],
  items: readonly CompiledItem[],
  { model, changedFrom }: ComposeOptions,
): readonly PlacedMessage[] {
  if (changedFrom === null || model === undefined || !/gemini|gemma/i.test(model)) return placed
  return placed.flatMap((next, position) => {
    const before = placed[position - 1]
    if (next.item < changedFrom || !before || !isAnswer(before) || !calls(next)) return [next]
    const isOwn = lastIndex(items[before.item]) + 1 === firstIndex(items[next.item])
    return isOwn ? [next] : [{ message: gapMessage(), item: next.item }, next]
  })
}

function isAnswer({ message }: PlacedMessage): boolean {
  return isObject(message.snapshot) && message.snapshot.role === 'assistant'
}

function calls(placed: PlacedMessage): boolean {
  return (
    isAnswer(placed) &&
    contentParts(placed.message.snapshot).some((part) => isObject(part) && part.type === 'tool-call')
  )
}

function lastIndex(item: CompiledItem | undefined): number {
  return item?.type === 'message' ? (item.indexes.at(-1) ?? -1) : -1
}

function firstIndex(item: CompiledItem | undefined): number {
  return item?.type === 'message' ? (item.indexes[0] ?? -1) : -1
}

/** Belongs to no entry, like everything that is said once. */
function gapMessage(): WireMessage {
  const message = (): JsonObject => ({
    role: 'user',
    content: [{ type: 'text', text: '[Messages that stood here were left out by the app.]' }],
  })
  return { native: message(), snapshot: message(), indexes: [] }
}
