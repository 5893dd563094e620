import type { Entry, Line } from './record.ts'

/**
 * Entries that no stage takes: the head, which is the first entry of the view and the first instruction, and
 * the task, which is the newest instruction that opens a turn (R98; rules.md 5, "head and task"). Where the
 * provider wants the current turn to begin as it did, its first round too.
 */
export function keptEntries(
  line: Line,
  view: readonly number[],
  options: { readonly keepsTurnHead: boolean } = { keepsTurnHead: false },
): ReadonlySet<number> {
  const entries = view.flatMap((index) => {
    const entry = line.record[index]
    return entry === undefined || entry.kind === 'system' ? [] : [entry]
  })
  const head = entries[0]
  const first = entries.find((entry) => entry.kind === 'instruction')
  const task = entries.findLast((entry) => entry.kind === 'instruction' && entry.startsTurn !== false)
  const turnHead = options.keepsTurnHead && task ? firstRoundAfter(entries, task) : []
  return new Set([head, first, task, ...turnHead].flatMap((entry) => (entry ? [entry.index] : [])))
}

function firstRoundAfter(entries: readonly Entry[], task: Entry): readonly Entry[] {
  const answer = entries.slice(entries.indexOf(task)).find((entry) => entry.kind === 'answer')
  return answer ? entries.filter((entry) => entry.round === answer.round) : []
}
