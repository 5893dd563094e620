import type { Line } from './record.ts'

/**
 * Entries that no stage takes: the head, which is the first entry of the view and the first instruction, and
 * the task, which is the newest instruction that opens a turn (R98; rules.md 5, "head and task").
 */
export function keptEntries(line: Line, view: readonly number[]): ReadonlySet<number> {
  const kept = new Set<number>()
  const entries = view.flatMap((index) => {
    const entry = line.record[index]
    return entry === undefined || entry.kind === 'system' ? [] : [entry]
  })
  const head = entries[0]
  const first = entries.find((entry) => entry.kind === 'instruction')
  const task = entries.findLast((entry) => entry.kind === 'instruction' && entry.startsTurn !== false)
  for (const entry of [head, first, task]) if (entry) kept.add(entry.index)
  return kept
}
