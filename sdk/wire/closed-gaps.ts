import type { CompiledItem, NativeMessage, WireMessage } from '../engine/format.ts'

/** A message on its way out. */
export interface PlacedMessage {
  readonly message: WireMessage
  /** Position of the item that it was made from. */
  readonly item: number
}

/**
 * Gemini takes calls right after what the user or a tool said only. Where nothing of that is left before them, as where
 * a fold took the calls and results of the answer before, or an eviction took a question, a line of our own stands
 * there; answers that stood side by side in the app's list are the app's.
 */
export function closeGaps(
  placed: readonly PlacedMessage[],
  list: {
    readonly items: readonly CompiledItem[]
    readonly changedFrom: number | null
    isAnswer(message: NativeMessage): boolean
    holdsCalls(message: NativeMessage): boolean
    /** A message of the user in the format's own form. */
    said(text: string): NativeMessage
  },
): readonly PlacedMessage[] {
  const { items, changedFrom, isAnswer, holdsCalls, said } = list
  if (changedFrom === null) return placed
  const leavesGap = (before: PlacedMessage | undefined, next: PlacedMessage): boolean => {
    if (before === undefined) return true
    if (!isAnswer(before.message.snapshot)) return false
    return lastIndex(items[before.item]) + 1 !== firstIndex(items[next.item])
  }
  return placed.flatMap((next, position) => {
    const isGap =
      next.item >= changedFrom && holdsCalls(next.message.snapshot) && leavesGap(placed[position - 1], next)
    return isGap ? [{ message: gapMessage(said), item: next.item }, next] : [next]
  })
}

function firstIndex(item: CompiledItem | undefined): number {
  return item?.type === 'message' ? (item.indexes[0] ?? -1) : -1
}

function lastIndex(item: CompiledItem | undefined): number {
  return item?.type === 'message' ? (item.indexes.at(-1) ?? -1) : -1
}

/** Belongs to no entry, like everything that is said once. */
function gapMessage(said: (text: string) => NativeMessage): WireMessage {
  const text = '[Messages that stood here were left out by the app.]'
  return { native: said(text), snapshot: said(text), indexes: [] }
}
