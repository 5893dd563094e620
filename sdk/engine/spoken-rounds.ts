import type { Entry } from './record.ts'

/**
 * What was said and done from one step to the next, notes left out: a round begins with what the user said, or with an
 * answer that nobody asked for, and holds the calls of its answer and their results.
 */
export function spokenRounds(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const rounds: Entry[][] = []
  let answered = true
  for (const entry of entries) {
    if (entry.note) continue
    const begins = entry.kind === 'instruction' || entry.kind === 'answer'
    if (rounds.length === 0 || (begins && answered)) rounds.push([])
    if (begins) answered = entry.kind === 'answer'
    rounds.at(-1)?.push(entry)
  }
  return rounds
}
