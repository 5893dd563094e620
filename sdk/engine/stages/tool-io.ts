import { noteArguments, noteText } from '../note-text.ts'
import type { Plan } from '../plan.ts'
import type { Entry, FoldedCall, NoteProvenance } from '../record.ts'
import { type Round, roundsInView, roundsOfTail } from '../rounds.ts'
import { codePoints } from '../text.ts'
import type { Proposal, Stage, StageContext } from './stage.ts'

/**
 * Replaces the calls and results of old rounds by one note that lists them (R114, R115). What the assistant
 * said stays. A round in the tail, with an undelivered member or with a kept one, stays whole (R87, R89).
 */
export function toolIo(keptTail: number): Stage {
  return {
    name: 'tool_io',
    keptTail,
    *propose(context): Plan<Proposal | null> {
      const rounds = foldableRounds(context, keptTail)
      const members = rounds.flatMap((round) => round.exchange).map((entry) => entry.index)
      const first = members[0]
      if (first === undefined) return null
      const note = noteEntry(context, rounds, members)
      const taken = new Set(members)
      return {
        view: context.line.view.flatMap((index) =>
          index === first ? [note.index] : taken.has(index) ? [] : [index],
        ),
        added: [note],
        taken: [...members].sort((a, b) => a - b),
      }
    },
  }
}

function foldableRounds(context: StageContext, keptTail: number): readonly Round[] {
  const { line, keep, margin } = context
  const tail = roundsOfTail(line, line.view, keptTail)
  const old = roundsInView(line, line.view).filter((round) => !tail.has(round.id))
  return old
    .slice(0, Math.max(0, old.length - margin))
    .filter((round) => round.entries.every((entry) => !keep.has(entry.index)))
    .filter((round) => round.exchange.every((entry) => line.delivered.has(entry.index)))
}

function noteEntry(context: StageContext, rounds: readonly Round[], members: readonly number[]): Entry {
  const provenance: NoteProvenance = {
    foldId: context.foldId,
    firstIndex: Math.min(...members),
    members: [...members].sort((a, b) => a - b),
    calls: rounds.flatMap((round) => foldedCalls(context, round)),
  }
  const text = noteText(provenance, { contextTool: null, inView: new Set() })
  return {
    index: context.line.record.length,
    kind: 'note',
    key: '',
    round: -1,
    note: provenance,
    chars: codePoints(text),
  }
}

/** Each call once, under the index of its result, which is what a reader asks for (R123). */
function foldedCalls(context: StageContext, round: Round): readonly FoldedCall[] {
  return round.exchange
    .filter((entry) => entry.kind === 'call')
    .map((call) => {
      const result = round.exchange.find((entry) => entry.kind === 'result' && entry.callId === call.callId)
      return {
        index: result?.index ?? call.index,
        function: call.name ?? '',
        arguments: noteArguments(argumentsOf(context, call)),
        outputChars: result?.chars ?? null,
      }
    })
}

function argumentsOf(context: StageContext, call: Entry): string {
  if (call.source === undefined) return ''
  const reading = context.sources.get(call.source.first)?.known.reading
  return reading?.drafts[call.source.draft]?.arguments ?? ''
}
