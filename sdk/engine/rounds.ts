import type { Entry, Line } from './record.ts'

/** An answer with its calls and their results: what a stage takes whole or leaves (rules.md 2, "Whole units"). */
export interface Round {
  /** Record index of the answer; names the round. */
  readonly id: number
  /** What of the round is in the view, in send order. */
  readonly entries: readonly Entry[]
  /** Its calls and results in the view. */
  readonly exchange: readonly Entry[]
}

/** The rounds that have calls or results in a view, in send order. */
export function roundsInView(line: Line, view: readonly number[]): readonly Round[] {
  const byRound = new Map<number, Entry[]>()
  for (const index of view) {
    const entry = line.record[index]
    if (entry === undefined || entry.round < 0) continue
    const entries = byRound.get(entry.round)
    if (entries) entries.push(entry)
    else byRound.set(entry.round, [entry])
  }
  return [...byRound]
    .map(([id, entries]) => ({ id, entries, exchange: entries.filter((entry) => entry.kind !== 'answer') }))
    .filter((round) => round.exchange.length > 0)
}

/** Rounds that have an entry among the newest `tail`, notes and system not counted; a tail widens to whole rounds. */
export function roundsOfTail(line: Line, view: readonly number[], tail: number): ReadonlySet<number> {
  const counted = view.flatMap((index) => {
    const entry = line.record[index]
    return entry === undefined || entry.kind === 'note' || entry.kind === 'system' ? [] : [entry]
  })
  return new Set(counted.slice(-tail).map((entry) => entry.round))
}
