import type {
  CompiledItem,
  ComposeOptions,
  Composition,
  NativeMessage,
  ReadRequest,
  WireMessage,
} from '../../engine/format.ts'
import type { JsonObject } from '../../engine/json.ts'
import { reasoningDropped } from '../reasoning-dropped.ts'
import { keptIndexes, noteMessage } from '../written-message.ts'
import { cutRun } from './cut-run.ts'
import { textItem } from './entries.ts'
import { itemsOf, messageOf } from './items.ts'
import { type PlacedMessage, settle } from './settle.ts'

const SEPARATED_REASONING =
  'reasoning of answers that lost the item it led up to was left out, since the provider takes it only right before that'

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
    warnings: reasoningDropped(separated, SEPARATED_REASONING),
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
  const message = { native: written, snapshot: structuredClone(written), indexes: keptIndexes(item, true) }
  return { message, isSeparated: cut.isSeparated }
}

function noteOf(text: string, index: number | null): WireMessage {
  return noteMessage(
    () => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
    index,
  )
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
