import type {
  CompiledItem,
  ComposeOptions,
  Composition,
  NativeMessage,
  ReadRequest,
  WireMessage,
} from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { closeGaps, type PlacedMessage } from '../closed-gaps.ts'
import { writeList } from '../write-list.ts'
import { keptIndexes, noteMessage, writtenMessage } from '../written-message.ts'
import { partOwners } from './entries.ts'
import { revivedMessage } from './native-files.ts'
import { contentParts, isReasoningPart, withParts } from './parts.ts'
import { settle } from './settle.ts'

export function compose(items: readonly CompiledItem[], options: ComposeOptions): Composition {
  const placed = items.flatMap((item, position): readonly PlacedMessage[] => {
    const message = item.type === 'note' ? noteOf(item.text, item.index) : cutMessage(item)
    return message === null ? [] : [{ message, item: position }]
  })
  return settle(closesGaps(options) ? closeGaps(placed, { ...speech, items, ...options }) : placed, options)
}

function closesGaps({ model }: ComposeOptions): boolean {
  return model !== undefined && /gemini|gemma/i.test(model)
}

const speech: Pick<Parameters<typeof closeGaps>[1], 'isAnswer' | 'holdsCalls' | 'said'> = {
  isAnswer,
  holdsCalls: (message) =>
    isAnswer(message) && contentParts(message).some((part) => isObject(part) && part.type === 'tool-call'),
  said,
}

function isAnswer(message: NativeMessage): boolean {
  return isObject(message) && message.role === 'assistant'
}

export function write(
  request: JsonObject,
  read: ReadRequest,
  messages: readonly NativeMessage[],
): JsonObject {
  const own = new Set(read.messages)
  const sent = messages.map((message) => (own.has(message) ? message : revivedMessage(message)))
  return writeList(request, { key: 'prompt', read, messages: sent })
}

function noteOf(text: string, index: number | null): WireMessage {
  return noteMessage(() => said(text), index)
}

function said(text: string): JsonObject {
  return { role: 'user', content: [{ type: 'text', text }] }
}

/** What is left of a message that lost drafts; null where a provider would not take it. */
function cutMessage(item: CompiledItem & { readonly type: 'message' }): WireMessage | null {
  const { native, snapshot, kept, indexes } = item
  if (item.whole) return { native, snapshot, indexes }
  if (!isObject(snapshot) || kept.length === 0) return null
  const cut = (): JsonObject => withParts(snapshot, keptParts(snapshot, kept))
  if (contentParts(cut()).every(isReasoningPart)) return null
  return writtenMessage(cut, keptIndexes(item, snapshot.role === 'assistant'))
}

/** Reasoning belongs to what it led up to, a text as much as a call, and stays while any of that does. */
function keptParts(message: JsonObject, kept: readonly number[]): readonly JsonValue[] {
  const owners = partOwners(message)
  const stays: JsonValue[] = []
  let isFollowed = false
  let isRun = false
  for (const [position, part] of [...contentParts(message).entries()].reverse()) {
    const isReasoning = isReasoningPart(part)
    const isKept: boolean = isReasoning ? isFollowed : kept.includes(owners.parts[position] ?? owners.frame)
    if (isKept) stays.unshift(part)
    if (!isReasoning) isFollowed = (isRun && isFollowed) || isKept
    isRun = !isReasoning
  }
  return stays
}
