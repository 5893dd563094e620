import type { NativeMessage } from '../../engine/format.ts'
import type { JsonObject } from '../../engine/json.ts'
import { bindsItsRun, isHostedCall, itemKind, pairId } from './items.ts'

interface Run {
  readonly items: JsonObject[]
  /** Further items of the response may follow. */
  isOpen: boolean
  /** It was made by the provider. */
  readonly isAnswer: boolean
  /** Its results belong to it, for nobody can tell which of its items they answer. */
  isBound: boolean
}

/**
 * The list in messages: what came in one response is one, everything else is by itself. A response is appended
 * whole and followed by what the app has to say, so a list that grows keeps the messages that it had. For the
 * same reason an item of an unknown type joins what is surely an answer, and never begins one.
 */
export function messagesOf(items: readonly JsonObject[]): readonly NativeMessage[] {
  const runs: Run[] = []
  for (const item of items) {
    const last = runs.at(-1)
    if (last === undefined || !joins(last, item)) runs.push(runOf(item))
    else {
      last.items.push(item)
      last.isBound ||= bindsItsRun(item)
    }
  }
  return runs.map(({ items: [first, ...rest] }) =>
    first === undefined || rest.length > 0 ? [...(first ? [first] : []), ...rest] : first,
  )
}

function runOf(item: JsonObject): Run {
  const kind = itemKind(item)
  const isAnswer = kind === 'answer' || kind === 'call' || kind === 'reference'
  return { items: [item], isAnswer, isOpen: isAnswer, isBound: bindsItsRun(item) }
}

function joins(run: Run, item: JsonObject): boolean {
  if (!run.isAnswer) return false
  const kind = itemKind(item)
  if (kind === 'instruction' || kind === 'standing') return false
  if (kind !== 'result') return run.isOpen
  const isHosted = run.items.some((other) => isHostedCall(other) && pairId(other) === pairId(item))
  if (!isHosted && run.isBound) run.isOpen = false
  return isHosted || run.isBound
}
