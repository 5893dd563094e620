import { describe, expect, it } from 'vitest'
import { withNote } from '../testing/made-entries.ts'
import { lineOf } from '../testing/toy-fold.ts'
import { keptEntries, taskOf } from './keep.ts'
import type { Entry, Line } from './record.ts'

const plain = { keepsTurnHead: false, placesMarks: false }

function kept(line: Line, options: Partial<typeof plain> = {}): readonly number[] {
  return [...keptEntries(line, { ...plain, ...options })].sort((left, right) => left - right)
}

/** The line with an instruction that opens no turn, as text beside results is. */
function besides(line: Line, index: number): Line {
  const record = line.record.map(
    (entry): Entry => (entry.index === index ? { ...entry, startsTurn: false } : entry),
  )
  return { ...line, record }
}

describe('the entries that no stage takes', () => {
  it('[R98] are the first of the view, the first instruction and the newest one, and no system', () => {
    expect(kept(lineOf('suacr'))).toEqual([1])
    expect(kept(lineOf('suacruacruacr'))).toEqual([1, 9])
    expect(kept(lineOf('sacruacruacr'))).toEqual([1, 4, 8])
    expect(kept(lineOf('sacr'))).toEqual([1])
    expect(kept(lineOf('s'))).toEqual([])
  })

  it('[R277] are no note that the view begins with, where the app cut what stood before it', () => {
    const line = lineOf('suacracruacr')
    const cut = withNote(line, { members: [3, 4] })
    expect(kept({ ...cut, view: [0, 12, 5, 6, 7, 8, 9, 10, 11] })).toEqual([5, 8])
    expect(kept({ ...cut, view: [0, 12] })).toEqual([])
  })

  it('do not count text beside results as the task', () => {
    const line = besides(lineOf('suacruacru'), 9)
    expect(kept(line)).toEqual([1, 5])
    expect(taskOf(line)).toBe(5)
  })

  it('are those of the view: what has left it is not kept', () => {
    const line = lineOf('suacruacr')
    expect(kept({ ...line, view: [0, 2, 3, 4, 6, 7, 8] })).toEqual([2])
  })

  it('are also those that somebody pinned', () => {
    expect(kept({ ...lineOf('suacruacr'), pinned: new Set([4]) })).toEqual([1, 4, 5])
  })

  it('are the first round of the current turn too, where the provider wants it as it was', () => {
    expect(kept(lineOf('suacruaccrracr'), { keepsTurnHead: true })).toEqual([1, 5, 6, 7, 8, 9, 10])
    expect(kept(lineOf('suacru'), { keepsTurnHead: true })).toEqual([1, 5])
    expect(kept(lineOf('sacr'), { keepsTurnHead: true })).toEqual([1])
  })

  it('[R275] are the first round too while the cache is placed', () => {
    expect(kept(lineOf('suacruacr'), { placesMarks: true })).toEqual([1, 2, 3, 4, 5])
  })
})

describe('the task', () => {
  it('is the newest instruction of the view, and none where there is none', () => {
    expect(taskOf(lineOf('suacruacr'))).toBe(5)
    expect(taskOf(lineOf('sacr'))).toBe(-1)
  })
})
