import { describe, expect, it } from 'vitest'
import { keptFolds, keptProblems, keptRequests } from './limits.ts'
import { emptyRecord, readSnapshot, reduceEvents } from './reduce.ts'
import {
  applied,
  decided,
  decision,
  fold,
  foldedDecision,
  settled,
  settlement,
  snapshot,
  warned,
} from './testing/journal-builder.ts'

const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, step) => from + step)

describe('readSnapshot', () => {
  it('puts decisions in order and each settlement with its own attempt', () => {
    const retry = decision(1, { attempt: 2, sequence: 15 })
    const record = readSnapshot(
      snapshot({
        decisions: [decision(2), retry, decision(1)],
        settlements: [settlement(1, { outcome: 'failed' }), settlement(1, { attempt: 2 })],
      }),
    )
    expect(record.requests.map(({ key, settlement }) => [key, settlement?.outcome])).toEqual([
      ['request-1:1', 'failed'],
      ['request-1:2', 'completed'],
      ['request-2:1', undefined],
    ])
  })

  it('keeps the newest requests and folds and says how many older ones it dropped', () => {
    const record = readSnapshot(
      snapshot({
        decisions: numbers(keptRequests + 142).map((number) => decision(number)),
        folds: numbers(keptFolds + 3).map((number) => fold(number)),
      }),
    )
    expect(record.requests).toHaveLength(keptRequests)
    expect(record.requests[0]?.decision.requestId).toBe('request-143')
    expect(record.requestsDropped).toBe(142)
    expect(record.folds).toHaveLength(keptFolds)
    expect(record.folds[0]?.id).toBe('fold-4')
    expect(record.foldsDropped).toBe(3)
  })
})

describe('reduceEvents', () => {
  it('adds what happens to what the snapshot told', () => {
    const before = readSnapshot(snapshot({ decisions: [decision(1)] }))
    const after = reduceEvents(before, [
      settled(settlement(1)),
      applied(fold(2)),
      decided(foldedDecision(2)),
      warned('dangling_call'),
    ])
    expect(after.requests.map(({ key }) => key)).toEqual(['request-1:1', 'request-2:1'])
    expect(after.requests[0]?.settlement?.outcome).toBe('completed')
    expect(after.folds.map(({ id }) => id)).toEqual(['fold-2'])
    expect(after.problems.map(({ code }) => code)).toEqual(['dangling_call'])
  })

  it('changes nothing when events are told again, and keeps the settlement', () => {
    const events = [decided(decision(1)), settled(settlement(1)), applied(fold(1)), decided(decision(2))]
    const once = reduceEvents(emptyRecord, events)
    const twice = reduceEvents(once, events)
    expect(twice.requests).toEqual(once.requests)
    expect(twice.folds).toEqual(once.folds)
    expect(reduceEvents(once, [decided(decision(1))]).requests).toEqual(once.requests)
  })

  it('sorts a late decision into its place', () => {
    const record = reduceEvents(emptyRecord, [
      decided(decision(1)),
      decided(decision(3)),
      decided(decision(2)),
    ])
    expect(record.requests.map(({ decision }) => decision.requestId)).toEqual([
      'request-1',
      'request-2',
      'request-3',
    ])
  })

  it('keeps folds of one moment in the order in which they came', () => {
    const at = 7
    const record = reduceEvents(emptyRecord, [applied(fold(2, { at })), applied(fold(1, { at }))])
    expect(record.folds.map(({ id }) => id)).toEqual(['fold-2', 'fold-1'])
  })

  it('ignores a settlement of a request that it does not know', () => {
    expect(reduceEvents(emptyRecord, [settled(settlement(4))]).requests).toEqual([])
  })

  it('stays within every cap however long the conversation runs', () => {
    let record = emptyRecord
    for (let batch = 0; batch < 12; batch++)
      record = reduceEvents(
        record,
        numbers(500, batch * 500 + 1).flatMap((number) => [
          decided(decision(number)),
          applied(fold(number)),
          warned(`code-${number}`),
        ]),
      )
    expect(record.requests).toHaveLength(keptRequests)
    expect(record.requestsDropped).toBe(6_000 - keptRequests)
    expect(record.folds).toHaveLength(keptFolds)
    expect(record.problems).toHaveLength(keptProblems)
    expect(record.problems.at(-1)?.code).toBe('code-6000')
  })

  it('leaves the record that it was given as it was', () => {
    const before = readSnapshot(snapshot({ decisions: [decision(1)] }))
    const copy = structuredClone(before)
    reduceEvents(before, [settled(settlement(1)), decided(decision(2))])
    expect(before).toEqual(copy)
  })
})
