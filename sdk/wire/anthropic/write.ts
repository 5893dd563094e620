import type {
  CompiledItem,
  ComposeOptions,
  Composition,
  NativeMessage,
  ReadRequest,
  WireMessage,
} from '../../engine/format.ts'
import { isObject, type JsonObject } from '../../engine/json.ts'
import { writeList } from '../write-list.ts'
import { keptIndexes, noteMessage, writtenMessage } from '../written-message.ts'
import { blockOwners, contentBlocks, isToolResult } from './entries.ts'
import { isThinking } from './reasoning.ts'
import { rewriteBlocks } from './rewrite-blocks.ts'
import { type PlacedMessage, settle } from './settle.ts'

export function compose(items: readonly CompiledItem[], options: ComposeOptions): Composition {
  return settle(placeItems(items), options)
}

export function write(
  request: JsonObject,
  read: ReadRequest,
  messages: readonly NativeMessage[],
): JsonObject {
  return writeList(request, { key: 'messages', read, messages })
}

/**
 * Items as messages. A note joins the tool results that it stands beside, so that it never comes between
 * calls and results; but only where they alone make the message, so that it stays an entry of its own.
 */
function placeItems(items: readonly CompiledItem[]): readonly PlacedMessage[] {
  const placed: PlacedMessage[] = []
  for (const [position, item] of items.entries()) {
    const message = item.type === 'note' ? noteOf(item.text, item.index) : cutMessage(item)
    if (message === null) continue
    const next: PlacedMessage = { message, item: position, note: item.type === 'note' ? item.text : null }
    const previous = placed.at(-1)
    const joined = previous === undefined ? null : joinNote(previous, next)
    if (joined !== null) placed.pop()
    placed.push(joined ?? next)
  }
  return placed
}

function noteOf(text: string, index: number | null): WireMessage {
  return noteMessage(() => ({ role: 'user', content: [noteBlock(text)] }), index)
}

function noteBlock(text: string): JsonObject {
  return { type: 'text', text }
}

function joinNote(left: PlacedMessage, right: PlacedMessage): PlacedMessage | null {
  const [note, results] = left.note === null ? [right, left] : [left, right]
  const { note: text } = note
  if (text === null || !holdsOnlyResults(results.message.snapshot)) return null
  const message = rewriteBlocks(results.message, (blocks) => [...blocks, noteBlock(text)])
  const indexes = [...message.indexes, ...note.message.indexes]
  return { message: { ...message, indexes }, item: results.item, note: null }
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
      return kept.includes(owners.parts[position] ?? owners.frame) || (isAnswer && isThinking(block))
    }),
  })
  if (contentBlocks(cut()).every(isThinking)) return null
  return writtenMessage(cut, keptIndexes(item, isAnswer))
}

function holdsOnlyResults(message: NativeMessage): boolean {
  const blocks = contentBlocks(message)
  return blocks.length > 0 && blocks.every(isToolResult)
}
