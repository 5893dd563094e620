import type { Warning } from '../sdk/engine/format.ts'
import type { ContextDecision, FoldRecord, SettlementRecord } from '../sdk/engine/journal.ts'
import type { DogearEvent } from '../sdk/events.ts'
import { keptFolds, keptProblems, keptRequests } from './limits.ts'
import type { PanelSnapshot } from './source.ts'

export interface PanelRequest {
  /** Request id and attempt: one row per send. */
  readonly key: string
  readonly decision: ContextDecision
  readonly settlement?: SettlementRecord
}

/** Something that went wrong or was worked around, outside any one request. */
export interface Problem {
  readonly at: number
  readonly code: string
  readonly message: string
}

/** What the panel knows, oldest first and bounded. */
export interface PanelRecord {
  readonly requests: readonly PanelRequest[]
  readonly requestsDropped: number
  readonly folds: readonly FoldRecord[]
  readonly foldsDropped: number
  readonly problems: readonly Problem[]
}

export const emptyRecord: PanelRecord = {
  requests: [],
  requestsDropped: 0,
  folds: [],
  foldsDropped: 0,
  problems: [],
}

export function requestKey(send: { readonly requestId: string; readonly attempt: number }): string {
  return `${send.requestId}:${send.attempt}`
}

/** The record as a snapshot tells it. */
export function readSnapshot(snapshot: PanelSnapshot): PanelRecord {
  const { decisions, folds, settlements } = snapshot.journal
  const outcomes = new Map(settlements.map((settlement) => [requestKey(settlement), settlement]))
  const requests: PanelRequest[] = []
  for (const decision of decisions) {
    const key = requestKey(decision)
    const settlement = outcomes.get(key)
    upsertRequest(requests, settlement ? { key, decision, settlement } : { key, decision })
  }
  const foldList: FoldRecord[] = []
  for (const fold of folds) upsertFold(foldList, fold)
  return bound({ ...emptyRecord, requests, folds: foldList })
}

/** The record after a batch of events. Pure; an event that was applied before changes nothing. */
export function reduceEvents(record: PanelRecord, events: readonly DogearEvent[]): PanelRecord {
  const requests = [...record.requests]
  const folds = [...record.folds]
  const problems = [...record.problems]
  for (const event of events) {
    switch (event.type) {
      case 'request-decided':
        upsertRequest(requests, { key: requestKey(event.decision), decision: event.decision })
        break
      case 'request-settled':
        settle(requests, event.settlement)
        break
      case 'stage-applied':
        upsertFold(folds, event.fold)
        break
      case 'store-failed':
        problems.push({ at: event.at, code: event.code, message: event.message })
        break
      case 'tokenizer-fallback':
        problems.push({
          at: event.at,
          code: 'tokenizer_fallback',
          message: `counting moved from ${event.from} to ${event.to}: ${event.reason}`,
        })
        break
      case 'warning':
        problems.push(asProblem(event.at, event.warning))
        break
    }
  }
  return bound({ ...record, requests, folds, problems })
}

function settle(requests: PanelRequest[], settlement: SettlementRecord): void {
  const key = requestKey(settlement)
  const position = requests.findLastIndex((request) => request.key === key)
  const request = requests[position]
  if (request) requests[position] = { ...request, settlement }
}

function asProblem(at: number, warning: Warning): Problem {
  return { at, code: warning.code, message: warning.message }
}

/** A decision that is told again keeps the settlement that came after it. */
function upsertRequest(requests: PanelRequest[], request: PanelRequest): void {
  upsert(requests, request, {
    key: (item) => item.key,
    order: (item) => item.decision.sequence,
    merge: (known, told) => ({ ...known, ...told }),
  })
}

function upsertFold(folds: FoldRecord[], fold: FoldRecord): void {
  upsert(folds, fold, { key: (item) => item.id, order: (item) => item.at, merge: (_known, told) => told })
}

/** Replaces the item with the same key, else inserts it in order. Looks from the end, where it mostly belongs. */
function upsert<Item>(
  list: Item[],
  item: Item,
  by: {
    readonly key: (item: Item) => string
    readonly order: (item: Item) => number
    readonly merge: (known: Item, told: Item) => Item
  },
): void {
  let position = list.length
  for (let at = list.length - 1; at >= 0; at--) {
    const other = list[at]
    if (other === undefined || by.order(other) < by.order(item)) break
    if (by.key(other) === by.key(item)) {
      list[at] = by.merge(other, item)
      return
    }
    if (by.order(other) > by.order(item)) position = at
  }
  list.splice(position, 0, item)
}

function bound(record: PanelRecord): PanelRecord {
  const requestsOver = Math.max(0, record.requests.length - keptRequests)
  const foldsOver = Math.max(0, record.folds.length - keptFolds)
  return {
    requests: requestsOver ? record.requests.slice(requestsOver) : record.requests,
    requestsDropped: record.requestsDropped + requestsOver,
    folds: foldsOver ? record.folds.slice(foldsOver) : record.folds,
    foldsDropped: record.foldsDropped + foldsOver,
    problems: record.problems.slice(-keptProblems),
  }
}
