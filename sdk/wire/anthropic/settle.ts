import type { ComposeOptions, Composition, WireMessage } from '../../engine/format.ts'
import { isObject, type JsonValue } from '../../engine/json.ts'
import { thinkingMode } from '../claude-thinking.ts'
import { reasoningDropped } from '../reasoning-dropped.ts'
import { contentBlocks, isServerCall, isServerResult } from './entries.ts'
import { isThinking, keptThinkingFrom } from './reasoning.ts'
import { rewriteBlocks } from './rewrite-blocks.ts'

const THINKING =
  'thinking of answers after the first changed message was left out, since it is bound to what stood before it'

/** A message on its way out. */
export interface PlacedMessage {
  readonly message: WireMessage
  /** Position of the item that it was made from. */
  readonly item: number
  /** Text of a note that stands by itself. */
  readonly note: string | null
}

/** Takes from a changed list what the provider would no longer accept in it, and leaves the rest untouched. */
export function settle(placed: readonly PlacedMessage[], options: ComposeOptions): Composition {
  const changedFrom = options.changedFrom ?? Number.POSITIVE_INFINITY
  const ordered = settleSystem(placed, changedFrom)
  const keptFrom = keptThinkingFrom(
    ordered.map(({ message }) => message.snapshot),
    thinkingMode(options.model),
  )
  const called = new Set<unknown>()
  const dropped: number[] = []
  const messages = ordered.flatMap(({ message, item }, position): readonly WireMessage[] => {
    const blocks = contentBlocks(message.snapshot)
    for (const block of blocks) if (isServerCall(block)) called.add(block.id)
    const losesThinking = position < keptFrom && blocks.some(isThinking)
    // A result of the provider's own tools may stand in a later answer than its call, and goes when that goes.
    const stays = (block: JsonValue): boolean =>
      !(losesThinking && isThinking(block)) && !(isServerResult(block) && !called.has(block.tool_use_id))
    if (item < changedFrom || blocks.every(stays)) return [message]
    if (losesThinking) dropped.push(...message.indexes.slice(0, 1))
    const rest = rewriteBlocks(message, (all) => all.filter(stays))
    return contentBlocks(rest.snapshot).length > 0 ? [rest] : []
  })
  return { messages, warnings: reasoningDropped(dropped, THINKING) }
}

/**
 * A system message is taken after what the user said and ahead of an answer, or at the end. Where one of these
 * has gone, or a note has come between, it moves on to the next place that will do.
 */
function settleSystem(placed: readonly PlacedMessage[], changedFrom: number): readonly PlacedMessage[] {
  const settled: PlacedMessage[] = []
  let waiting: readonly PlacedMessage[] = []
  for (const next of placed) {
    const role = roleOf(next)
    if (role === 'system' && next.item >= changedFrom - 1) {
      waiting = [...waiting, next]
      continue
    }
    if (role !== 'user' && takesSystemNext(settled.at(-1))) {
      settled.push(...waiting)
      waiting = []
    }
    settled.push(next)
  }
  return [...settled, ...waiting]
}

function takesSystemNext(last: PlacedMessage | undefined): boolean {
  if (last === undefined) return false
  const block = contentBlocks(last.message.snapshot).at(-1)
  return roleOf(last) === 'user' || (block !== undefined && (isServerCall(block) || isServerResult(block)))
}

function roleOf({ message: { snapshot } }: PlacedMessage): JsonValue | undefined {
  return isObject(snapshot) ? snapshot.role : undefined
}
