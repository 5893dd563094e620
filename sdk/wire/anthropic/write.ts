import type {
  CompiledItem,
  ComposeOptions,
  Composition,
  NativeMessage,
  ReadRequest,
  Warning,
  WireMessage,
} from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { blockOwners, contentBlocks, isToolResult } from './entries.ts'
import { isThinking, keptThinkingFrom, thinkingMode } from './reasoning.ts'

export function compose(items: readonly CompiledItem[], options: ComposeOptions): Composition {
  const changedFrom = options.changedFrom ?? Number.POSITIVE_INFINITY
  const placed = placeItems(items)
  const keptFrom = keptThinkingFrom(
    placed.map(({ message }) => message.snapshot),
    thinkingMode(options.model),
  )
  const dropped: number[] = []
  const bound = placed.flatMap((next, position): readonly Placed[] => {
    const { message, item } = next
    if (item < changedFrom || position >= keptFrom || !holdsThinking(message.snapshot)) return [next]
    dropped.push(...message.indexes.slice(0, 1))
    const rest = withoutThinking(message)
    return contentBlocks(rest.snapshot).length > 0 ? [{ ...next, message: rest }] : []
  })
  return {
    messages: settleSystem(bound, changedFrom).map(({ message }) => message),
    warnings: dropped.length > 0 ? [reasoningDropped(dropped)] : [],
  }
}

function reasoningDropped(indexes: readonly number[]): Warning {
  return {
    code: 'reasoning_dropped',
    message:
      'thinking of answers after the first changed message was left out, since it is bound to what stood before it; nothing needs to be done, and the record still holds it',
    indexes,
  }
}

export function write(
  request: JsonObject,
  read: ReadRequest,
  messages: readonly NativeMessage[],
): JsonObject {
  return { ...request, messages: [...read.leading, ...messages] }
}

interface Placed {
  readonly message: WireMessage
  /** Position of the item that it was made from. */
  readonly item: number
  readonly isNote: boolean
}

/**
 * Items as messages. A note joins the tool results that it stands beside, so that it never comes between
 * calls and results; but only where they alone make the message, so that it stays an entry of its own.
 */
function placeItems(items: readonly CompiledItem[]): readonly Placed[] {
  const placed: Placed[] = []
  for (const [position, item] of items.entries()) {
    const message = item.type === 'note' ? noteMessage(item.text, item.index) : cutMessage(item)
    if (message === null) continue
    const next: Placed = { message, item: position, isNote: item.type === 'note' }
    const previous = placed.at(-1)
    const joined = previous === undefined ? null : joinNote(previous, next)
    if (joined !== null) placed.pop()
    placed.push(joined ?? next)
  }
  return placed
}

function noteMessage(text: string, index: number): WireMessage {
  const message = (): JsonObject => ({ role: 'user', content: [{ type: 'text', text }] })
  return { native: message(), snapshot: message(), indexes: [index] }
}

function joinNote(left: Placed, right: Placed): Placed | null {
  const [note, results] = left.isNote ? [left, right] : [right, left]
  if (!note.isNote || results.isNote || !holdsOnlyResults(results.message.snapshot)) return null
  const join = (side: 'native' | 'snapshot'): NativeMessage =>
    withBlocks(results.message[side], (blocks) => [...blocks, ...contentBlocks(note.message[side])])
  return {
    message: {
      native: join('native'),
      snapshot: join('snapshot'),
      indexes: [...results.message.indexes, ...note.message.indexes],
    },
    item: results.item,
    isNote: false,
  }
}

/** What is left of a message that lost drafts; null where a provider would not take it. */
function cutMessage(item: CompiledItem & { readonly type: 'message' }): WireMessage | null {
  const { native, snapshot, kept, indexes } = item
  if (item.whole) return { native, snapshot, indexes }
  if (!isObject(snapshot) || kept.length === 0) return null
  const owners = blockOwners(snapshot)
  const isAnswer = snapshot.role === 'assistant'
  const cut = (): JsonObject => ({
    ...snapshot,
    content: contentBlocks(snapshot).filter((block, position) => {
      // Thinking leads up to the calls as much as to the text, so it stays while either does.
      return kept.includes(owners.blocks[position] ?? owners.frame) || (isAnswer && isThinking(block))
    }),
  })
  if (contentBlocks(cut()).every(isThinking)) return null
  const ordinals = isAnswer ? [0, ...kept.filter((ordinal) => ordinal > 0)] : kept
  return { native: cut(), snapshot: cut(), indexes: ordinals.flatMap((ordinal) => indexes[ordinal] ?? []) }
}

/** A new message with other blocks; the blocks that stay are the very ones that were there. */
function withBlocks(
  message: NativeMessage,
  change: (blocks: readonly JsonValue[]) => readonly JsonValue[],
): NativeMessage {
  return isObject(message) ? { ...message, content: change(contentBlocks(message)) } : message
}

function withoutThinking({ native, snapshot, indexes }: WireMessage): WireMessage {
  const rest = (blocks: readonly JsonValue[]): readonly JsonValue[] =>
    blocks.filter((block) => !isThinking(block))
  return { native: withBlocks(native, rest), snapshot: withBlocks(snapshot, rest), indexes }
}

/**
 * A system message is taken ahead of an answer or at the end only. Where that answer has gone, or a note has
 * come between, it moves behind what the user says next.
 */
function settleSystem(placed: readonly Placed[], changedFrom: number): readonly Placed[] {
  const settled: Placed[] = []
  let waiting: readonly Placed[] = []
  for (const next of placed) {
    const role = isObject(next.message.snapshot) ? next.message.snapshot.role : undefined
    if (role === 'system' && next.item >= changedFrom - 1) {
      waiting = [...waiting, next]
      continue
    }
    if (role !== 'user') {
      settled.push(...waiting)
      waiting = []
    }
    settled.push(next)
  }
  return [...settled, ...waiting]
}

function holdsThinking(message: NativeMessage): boolean {
  return contentBlocks(message).some(isThinking)
}

function holdsOnlyResults(message: NativeMessage): boolean {
  const blocks = contentBlocks(message)
  return blocks.length > 0 && blocks.every(isToolResult)
}
