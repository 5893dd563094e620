import type { CompiledItem, EntryDraft, NativeMessage, ReadRequest, WireFormat } from '../engine/format.ts'
import type { JsonObject } from '../engine/json.ts'

export interface ListedEntry {
  readonly index: number
  readonly draft: EntryDraft
  /** Index of the answer that the entry belongs to; -1 for what is in no round. */
  readonly round: number
}

/** A request's own list as the engine knows it: every draft an entry, with the message it came in. */
export interface ListedRequest {
  readonly read: ReadRequest
  readonly entries: readonly ListedEntry[]
  readonly items: readonly (CompiledItem & { readonly type: 'message' })[]
}

export function listRequest(format: WireFormat, request: JsonObject): ListedRequest {
  const outcome = format.read(request)
  if (outcome.type === 'fault') throw new Error(`${outcome.fault.path} must be ${outcome.fault.expected}`)
  const entries: ListedEntry[] = []
  const items = outcome.request.messages.map((native) => {
    const first = entries.length
    for (const draft of format.readMessage(native).drafts)
      entries.push({ index: entries.length, draft, round: roundOf(entries, draft, first) })
    const indexes = entries.slice(first).map((entry) => entry.index)
    return wholeItem(native, indexes)
  })
  return { read: outcome.request, entries, items }
}

function wholeItem(
  native: NativeMessage,
  indexes: readonly number[],
): CompiledItem & { readonly type: 'message' } {
  const kept = indexes.map((_, ordinal) => ordinal)
  return { type: 'message', native, snapshot: native, kept, indexes, whole: true, projection: null }
}

function roundOf(entries: readonly ListedEntry[], draft: EntryDraft, first: number): number {
  if (draft.kind === 'answer' || draft.kind === 'call') return first
  if (draft.kind !== 'result') return -1
  const call = entries.findLast(
    ({ draft: { kind, callId } }) =>
      kind === 'call' && (draft.callId === undefined || callId === draft.callId),
  )
  return call?.round ?? -1
}

/** The rounds of a list, by the index of their answer. */
export function roundsOf(list: ListedRequest): readonly number[] {
  return [...new Set(list.entries.flatMap(({ round }) => (round < 0 ? [] : [round])))]
}

/** The list without some entries; where there was something to leave out, a note stands for it. */
export function withoutEntries(
  list: ListedRequest,
  gone: ReadonlySet<number>,
  note?: string,
): { readonly items: readonly CompiledItem[]; readonly changedFrom: number | null } {
  const items: CompiledItem[] = []
  let changedFrom: number | null = null
  for (const item of list.items) {
    const kept = item.kept.filter((ordinal) => !gone.has(item.indexes[ordinal] ?? -1))
    if (kept.length < item.kept.length && changedFrom === null) {
      changedFrom = items.length
      if (note !== undefined) items.push({ type: 'note', text: note, index: list.entries.length })
    }
    if (kept.length > 0)
      items.push({ ...item, kept, whole: kept.length === item.kept.length, projection: null })
  }
  return { items, changedFrom }
}
