import { describe, expect, it } from 'vitest'
import { addPage, emptyEntries } from './entries.ts'
import { readSnapshot } from './reduce.ts'
import {
  entryRows,
  filterEntries,
  filterRequests,
  foldRows,
  neighbourFold,
  requestRows,
  sendOrder,
} from './select.ts'
import { message } from './testing/fake-source.ts'
import {
  decision,
  fold,
  foldedDecision,
  refusedDecision,
  settlement,
  snapshot,
} from './testing/journal-builder.ts'

const record = readSnapshot(
  snapshot({
    decisions: [
      decision(1),
      foldedDecision(2),
      refusedDecision(3),
      decision(4, { ceiling: null }),
      decision(5),
      decision(6, { model: 'model-b' }),
    ],
    folds: [fold(2), fold(99)],
    settlements: [settlement(4, { outcome: 'failed' }), settlement(5, { outcome: 'aborted' })],
  }),
)
const rows = requestRows(record)

describe('requestRows', () => {
  it('names each outcome', () => {
    expect(rows.map(({ outcome }) => outcome)).toEqual([
      'sent',
      'folded',
      'refused',
      'failed',
      'aborted',
      'sent',
    ])
  })

  it('gives what is left under the ceiling, less than nothing for a refusal, and null without a ceiling', () => {
    expect(rows.map(({ headroom }) => headroom)).toEqual([54_000, 34_000, -6_000, null, 54_000, 54_000])
  })

  it('lists only stages that landed', () => {
    const tried = decision(1, {
      trace: [
        {
          type: 'stage',
          stage: 'clip',
          keptTail: null,
          outcome: 'rolled_back',
          before: 9,
          after: 9,
          indexes: [],
          target: 5,
        },
      ],
    })
    const [row] = requestRows(readSnapshot(snapshot({ decisions: [tried] })))
    expect(row?.stages).toEqual([])
    expect(rows[1]?.stages).toEqual(['tool_io'])
  })

  it('goes on counting where dropped requests left off', () => {
    const [row] = requestRows({ ...record, requestsDropped: 142 })
    expect(row?.number).toBe(143)
  })
})

describe('filterRequests', () => {
  it('keeps what folded, or what was refused', () => {
    expect(filterRequests(rows, 'folded', '').map(({ number }) => number)).toEqual([2])
    expect(filterRequests(rows, 'refused', '').map(({ number }) => number)).toEqual([3])
  })

  it('finds a number, a model and an outcome', () => {
    expect(filterRequests(rows, 'all', ' #4').map(({ number }) => number)).toEqual([4])
    expect(filterRequests(rows, 'all', 'MODEL-B').map(({ number }) => number)).toEqual([6])
    expect(filterRequests(rows, 'all', 'aborted').map(({ number }) => number)).toEqual([5])
  })
})

describe('foldRows', () => {
  it('points at the request that folded, and at none where it is forgotten', () => {
    expect(foldRows(record).map(({ request }) => request?.number ?? null)).toEqual([2, null])
  })
})

describe('neighbourFold', () => {
  const folds = requestRows(
    readSnapshot(snapshot({ decisions: [foldedDecision(1), decision(2), foldedDecision(3)] })),
  )

  it('goes to the next fold in either direction and stops at the ends', () => {
    expect(neighbourFold(folds, 'request-2:1', 1)).toBe('request-3:1')
    expect(neighbourFold(folds, 'request-2:1', -1)).toBe('request-1:1')
    expect(neighbourFold(folds, 'request-3:1', 1)).toBeNull()
    expect(neighbourFold(folds, 'request-1:1', -1)).toBeNull()
  })
})

describe('sendOrder', () => {
  const isNote = (index: number) => index >= 9

  it('is the record order where nothing was folded', () => {
    expect(sendOrder(4, [], isNote)).toEqual([0, 1, 2, 3])
  })

  it('puts a note where the first entry stood that it replaced', () => {
    expect(sendOrder(11, [fold(1)], isNote)).toEqual([0, 1, 2, 9, 3, 4, 5, 6, 7, 8, 10])
  })

  it('puts a note that replaced a note before it, and names every entry once', () => {
    const folds = [fold(1), fold(2, { noteIndex: 10, replaced: [{ start: 3, end: 7 }] })]
    const order = sendOrder(11, folds, isNote)
    expect(order.slice(0, 6)).toEqual([0, 1, 2, 10, 9, 3])
    expect([...order].sort((left, right) => left - right)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('leaves an index alone that is no note here, and one that is not there yet', () => {
    expect(sendOrder(4, [fold(1, { noteIndex: 2, replaced: [{ start: 0, end: 1 }] })], isNote)).toEqual([
      0, 1, 2, 3,
    ])
    expect(sendOrder(4, [fold(1)], isNote)).toEqual([0, 1, 2, 3])
    expect(sendOrder(10, [fold(1, { replaced: [{ start: 20, end: 21 }] })], isNote)).toHaveLength(10)
  })
})

describe('filterEntries', () => {
  const cache = addPage(emptyEntries, {
    page: 0,
    revision: 0,
    reply: {
      total: 4,
      messages: [
        message(0, { kind: 'system' }),
        message(1, { state: 'out', name: 'search' }),
        message(2, { state: 'note', kind: 'note' }),
      ],
    },
  })
  const entries = entryRows(cache, [0, 2, 1, 3])

  it('keeps the order that it was given and rows that have not been read yet', () => {
    expect(filterEntries(entries, 'all', '').map(({ index }) => index)).toEqual([0, 2, 1, 3])
  })

  it('finds by state, name, kind and text, and never a row that has not been read', () => {
    expect(filterEntries(entries, 'out', '').map(({ index }) => index)).toEqual([1])
    expect(filterEntries(entries, 'note', '').map(({ index }) => index)).toEqual([2])
    expect(filterEntries(entries, 'all', 'SEARCH').map(({ index }) => index)).toEqual([1])
    expect(filterEntries(entries, 'all', 'entry').map(({ index }) => index)).toEqual([0, 2, 1])
  })
})
