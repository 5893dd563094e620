import type { NativeMessage } from '../../engine/format.ts'
import type { JsonObject } from '../../engine/json.ts'
import { bindsItsRun, isHostedCall, itemKind, pairId } from './items.ts'

interface Run {
  readonly first: JsonObject
  readonly rest: JsonObject[]
  /** It came in a response. */
  readonly isAnswer: boolean
  /** Its results belong to it, for nobody can tell which of its items they answer. */
  isBound: boolean
  /** The app has answered it, so the next item of an answer begins another. */
  isAnswered: boolean
}

/**
 * The list in messages: what came in one response is one, everything else is by itself. A response is appended
 * whole and followed by what the app has to say, so a list that grows keeps the messages that it had. For the
 * same reason an item of an unknown type joins what is surely an answer, and never begins one.
 */
export function messagesOf(items: readonly JsonObject[]): readonly NativeMessage[] {
  const runs: Run[] = []
  for (const item of items) {
    const run = runs.at(-1)
    if (run === undefined || !takes(run, item)) {
      runs.push(runFrom(item))
      continue
    }
    if (itemKind(item) === 'result' && !isOutputIn(run, item)) run.isAnswered = true
    run.rest.push(item)
    run.isBound ||= bindsItsRun(item)
  }
  return runs.map(({ first, rest }) => (rest.length === 0 ? first : [first, ...rest]))
}

function runFrom(first: JsonObject): Run {
  const kind = itemKind(first)
  const isAnswer = kind === 'answer' || kind === 'call' || kind === 'reference'
  return { first, rest: [], isAnswer, isBound: bindsItsRun(first), isAnswered: false }
}

function takes(run: Run, item: JsonObject): boolean {
  if (!run.isAnswer) return false
  const kind = itemKind(item)
  if (kind === 'instruction' || kind === 'standing') return false
  return kind === 'result' ? run.isBound || isOutputIn(run, item) : !run.isAnswered
}

/** Whether an output is of a call that the provider carried out itself in the same response. */
function isOutputIn({ first, rest }: Run, item: JsonObject): boolean {
  return [first, ...rest].some((other) => isHostedCall(other) && pairId(other) === pairId(item))
}
