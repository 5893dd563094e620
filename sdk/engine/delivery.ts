import type { Entry, Line } from './record.ts'

/**
 * What counts as delivered where nobody recorded it: all that was there before the newest answer, which is the
 * evidence (R86). A note is no answer, and neither are the calls and results that came after one.
 */
export function deliveredByPosition(record: readonly Entry[]): ReadonlySet<number> {
  const newest = record.findLastIndex((entry) => entry.kind === 'answer')
  return new Set(record.slice(0, Math.max(0, newest)).map((entry) => entry.index))
}

/**
 * What a completed request of a line has the line know as read (R81, R149). What was restored, or read in ranges,
 * while it was on its way is no longer among what the line still counts as carried, and waits for the next one.
 * Where a later list held an answer already, that answer was the evidence.
 */
export function afterCompletion(line: Line, sent: Line): Pick<Line, 'delivered' | 'recovered'> {
  const { delivered, recovered, carried, record } = line
  if (record.slice(sent.record.length).some(({ kind }) => kind === 'answer')) return { delivered, recovered }
  const inRequest = new Set(sent.view)
  const gone = new Set(carried.filter((index) => sent.recovered.has(index)))
  return {
    delivered: new Set([...delivered, ...carried.filter((index) => inRequest.has(index))]),
    recovered: new Set([...recovered].filter((index) => !gone.has(index))),
  }
}
