import { type Entry, type Line, originalOf, standsFor } from './record.ts'
import { roundsInView } from './rounds.ts'

export type Evicted =
  | {
      readonly type: 'evicted'
      readonly line: Line
      /** Record indexes of what left, ascending: of the original, where a copy stood for it. */
      readonly indexes: readonly number[]
    }
  | { readonly type: 'nothing'; readonly reason: string }

/**
 * Takes entries out of the view and writes no note; the record keeps them. They leave in whole units: the calls
 * and results of one answer together, an answer with its calls, a copy with its original. The system and what is
 * in the keep set stay, and so does the whole round of a kept entry.
 */
export function evictEntries(
  line: Line,
  wanted: (index: number) => boolean,
  keep: ReadonlySet<number>,
): Evicted {
  const asked = line.view.filter((index) => wanted(index) || wanted(standsFor(line.record, index)))
  if (asked.length === 0) return { type: 'nothing', reason: 'nothing of that is in the request' }
  const leaving = leavingWith(line, asked, keep)
  if (leaving.size === 0)
    return {
      type: 'nothing',
      reason:
        'all of that stays: the system text, the first message, the current task, what is pinned, and what the conversation has just come to are never taken out',
    }
  return {
    type: 'evicted',
    line: { ...line, view: line.view.filter((index) => !leaving.has(index)) },
    indexes: [...leaving].map((index) => standsFor(line.record, index)).sort((left, right) => left - right),
  }
}

/** Takes the calls and results of all but the newest `rounds` rounds out of the view; the words stay. */
export function evictActionResults(
  line: Line,
  options: { readonly rounds: number; readonly keep: ReadonlySet<number> },
): Evicted {
  const rounds = roundsInView(line)
  const old = rounds.slice(0, Math.max(0, rounds.length - options.rounds))
  if (old.length === 0)
    return {
      type: 'nothing',
      reason: `the request holds calls of ${rounds.length} rounds, and the newest ${options.rounds} stay`,
    }
  const indexes = new Set(old.flatMap(({ exchange }) => exchange.map((entry) => entry.index)))
  return evictEntries(line, (index) => indexes.has(index), options.keep)
}

/** What leaves the view with the entries that were asked for, by its index in the view. */
export function leavingWith(
  line: Line,
  asked: readonly number[],
  keep: ReadonlySet<number>,
): ReadonlySet<number> {
  const isKept = (index: number): boolean => keep.has(index) || keep.has(standsFor(line.record, index))
  const rounds = new Map(roundsInView(line).map((round) => [round.id, round]))
  const leaving = new Set<number>()
  for (const index of asked) {
    const entry = originalOf(line.record, index)
    if (entry === undefined || entry.kind === 'system' || isKept(index)) continue
    const round = rounds.get(entry.round)
    if (round === undefined) leaving.add(index)
    else if (!round.entries.some((member) => isKept(member.index)))
      for (const member of unitOf(round, entry)) leaving.add(member.index)
  }
  return leaving
}

function unitOf(
  round: { readonly entries: readonly Entry[]; readonly exchange: readonly Entry[] },
  entry: Entry,
): readonly Entry[] {
  return entry.kind === 'answer' ? round.entries : round.exchange
}
