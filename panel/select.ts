import type { MessagePreview } from '../sdk/branch.ts'
import type { FoldRecord, StageName } from '../sdk/engine/journal.ts'
import { type EntryCache, entryAt } from './entries.ts'
import type { PanelRecord, PanelRequest } from './reduce.ts'

/** How a request ended, worst first: what a person looks for. */
export type Outcome = 'refused' | 'failed' | 'aborted' | 'folded' | 'sent'

export interface RequestRow {
  readonly key: string
  /** 1 for the first request of the conversation, dropped ones included. */
  readonly number: number
  readonly request: PanelRequest
  readonly outcome: Outcome
  /** Entries that a fold took out of this request. */
  readonly foldedEntries: number
  /** Tokens left under the ceiling; null without one. */
  readonly headroom: number | null
  /** Stages that landed, in order. */
  readonly stages: readonly StageName[]
}

export interface FoldRow {
  readonly number: number
  readonly fold: FoldRecord
  /** Number and key of the request that folded, while it is remembered. */
  readonly request: { readonly key: string; readonly number: number } | null
}

/** An entry of the conversation; its preview is absent until its page has come. */
export interface EntryRow {
  readonly index: number
  readonly entry: MessagePreview | undefined
}

export type EntryFilter = 'all' | 'out' | 'note'

export type RequestFilter = 'all' | 'folded' | 'refused'

export function requestRows(record: PanelRecord): readonly RequestRow[] {
  return record.requests.map((request, position) => {
    const { decision } = request
    return {
      key: request.key,
      number: record.requestsDropped + position + 1,
      request,
      outcome: outcomeOf(request),
      foldedEntries: decision.folded.length,
      headroom: decision.ceiling === null ? null : decision.ceiling - Math.ceil(decision.after),
      stages: decision.trace.flatMap((step) =>
        step.type === 'stage' && step.outcome === 'landed' ? [step.stage] : [],
      ),
    }
  })
}

function outcomeOf({ decision, settlement }: PanelRequest): Outcome {
  if (decision.action === 'refuse') return 'refused'
  if (settlement?.outcome === 'failed') return 'failed'
  if (settlement?.outcome === 'aborted') return 'aborted'
  return decision.folded.length > 0 ? 'folded' : 'sent'
}

/** Rows that pass the filter and hold the search text in number, model, outcome or stage. */
export function filterRequests(
  rows: readonly RequestRow[],
  filter: RequestFilter,
  search: string,
): readonly RequestRow[] {
  const wanted = search.trim().toLowerCase()
  if (filter === 'all' && wanted === '') return rows
  return rows.filter((row) => {
    if (filter === 'folded' && row.foldedEntries === 0) return false
    if (filter === 'refused' && row.outcome !== 'refused') return false
    return wanted === '' || requestText(row).includes(wanted)
  })
}

function requestText({ number, request, outcome, stages }: RequestRow): string {
  return `#${number} ${request.decision.model ?? ''} ${outcome} ${stages.join(' ')}`.toLowerCase()
}

export function foldRows(record: PanelRecord): readonly FoldRow[] {
  const numbers = new Map<string, { key: string; number: number }>()
  record.requests.forEach((request, position) => {
    const { requestId } = request.decision
    if (!numbers.has(requestId))
      numbers.set(requestId, { key: request.key, number: record.requestsDropped + position + 1 })
  })
  return record.folds.map((fold, position) => ({
    number: record.foldsDropped + position + 1,
    fold,
    request: numbers.get(fold.requestId) ?? null,
  }))
}

/** Key of the next row, in the direction given, whose request folded; null where there is none. */
export function neighbourFold(
  rows: readonly RequestRow[],
  key: string | null,
  direction: 1 | -1,
): string | null {
  const at = rows.findIndex((row) => row.key === key)
  const from = at === -1 ? (direction === 1 ? -1 : rows.length) : at
  for (let position = from + direction; position >= 0 && position < rows.length; position += direction) {
    const row = rows[position]
    if (row && row.foldedEntries > 0) return row.key
  }
  return null
}

/**
 * Record indexes in send order. An entry stands at its own index, a note where the first entry that it
 * replaced stood; a note that replaced another note stands before it.
 */
export function sendOrder(
  total: number,
  folds: readonly FoldRecord[],
  isNote: (index: number) => boolean,
): readonly number[] {
  const places = new Map<number, number>()
  for (const { noteIndex, replaced } of folds) {
    const first = replaced[0]?.start
    if (noteIndex === undefined || first === undefined || first >= noteIndex) continue
    if (noteIndex < total && isNote(noteIndex)) places.set(noteIndex, first)
  }
  const notesAt = new Map<number, number[]>()
  for (const [noteIndex, first] of [...places].sort(([left], [right]) => right - left))
    notesAt.set(first, [...(notesAt.get(first) ?? []), noteIndex])
  const order: number[] = []
  for (let index = 0; index < total; index++) {
    order.push(...(notesAt.get(index) ?? []))
    if (!places.has(index)) order.push(index)
  }
  return order
}

export function entryRows(cache: EntryCache, order: readonly number[]): readonly EntryRow[] {
  return order.map((index) => ({ index, entry: entryAt(cache, index) }))
}

/** Rows that pass the filter and hold the search text in index, kind, name or preview. Unread rows never match. */
export function filterEntries(
  rows: readonly EntryRow[],
  filter: EntryFilter,
  search: string,
): readonly EntryRow[] {
  const wanted = search.trim().toLowerCase()
  if (filter === 'all' && wanted === '') return rows
  return rows.filter(({ entry }) => {
    if (!entry || (filter !== 'all' && entry.state !== filter)) return false
    const text = `#${entry.index} ${entry.kind} ${entry.name ?? ''} ${entry.preview}`
    return text.toLowerCase().includes(wanted)
  })
}
