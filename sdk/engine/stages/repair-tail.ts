import { utf8Bytes } from '../byte-bound.ts'
import { draftOf, shownText } from '../entry-text.ts'
import { callArguments } from '../folded-calls.ts'
import type { Entry } from '../record.ts'
import { spokenRounds } from '../spoken-rounds.ts'
import { spanBefore } from './span.ts'
import type { StageContext } from './stage.ts'

/** Most bytes of UTF-8 that the tail of a repair says. */
const TAIL_BYTES = 32_768

/** Its share of the history in tokens: a bound of bytes alone would keep a small history whole. */
const TAIL_SHARE = 1 / 4

/** And of what the request has left under its target without the history, so that there is room for a summary. */
const ROOM_SHARE = 1 / 2

/**
 * Position in the view at which the newest work begins that a repair leaves as it is (R358): whole rounds of what may
 * leave, within bounds, but never the oldest of them. What may not leave takes nothing of the bounds (R334). Where there
 * is no such history, whatever notes there are, it is the beginning of the view (R364).
 */
export function repairTailStart(context: StageContext): number {
  const { view } = context.line
  const history = spanBefore(context, view.length).filter((entry) => !entry.note)
  const rounds = spokenRounds(history)
  const total = tokensOf(context, history)
  let bytes = TAIL_BYTES
  let tokens = Math.min(total * TAIL_SHARE, roomWithout(context, total) * ROOM_SHARE)
  let first = rounds.length
  for (; first > 1; first--) {
    const round = rounds[first - 1] ?? []
    tokens -= tokensOf(context, round)
    bytes -= round.reduce((sum, entry) => sum + utf8Bytes(shownWords(context, entry)), 0)
    if (tokens < 0 || bytes < 0) break
  }
  const begin = rounds[first]?.[0]
  return begin ? view.indexOf(begin.index) : view.indexOf(history.at(-1)?.index ?? -1) + 1
}

/** Tokens left under the target where the whole history is gone; without a target there is no such bound. */
function roomWithout({ size, ceilingCounted, targetCounted }: StageContext, history: number): number {
  if (ceilingCounted === Number.MAX_SAFE_INTEGER) return Number.POSITIVE_INFINITY
  return targetCounted - (size.counted - history)
}

/** Sizes of entries are kept by what was sent, which of a copy is in its original's place. */
function tokensOf({ size }: StageContext, entries: readonly Entry[]): number {
  return entries.reduce((sum, { index, copy }) => sum + (size.entries.get(copy?.original ?? index) ?? 0), 0)
}

function shownWords(context: StageContext, entry: Entry): string {
  if (entry.kind === 'call') return callArguments(context, entry)
  if (entry.kind === 'result' || entry.kind === 'copy') return shownText(context, entry) ?? ''
  return draftOf(context, entry)?.text ?? ''
}
