import type { Entry } from './record.ts'

/**
 * What counts as delivered where nobody recorded it: all that was there before the newest answer, which is the
 * evidence (R86). A note is no answer, and neither are the calls and results that came after one.
 */
export function deliveredByPosition(record: readonly Entry[]): ReadonlySet<number> {
  const newest = record.findLastIndex((entry) => entry.kind === 'answer')
  return new Set(record.slice(0, Math.max(0, newest)).map((entry) => entry.index))
}
