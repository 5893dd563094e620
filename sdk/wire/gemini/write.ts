import type { CompiledItem, ComposeOptions, Composition, WireMessage } from '../../engine/format.ts'
import { isObject, type JsonObject } from '../../engine/json.ts'
import { closeGaps, type PlacedMessage } from '../closed-gaps.ts'
import { reasoningDropped } from '../reasoning-dropped.ts'
import { keptIndexes, noteMessage, writtenMessage } from '../written-message.ts'
import { partOwners } from './entries.ts'
import { callsOf, contentParts, isModel, isThought } from './parts.ts'
import { signFirstCall } from './signatures.ts'

const LOST_SIGNATURE =
  'the call that carried the signature of a step was left out, so the next one goes without the thought behind it'

/**
 * Items as contents. A signature is bound to nothing before it, so what is left whole keeps its own; only a step
 * that lost the call which carried it gets the sentinel in its place.
 */
export function compose(items: readonly CompiledItem[], options: ComposeOptions): Composition {
  const unsigned: number[] = []
  const placed = items.flatMap((item, position): readonly PlacedMessage[] => {
    if (item.type === 'note') return [{ message: noteContent(item.text, item.index), item: position }]
    if (item.whole) {
      const { native, snapshot, indexes } = item
      return [{ message: { native, snapshot, indexes }, item: position }]
    }
    const cut = cutContent(item, options.model)
    if (cut === null) return []
    if (cut.lostSignature) unsigned.push(...cut.message.indexes.slice(0, 1))
    return [{ message: cut.message, item: position }]
  })
  const closed = closeGaps(placed, {
    items,
    changedFrom: options.changedFrom,
    isAnswer: isModel,
    holdsCalls: (content) => callsOf(content).length > 0,
    said,
  })
  return {
    messages: closed.map(({ message }) => message),
    warnings: reasoningDropped(unsigned, LOST_SIGNATURE),
  }
}

function noteContent(text: string, index: number | null): WireMessage {
  return noteMessage(() => said(text), index)
}

function said(text: string): JsonObject {
  return { role: 'user', parts: [{ text }] }
}

/** What is left of a content that lost drafts; null where the provider would not take it. */
function cutContent(
  item: CompiledItem & { readonly type: 'message' },
  model: string | undefined,
): { readonly message: WireMessage; readonly lostSignature: boolean } | null {
  const { snapshot, kept } = item
  if (!isObject(snapshot)) return null
  const owners = partOwners(snapshot)
  const isAnswer = isModel(snapshot)
  const left = contentParts(snapshot).filter(
    (part, position) =>
      // A thought leads up to the calls as much as to the text, so it stays while either does.
      kept.includes(owners.parts[position] ?? owners.frame) || (isAnswer && isThought(part)),
  )
  if (left.every(isThought)) return null
  const signed = isAnswer ? signFirstCall(left, { of: contentParts(snapshot), model }) : left
  const cut = (): JsonObject => ({ ...snapshot, parts: [...signed] })
  return {
    message: writtenMessage(cut, keptIndexes(item, isAnswer)),
    lostSignature: signed !== left,
  }
}
