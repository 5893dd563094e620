import type { WireMessage } from '../../engine/format.ts'
import { isObject, type JsonValue } from '../../engine/json.ts'

export interface PlacedMessage {
  readonly message: WireMessage
  /** It, or something ahead of it, is not as the provider has seen it. */
  readonly isChanged: boolean
  readonly isNote: boolean
}

/** Mends what a change of the list leaves in an order that the provider rejects. */
export function settle(placed: readonly PlacedMessage[]): readonly PlacedMessage[] {
  return triggerLast(placed.filter((message, position) => !isOverruled(message, placed[position + 1])))
}

/** Two updates of the configuration must not follow each other; where what stood between them went, the later holds. */
function isOverruled(update: PlacedMessage, next: PlacedMessage | undefined): boolean {
  if (next === undefined || !next.isChanged) return false
  if (typeOf(update) !== 'configuration_update' || typeOf(next) !== 'configuration_update') return false
  // Side by side as the app sent them, they are its own fault, and go out as they are.
  return indexOf(next) !== indexOf(update) + 1
}

/** A request to compact must be the last item, whatever the app is told at the end. */
function triggerLast(placed: readonly PlacedMessage[]): readonly PlacedMessage[] {
  const position = placed.findLastIndex((message) => typeOf(message) === 'compaction_trigger')
  const trigger = placed[position]
  const said = placed.slice(position + 1)
  if (trigger === undefined || said.some(({ isNote }) => !isNote)) return placed
  return [...placed.slice(0, position), ...said, trigger]
}

function typeOf({ message: { snapshot } }: PlacedMessage): JsonValue | undefined {
  return isObject(snapshot) ? snapshot.type : undefined
}

function indexOf({ message }: PlacedMessage): number {
  return message.indexes[0] ?? -1
}
