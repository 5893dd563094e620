import { clearedText } from '../cleared-text.ts'
import type { SourceMessage } from '../compile.ts'
import { draftOf } from '../entry-text.ts'
import type { NativeMessage } from '../format.ts'
import { askCountsOf, type Plan } from '../plan.ts'
import { type Entry, type Line, originalOf } from '../record.ts'
import { codePoints } from '../text.ts'
import { chronologyKey } from '../view.ts'
import { copyEntry } from './copy-entry.ts'
import { repairTailStart } from './repair-tail.ts'
import { isKept, type Proposal, type Stage, type StageContext, wasRead } from './stage.ts'

/**
 * Clears what the model has read of results before the newest work: a placeholder stands for each, whole, its media
 * included, while calls and words stay as they are (R333, R335). Nothing leaves the view. What failed says why and
 * stays (R336), and so does what is no larger than its placeholder.
 */
export const prune: Stage = {
  name: 'prune',
  keptTail: null,
  *propose(context: StageContext): Plan<Proposal | null> {
    const { line } = context
    const mark = markOf(context)
    const results = yield* shrinking(context, clearableResults(context, mark))
    if (results.length === 0) return null
    const places = new Map(results.map(({ shown }, place) => [shown, line.record.length + place]))
    const prunedBefore = chronologyKey(line.record[line.view[mark] ?? -1])
    return {
      view: line.view.map((shown) => places.get(shown) ?? shown),
      added: results.map((result, place) => clearedCopy(context, result, line.record.length + place)),
      taken: [],
      cleared: results.map(({ original }) => ({ index: original.index, chars: original.chars })),
      ...(prunedBefore === undefined ? {} : { prunedBefore }),
    }
  },
}

interface ClearableResult {
  readonly original: Entry
  /** What of it stands in the view: itself or a shortened copy. */
  readonly shown: number
  readonly source: SourceMessage
  readonly draft: number
  /** Its message, with a placeholder for this result alone. */
  readonly cleared: NativeMessage
}

/** Position in the view of the first round whose results all stay: the tail's, or the current fan's if that is older. */
function markOf(context: StageContext): number {
  const { line } = context
  const fan = line.view.findLastIndex((index) => line.record[index]?.kind === 'answer')
  const start = repairTailStart(context)
  return fan >= 0 && isUnread(line, line.view[fan] ?? -1) ? Math.min(start, fan) : start
}

function isUnread(line: Line, answer: number): boolean {
  return line.view.some((index) => line.record[index]?.round === answer && !wasRead(line, index))
}

/** Results before a position that were read and may be cleared; what was restored or read back waits to be read again. */
function clearableResults(context: StageContext, end: number): readonly ClearableResult[] {
  const { line, sources, wire, rules } = context
  return line.view.slice(context.from, end).flatMap((shown): readonly ClearableResult[] => {
    const original = originalOf(line.record, shown)
    if (original?.kind !== 'result' || original.source === undefined || isKept(context, shown)) return []
    if (!wasRead(line, shown) || line.recovered.has(original.index)) return []
    if (line.record[shown]?.copy?.cleared || draftOf(context, original)?.failed) return []
    const { first, draft } = original.source
    const source = sources.get(first)
    const text = clearedText({ index: original.index, length: original.chars }, rules)
    const cleared = source ? wire.clearResult(source.known.snapshot, draft, text) : null
    return source && cleared !== null ? [{ original, shown, source, draft, cleared }] : []
  })
}

/** Those that take fewer tokens cleared than as they stand, each counted by itself as the request counts it. */
function* shrinking(
  { wire, size }: StageContext,
  results: readonly ClearableResult[],
): Plan<readonly ClearableResult[]> {
  const texts = results.map(({ cleared, draft }) =>
    wire
      .readMessage(cleared)
      .segments.flatMap(({ owner, text }) => (owner === draft ? [text] : []))
      .join(''),
  )
  const tokens = yield* askCountsOf(texts)
  return results.filter(
    ({ original }, place) => (tokens[place] ?? 0) < (size.entries.get(original.index) ?? 0),
  )
}

function clearedCopy(
  { foldId, wire }: StageContext,
  { original, source, draft, cleared }: ClearableResult,
  index: number,
): Entry {
  const bodies = wire.resultBodies(source.known.snapshot).get(draft) ?? []
  return copyEntry(original, {
    index,
    copy: { foldId, original: original.index, kept: bodies.map(() => 0), cleared: true },
    chars: codePoints(wire.readMessage(cleared).drafts[draft]?.text ?? ''),
  })
}
