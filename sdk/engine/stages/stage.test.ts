import { describe, expect, it } from 'vitest'
import { withCopy } from '../../testing/made-entries.ts'
import { lineOf } from '../../testing/toy-fold.ts'
import { noteEntry } from './note-entry.ts'
import { isKept, originalsOf, wasRead } from './stage.ts'

/** A line with a copy of the result at 4, as entry 8. */
const line = withCopy(lineOf('suacracr'), 4, [1])

describe('what entries of a view stand for', () => {
  it('is each itself, and of a copy its original, in the order of the record', () => {
    const entries = [line.record[7], line.record[8], line.record[0]].filter((entry) => entry !== undefined)
    expect(originalsOf(line, entries)).toEqual([0, 4, 7])
  })

  it('is kept by its own index or by that of its original', () => {
    expect(isKept({ line, keep: new Set([4]) }, 8)).toBe(true)
    expect(isKept({ line, keep: new Set([8]) }, 8)).toBe(true)
    expect(isKept({ line, keep: new Set([7]) }, 8)).toBe(false)
    expect(isKept({ line, keep: new Set([8]) }, 4)).toBe(false)
  })
})

describe('what the model has read', () => {
  it('[R87] is an entry that was carried, and a copy of one', () => {
    const read = (delivered: readonly number[]) =>
      [4, 7, 8].filter((index) => wasRead({ ...line, delivered: new Set(delivered) }, index))
    expect(read([4])).toEqual([4, 8])
    expect(read([8])).toEqual([8])
    expect(read([7])).toEqual([7])
  })
})

describe('a note as an entry', () => {
  it('[R119, R120] is the next of the record, belongs to no round, and says what it stands for first', () => {
    expect(noteEntry({ line, foldId: 'q/1' }, { members: [3, 4], calls: [] })).toEqual({
      index: 9,
      kind: 'note',
      key: '',
      round: -1,
      note: { foldId: 'q/1', firstIndex: 3, members: [3, 4], calls: [] },
      chars: expect.any(Number),
    })
  })
})
