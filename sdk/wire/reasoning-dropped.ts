import type { Warning } from '../engine/format.ts'

/** The warning of a format that left reasoning out of some answers; none where it left none out. */
export function reasoningDropped(indexes: readonly number[], whatAndWhy: string): readonly Warning[] {
  if (indexes.length === 0) return []
  const message = `${whatAndWhy}; nothing needs to be done, and the record still holds it`
  return [{ code: 'reasoning_dropped', message, indexes }]
}
