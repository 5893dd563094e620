import type {
  CompiledItem,
  ComposeOptions,
  Composition,
  NativeMessage,
  ReadRequest,
  Warning,
  WireMessage,
} from '../../engine/format.ts'
import type { JsonObject } from '../../engine/json.ts'
import { cutRun } from './cut-run.ts'
import { textItem } from './entries.ts'
import { itemsOf, messageOf } from './items.ts'
import { type PlacedMessage, settle } from './settle.ts'

export function compose(items: readonly CompiledItem[], options: ComposeOptions): Composition {
  const changedFrom = options.changedFrom ?? Number.POSITIVE_INFINITY
  const placed: PlacedMessage[] = []
  const separated: number[] = []
  for (const [position, item] of items.entries()) {
    const { message, isSeparated } = composeItem(item)
    if (isSeparated) separated.push(...(message?.indexes.slice(0, 1) ?? []))
    if (message !== null)
      placed.push({ message, isChanged: position >= changedFrom, isNote: item.type === 'note' })
  }
  return {
    messages: settle(placed).map(({ message }, _, all) => (all.length > 1 ? inList(message) : message)),
    warnings: separated.length > 0 ? [reasoningDropped(separated)] : [],
  }
}

/** Input that is text stays that, as long as it is all there is. */
export function write(
  request: JsonObject,
  read: ReadRequest,
  messages: readonly NativeMessage[],
): JsonObject {
  const [only] = messages
  if (typeof only === 'string' && messages.length === 1) return { ...request, input: only }
  const items = [...read.leading, ...messages.flatMap(itemsOf)]
  return items.length === 0 ? request : { ...request, input: items }
}

interface ComposedItem {
  readonly message: WireMessage | null
  /** Reasoning went while something that it led up to stayed. */
  readonly isSeparated: boolean
}

function composeItem(item: CompiledItem): ComposedItem {
  if (item.type === 'note') return { message: noteOf(item.text, item.index), isSeparated: false }
  const { native, snapshot, kept, indexes } = item
  if (item.whole) return { message: { native, snapshot, indexes }, isSeparated: false }
  const cut = cutRun(itemsOf(snapshot), kept)
  const written = messageOf(cut.items)
  if (written === null) return { message: null, isSeparated: false }
  // A run always reads as an answer first, even where only calls are left of it.
  const ordinals = [0, ...kept.filter((ordinal) => ordinal > 0)]
  const message = {
    native: written,
    snapshot: structuredClone(written),
    indexes: ordinals.flatMap((ordinal) => indexes[ordinal] ?? []),
  }
  return { message, isSeparated: cut.isSeparated }
}

function noteOf(text: string, index: number | null): WireMessage {
  return { native: noteItem(text), snapshot: noteItem(text), indexes: index === null ? [] : [index] }
}

function noteItem(text: string): JsonObject {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
}

/** Text cannot stand among items. */
function inList(message: WireMessage): WireMessage {
  const { native, snapshot } = message
  if (typeof snapshot !== 'string') return message
  return {
    ...message,
    native: typeof native === 'string' ? textItem(native) : native,
    snapshot: textItem(snapshot),
  }
}

function reasoningDropped(indexes: readonly number[]): Warning {
  return {
    code: 'reasoning_dropped',
    message:
      'reasoning of answers that lost the item it led up to was left out, since the provider takes it only right before that; nothing needs to be done, and the record still holds it',
    indexes,
  }
}
