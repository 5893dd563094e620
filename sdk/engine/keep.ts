import { protectedMembers } from './first-round.ts'
import type { Entry, Line } from './record.ts'

/**
 * Entries that no stage takes or shortens: the head, which is the first entry of the view and the first
 * instruction, and the task, which is the newest instruction that opens a turn (R98; rules.md 5, "head and
 * task"); what somebody pinned; the first round while the provider's cache is placed (R275); and, where the
 * provider wants the current turn to begin as it did, its first round. Copies count as what they stand for; a note
 * is never the head, or a reset could not take it over (R277).
 */
export function keptEntries(
  line: Line,
  options: { readonly keepsTurnHead: boolean; readonly placesMarks: boolean },
): ReadonlySet<number> {
  const entries = line.view.flatMap((index) => {
    const entry = line.record[index]
    return entry === undefined || entry.kind === 'system' ? [] : [entry]
  })
  const head = entries.find((entry) => entry.kind !== 'note')
  const first = entries.find((entry) => entry.kind === 'instruction')
  const task = entries.findLast(opensTurn)
  const turnHead = options.keepsTurnHead && task ? firstRoundAfter(entries, task) : []
  return new Set([
    ...[head, first, task, ...turnHead].flatMap((entry) => (entry ? [entry.index] : [])),
    ...line.pinned,
    ...(options.placesMarks ? protectedMembers(line) : []),
  ])
}

/** The instruction that the current turn is about; -1 where there is none. */
export function taskOf(line: Line): number {
  return line.view.findLast((index) => opensTurn(line.record[index])) ?? -1
}

function opensTurn(entry: Entry | undefined): boolean {
  return entry?.kind === 'instruction' && entry.startsTurn !== false
}

function firstRoundAfter(entries: readonly Entry[], task: Entry): readonly Entry[] {
  const answer = entries.slice(entries.indexOf(task)).find((entry) => entry.kind === 'answer')
  return answer ? entries.filter((entry) => entry.round === answer.round) : []
}
