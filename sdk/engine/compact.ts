import type { DecideInput } from './decide-input.ts'
import { leavingWith } from './evict.ts'
import { foldFacts, requestFacts } from './fold-facts.ts'
import type { Plan, SummaryOutcome } from './plan.ts'
import type { Entry, Line } from './record.ts'
import { countedAtMost, scaleFactor } from './scale.ts'
import { replaceByNote } from './stages/all.ts'
import { chronologyKey } from './view.ts'

export type Compacted =
  | {
      readonly type: 'compacted'
      readonly line: Line
      /** Record indexes of the originals that left the view, ascending. */
      readonly indexes: readonly number[]
      readonly noteIndex: number
    }
  | { readonly type: 'nothing'; readonly reason: string }

export interface CompactOptions {
  /** Half-open range of record indexes; the end is that of the record where it is absent. */
  readonly start: number
  readonly end: number | undefined
  /** What stays in the view, and its whole round with it. */
  readonly keep: ReadonlySet<number>
  /** Name of the note. */
  readonly foldId: string
  /** What the note says; absent: it is asked for. */
  readonly summary: SummaryOutcome | undefined
}

/** Newest entries that stay where no end is named, with their rounds. */
const KEPT_TAIL = 2

/**
 * Replaces a range by one note in the place of its first entry, in whole units, notes of the range included (R72,
 * R88). The note must be smaller than what it stands for, as after any pass (R106).
 */
export function* compactEntries(input: DecideInput, options: CompactOptions): Plan<Compacted> {
  const { line } = input
  const { foldId, summary, keep } = options
  const span = spanOf(line, options)
  const onlyNotes = span.every((entry) => entry.note)
  if (onlyNotes && (span.length < 2 || summary === undefined))
    return { type: 'nothing', reason: 'there is nothing in that range that a note could replace' }
  const facts = requestFacts(input)
  const { context, measure } = foldFacts(input, facts, null)
  const { ceiling } = input.ceiling
  const size = yield* measure(line)
  const stage = {
    ...context(line),
    keep,
    from: 0,
    line,
    size,
    foldId,
    targetCounted: 0,
    ceilingCounted:
      ceiling === null ? Number.MAX_SAFE_INTEGER : countedAtMost(ceiling, 1, scaleFactor(input.scale)),
    measure,
  }
  const { view, added, taken } = yield* replaceByNote(stage, span, { given: summary })
  const compacted: Line = { ...line, record: [...line.record, ...added], view }
  const after = yield* measure(compacted)
  if (after.counted >= size.counted)
    return { type: 'nothing', reason: 'the note would be no shorter than what it stands for' }
  return { type: 'compacted', line: compacted, indexes: taken, noteIndex: line.record.length }
}

function spanOf(line: Line, { start, end, keep }: CompactOptions): readonly Entry[] {
  const last = end ?? line.record.length
  const asked = line.view.filter((index) => {
    const key = chronologyKey(line.record[index]) ?? -1
    return key >= start && key < last
  })
  const newest = end === undefined ? newestEntries(line) : []
  const leaving = leavingWith(line, asked, new Set([...keep, ...newest]))
  return line.view.flatMap((index) => (leaving.has(index) ? (line.record[index] ?? []) : []))
}

function newestEntries(line: Line): readonly number[] {
  return line.view.filter((index) => line.record[index]?.note === undefined).slice(-KEPT_TAIL)
}
