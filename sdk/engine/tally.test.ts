import { describe, expect, it } from 'vitest'
import type { Entry, EntryKind } from './record.ts'
import { OTHER, SYSTEM, Tally, TOOLS } from './tally.ts'

const kinds = ['system', 'instruction', 'answer', 'call', 'result', 'copy', 'note'] as const
const record = kinds.map((kind: EntryKind, index): Entry => ({ index, kind, key: '', round: -1, chars: 1 }))

function tallied(): Tally {
  const tally = new Tally(record.length)
  tally.add(SYSTEM, 3)
  tally.addAll([
    { owner: TOOLS, tokens: 5 },
    { owner: OTHER, tokens: 7 },
    { owner: OTHER, tokens: 4 },
  ])
  for (const [index] of record.entries()) tally.add(index, 10 + index)
  tally.addMedia([
    { owner: 1, tokens: 100 },
    { owner: 4, tokens: 200 },
    { owner: SYSTEM, tokens: 50 },
  ])
  return tally
}

describe('the sizes of a request', () => {
  it('[R23] add up by part, media apart, with the entries of each', () => {
    const { counted, parts } = tallied().size(record)
    expect(Object.fromEntries(parts.map(({ part, ...sum }) => [part, sum]))).toEqual({
      system: { tokens: 13, entries: 1 },
      tools: { tokens: 5, entries: 0 },
      other: { tokens: 11, entries: 0 },
      instruction: { tokens: 11, entries: 1 },
      answer: { tokens: 12, entries: 1 },
      call: { tokens: 13, entries: 1 },
      // A copy is a result too.
      result: { tokens: 29, entries: 2 },
      note: { tokens: 16, entries: 1 },
      media: { tokens: 350, entries: 2 },
    })
    expect(counted).toBe(parts.reduce((sum, { tokens }) => sum + tokens, 0))
  })

  it('[R23] are those of every entry, its media included, and of nothing that is none', () => {
    expect([...tallied().size(record).entries]).toEqual([
      [0, 10],
      [1, 111],
      [2, 12],
      [3, 13],
      [4, 214],
      [5, 15],
      [6, 16],
    ])
  })

  it('are put together once', () => {
    const size = tallied().size(record)
    expect(size.entries).toBe(size.entries)
  })

  it('leave out a part that takes nothing', () => {
    const tally = new Tally(2)
    tally.add(1, 0)
    tally.add(SYSTEM, 2)
    expect(tally.size(record).parts).toEqual([{ part: 'system', tokens: 2, entries: 0 }])
  })
})
