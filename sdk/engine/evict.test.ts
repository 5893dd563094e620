import { describe, expect, it } from 'vitest'
import { withCopy, withNote } from '../testing/made-entries.ts'
import { lineOf } from '../testing/toy-fold.ts'
import { evictActionResults, evictEntries } from './evict.ts'
import type { Line } from './record.ts'

const nothingKept: ReadonlySet<number> = new Set()

function evict(line: Line, start: number, end = start + 1, keep: Iterable<number> = []) {
  return evictEntries(line, (index) => index >= start && index < end, new Set(keep))
}

describe('evictEntries', () => {
  it('[R67, R100] takes a call with its result, whichever of them is named, and leaves the record alone', () => {
    const line = lineOf('suacracru')
    for (const named of [3, 4]) {
      const evicted = evict(line, named)
      expect(evicted).toMatchObject({ type: 'evicted', indexes: [3, 4], line: { record: line.record } })
      expect(evicted).toMatchObject({ line: { view: [0, 1, 2, 5, 6, 7, 8] } })
    }
  })

  it('[R100] takes the calls of one answer together, and an answer with its calls', () => {
    const fan = lineOf('uaccrru')
    expect(evict(fan, 5)).toMatchObject({ indexes: [2, 3, 4, 5], line: { view: [0, 1, 6] } })
    expect(evict(fan, 1)).toMatchObject({ indexes: [1, 2, 3, 4, 5], line: { view: [0, 6] } })
  })

  it('takes single messages by themselves, and an answer without calls', () => {
    expect(evict(lineOf('uauau'), 1, 3)).toMatchObject({ indexes: [1, 2], line: { view: [0, 3, 4] } })
  })

  it('takes a copy with its original, by the index of either, and reports the original', () => {
    const line = withCopy(lineOf('uacru'), 3, [2])
    for (const named of [2, 3, 5])
      expect(evict(line, named)).toMatchObject({ indexes: [2, 3], line: { view: [0, 1, 4] } })
  })

  it('takes a note by its own index and writes none', () => {
    const line = withNote(lineOf('uacruau'), { members: [2, 3] })
    expect(evict(line, 7)).toMatchObject({ indexes: [7], line: { view: [0, 1, 4, 5, 6] } })
    expect(evict(line, 2, 4)).toMatchObject({ type: 'nothing' })
    expect(evict(line, 4, 8)).toMatchObject({ indexes: [4, 5, 6, 7], line: { view: [0, 1] } })
  })

  it('[R98] leaves the system and what is kept where they are, and the whole round of a kept entry', () => {
    const line = lineOf('suaccrru')
    expect(evict(line, 0, 8, [1, 7])).toMatchObject({ line: { view: [0, 1, 7] } })
    for (const kept of [2, 3, 6])
      expect(evict(line, 0, 8, [kept])).toMatchObject({ line: { view: [0, 2, 3, 4, 5, 6] } })
    const clipped = withCopy(line, 5, [2])
    for (const kept of [5, 8])
      expect(evict(clipped, 3, 4, [kept])).toMatchObject({ type: 'nothing', reason: expect.any(String) })
  })

  it('says why nothing left', () => {
    const line = lineOf('suacr')
    expect(evict(line, 9, 12)).toMatchObject({ reason: 'nothing of that is in the request' })
    expect(evict(line, 0)).toMatchObject({ reason: expect.stringContaining('all of that stays') })
    expect(evict({ ...line, view: [0, 1] }, 2, 5)).toMatchObject({ type: 'nothing' })
  })
})

describe('evictActionResults', () => {
  it('takes the calls and results of all but the newest rounds, and leaves every word', () => {
    const line = lineOf('uacracraccrra')
    expect(evictActionResults(line, { rounds: 1, keep: nothingKept })).toMatchObject({
      indexes: [2, 3, 5, 6],
      line: { view: [0, 1, 4, 7, 8, 9, 10, 11, 12] },
    })
    expect(evictActionResults(line, { rounds: 0, keep: nothingKept })).toMatchObject({
      line: { view: [0, 1, 4, 7, 12] },
    })
    expect(evictActionResults(line, { rounds: 3, keep: nothingKept })).toMatchObject({
      type: 'nothing',
      reason: expect.stringContaining('3 rounds'),
    })
  })

  it('leaves a round with a kept entry', () => {
    expect(evictActionResults(lineOf('uacracra'), { rounds: 0, keep: new Set([3]) })).toMatchObject({
      indexes: [5, 6],
    })
  })
})
