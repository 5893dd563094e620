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

/** The rounds that have calls or results in the view, in send order. */
export function roundsInView(line: Line): readonly Round[] {
  const byRound = new Map<number, Entry[]>()
  for (const index of line.view) {
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

/** Rounds of which nothing stands before a position in the view, where a stage may not reach; in send order. */
export function roundsFrom(line: Line, from: number): readonly Round[] {
  const before = new Set(line.view.slice(0, from))
  return roundsInView(line).filter((round) => !round.entries.some(({ index }) => before.has(index)))
}

/** What a stage keeps at the end of the view. */
export interface Tail {
  /** Position in the view at which it begins. */
  readonly start: number
  readonly rounds: ReadonlySet<number>
}

/**
 * The newest `entries` of the view, notes and system not counted, widened to whole rounds, and the `margin` rounds
 * before them, with calls or without (R101, R249).
 */
export function tailOf(
  { record, view }: Line,
  { entries, margin }: { readonly entries: number; readonly margin: number },
): Tail {
  const counted = view.flatMap((index, place) => {
    const entry = record[index]
    return entry === undefined || entry.kind === 'note' || entry.kind === 'system' ? [] : [{ entry, place }]
  })
  const newest = counted.slice(-entries)
  const tail = roundsAmong(newest)
  const older = [...roundsAmong(counted)].filter((round) => !tail.has(round))
  const rounds = new Set([...tail, ...older.slice(Math.max(0, older.length - margin))])
  const from = newest[0]?.place ?? view.length
  const first = counted.find(({ entry, place }) => place >= from || rounds.has(entry.round))
  return { start: first?.place ?? from, rounds }
}

function roundsAmong(places: readonly { readonly entry: Entry }[]): ReadonlySet<number> {
  return new Set(places.flatMap(({ entry }) => (entry.round < 0 ? [] : [entry.round])))
}
