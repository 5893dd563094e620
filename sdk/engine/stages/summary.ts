import type { Entry } from '../record.ts'
import { chronologyKey } from '../view.ts'
import { replaceByNote } from './all.ts'
import { repairTailStart } from './repair-tail.ts'
import { spanBefore } from './span.ts'
import { isKept, type StageContext, type SummaryStage } from './stage.ts'

/**
 * Puts one note with a summary in the place of all that is older than the newest work, once for a round that could
 * not be sent for its size (R347). Head and task, what somebody keeps and what the model has not read stay where they
 * are, calls beside their results (R349, R350).
 */
export const summary: SummaryStage = {
  name: 'summary',
  keptTail: null,
  takes: (context) => new Set(spanOf(context).map(({ index }) => index)),
  *propose(context) {
    const span = spanOf(context)
    const last = span.at(-1)
    if (last === undefined) return null
    const { view, record } = context.line
    const after = view.slice(view.indexOf(last.index) + 1)
    const proposal = yield* replaceByNote(context, span, { retained: shownToWriter(context, after) })
    const compactedBefore = chronologyKey(record[after[0] ?? -1])
    return { ...proposal, ...(compactedBefore === undefined ? {} : { compactedBefore }) }
  },
}

/** Never notes alone: where there is no history, nothing is before the tail. */
function spanOf(context: StageContext): readonly Entry[] {
  return spanBefore(context, repairTailStart(context))
}

/** What follows the span, but for what the user asks now, however long that is: the assistant has it before it. */
function shownToWriter(context: StageContext, after: readonly number[]): readonly Entry[] {
  return after.flatMap((index) => {
    const entry = context.line.record[index]
    if (entry === undefined || entry.note || entry.kind === 'system') return []
    return entry.kind === 'instruction' && isKept(context, index) ? [] : [entry]
  })
}
