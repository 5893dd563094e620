import type { NativeMessage } from './format.ts'
import { type CountedText, countMessage, type MeasureInput } from './measure.ts'
import type { Outline } from './outline.ts'
import type { Plan } from './plan.ts'

/**
 * Tokens that a request has more when one message of it is replaced by another, exactly, without looking at the
 * rest of it: what lies between a message's first and last safe cut counts the same beside any neighbours. Null
 * where the two messages do not begin and end alike up to those cuts, so that only a whole count can tell.
 */
export function* measureChange(
  change: Pick<MeasureInput, 'wire' | 'model' | 'memory'> & {
    readonly before: NativeMessage
    readonly after: NativeMessage
  },
): Plan<number | null> {
  const before = yield* countMessage(change.before, change)
  const after = yield* countMessage(change.after, change)
  return endAlike(before.ends, after.ends) ? innerTokens(after) - innerTokens(before) : null
}

function endAlike(left: Outline, right: Outline): boolean {
  return (
    left.type === 'cut' &&
    right.type === 'cut' &&
    left.head.text === right.head.text &&
    left.tail.text === right.tail.text
  )
}

function innerTokens({ sums, media }: CountedText): number {
  return [...sums, ...media].reduce((sum, { tokens }) => sum + tokens, 0)
}
