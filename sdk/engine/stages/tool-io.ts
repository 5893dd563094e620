import { foldedCalls } from '../folded-calls.ts'
import type { Plan } from '../plan.ts'
import { type Round, roundsFrom, tailOf } from '../rounds.ts'
import { noteEntry } from './note-entry.ts'
import { isKept, originalsOf, type Proposal, type Stage, type StageContext } from './stage.ts'

/**
 * Replaces the calls and results of old rounds by one note that lists them (R114, R115). What the assistant
 * said stays. A round in the tail, with an undelivered member or with a kept one, stays whole (R87, R89).
 */
export function toolIo(keptTail: number): Stage {
  return {
    name: 'tool_io',
    keptTail,
    *propose(context): Plan<Proposal | null> {
      const leaving = foldableRounds(context, keptTail).flatMap((round) => round.exchange)
      const first = leaving[0]
      if (first === undefined) return null
      const indexes = leaving.map((entry) => entry.index)
      const taken = originalsOf(context.line, leaving)
      const note = noteEntry(context, {
        members: taken,
        calls: foldedCalls(context, indexes),
      })
      const gone = new Set(indexes)
      return {
        view: context.line.view.flatMap((index) =>
          index === first.index ? [note.index] : gone.has(index) ? [] : [index],
        ),
        added: [note],
        taken,
      }
    },
  }
}

function foldableRounds(context: StageContext, keptTail: number): readonly Round[] {
  const { line, from, margin } = context
  const tail = tailOf(line, { entries: keptTail, margin })
  return roundsFrom(line, from)
    .filter((round) => !tail.rounds.has(round.id))
    .filter((round) => round.entries.every((entry) => !isKept(context, entry.index)))
    .filter((round) => round.exchange.every((entry) => line.delivered.has(entry.index)))
}
