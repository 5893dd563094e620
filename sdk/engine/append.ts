import type { EntryDraft } from './format.ts'
import type { KnownMessage } from './intake.ts'
import { type Entry, type Line, listEntries } from './record.ts'

/** Adds the messages of a list that the record does not hold yet; they join the view (R69). */
export function appendMessages(line: Line, messages: readonly KnownMessage[]): Line {
  if (messages.length === 0) return line
  const record = [...line.record]
  const fresh: Entry[] = []
  for (const message of messages) {
    const first = record.length
    for (const [draft, read] of message.reading.drafts.entries()) {
      const call = read.kind === 'result' ? answeredCall(record, read) : undefined
      const callId = read.pairsByName ? (call?.callId ?? read.callId) : read.callId
      const entry: Entry = {
        index: record.length,
        kind: read.kind,
        key: message.keys[draft] ?? '',
        round: read.kind === 'answer' || read.kind === 'call' ? first : (call?.round ?? -1),
        source: { hash: message.hash, first, draft, of: message.reading.drafts.length },
        chars: message.chars[draft] ?? 0,
        ...(callId === undefined ? {} : { callId }),
        ...(read.name === undefined ? {} : { name: read.name }),
        ...(read.startsTurn === undefined ? {} : { startsTurn: read.startsTurn }),
      }
      record.push(entry)
      fresh.push(entry)
    }
  }
  return {
    ...line,
    record,
    view: [...line.view, ...fresh.map((entry) => entry.index)],
    delivered: deliveredByEvidence(line, fresh),
    window: { from: line.window.from, to: listEntries(record).length },
    recovered: fresh.some((entry) => entry.kind === 'answer')
      ? new Set([...line.recovered].filter((index) => !line.carried.includes(index)))
      : line.recovered,
  }
}

/** The system of a request, as the record names it. */
export interface SystemSlot {
  readonly key: string
  readonly hash: string
  /** Code points of its readable text. */
  readonly chars: number
}

/**
 * The system and developer messages of the request, as one entry at the head of the view. A changed system
 * becomes a new entry there, and the old one stays in the record (R70).
 */
export function placeSystem(line: Line, system: SystemSlot | null): Line {
  const current = line.record.findLast((entry) => entry.slot)
  const inView = current !== undefined && line.view.includes(current.index)
  if (system === null)
    return inView ? { ...line, view: line.view.filter((index) => index !== current.index) } : line
  if (current?.key === system.key && inView) return line
  const index = line.record.length
  const entry: Entry = {
    index,
    kind: 'system',
    key: system.key,
    round: -1,
    slot: true,
    source: { hash: system.hash, first: index, draft: 0, of: 1 },
    chars: system.chars,
  }
  return {
    ...line,
    record: [...line.record, entry],
    view: [index, ...line.view.filter((other) => line.record[other]?.slot !== true)],
  }
}

/**
 * The call that a result answers; its round, which is named by the index of its answer, is the result's too. It
 * is the newest call of that id: providers let an id come back in a later turn. Without an id, the newest call.
 */
function answeredCall(record: readonly Entry[], result: EntryDraft): Entry | undefined {
  const { callId } = result
  if (result.pairsByName) return answeredByName(record, result)
  return record.findLast(
    (entry) => entry.kind === 'call' && (callId === undefined || entry.callId === callId),
  )
}

/** Results follow their calls at once, so both are in the newest round. */
function answeredByName(record: readonly Entry[], { callId, name }: EntryDraft): Entry | undefined {
  const newest = record.findLast((entry) => entry.kind === 'call')
  if (newest === undefined) return undefined
  const round = record.slice(newest.round).filter((entry) => entry.round === newest.round)
  const calls = round.filter((entry) => entry.kind === 'call')
  const answered = new Set(round.flatMap((entry) => (entry.kind === 'result' ? [entry.callId] : [])))
  return (
    calls.find((call) => call.callId === callId) ??
    calls.find((call) => call.name === name && !answered.has(call.callId))
  )
}

/**
 * The answer is the evidence: what the last request carried, and what this list itself places before its
 * newest answer, was read (R81, R86; rules.md 6 "Delivery without settle").
 */
function deliveredByEvidence(line: Line, fresh: readonly Entry[]): ReadonlySet<number> {
  const newestAnswer = fresh.findLast((entry) => entry.kind === 'answer')
  if (newestAnswer === undefined) return line.delivered
  const read = line.carried.filter((index) => !line.delivered.has(index))
  for (const { index } of fresh) if (index < newestAnswer.index) read.push(index)
  return read.length === 0 ? line.delivered : new Set([...line.delivered, ...read])
}
