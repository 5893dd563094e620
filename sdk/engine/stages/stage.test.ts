import { describe, expect, it } from 'vitest'
import { lineOf } from '../../testing/toy-fold.ts'
import type { Entry, Line } from '../record.ts'
import { noteEntry } from './note-entry.ts'
import { isKept, originalsOf, wasRead } from './stage.ts'

/** A line with a copy of the result at 4, as entry 8. */
function copied(): { readonly line: Line; readonly copy: Entry } {
  const line = lineOf('suacracr')
  const copy: Entry = {
    index: 8,
    kind: 'copy',
    key: '',
    round: 2,
    chars: 1,
    copy: { foldId: 'f', original: 4, kept: [1] },
  }
  return { line: { ...line, record: [...line.record, copy], view: [0, 1, 2, 3, 8, 5, 6, 7] }, copy }
}

describe('what entries of a view stand for', () => {
  it('is each itself, and of a copy its original, in the order of the record', () => {
    const { line, copy } = copied()
    const entries = [line.record[7], copy, line.record[0]].filter((entry) => entry !== undefined)
    expect(originalsOf(line, entries)).toEqual([0, 4, 7])
  })

  it('is kept by its own index or by that of its original', () => {
    const { line } = copied()
    expect(isKept({ line, keep: new Set([4]) }, 8)).toBe(true)
    expect(isKept({ line, keep: new Set([8]) }, 8)).toBe(true)
    expect(isKept({ line, keep: new Set([7]) }, 8)).toBe(false)
    expect(isKept({ line, keep: new Set([8]) }, 4)).toBe(false)
  })
})

describe('what the model has read', () => {
  it('[R87] is an entry that was carried, and a copy of one', () => {
    const { line } = copied()
    const read = (delivered: readonly number[]) =>
      [4, 7, 8].filter((index) => wasRead({ ...line, delivered: new Set(delivered) }, index))
    expect(read([4])).toEqual([4, 8])
    expect(read([8])).toEqual([8])
    expect(read([7])).toEqual([7])
  })
})

describe('a note as an entry', () => {
  it('[R119, R120] is the next of the record, belongs to no round, and says what it stands for first', () => {
    const { line } = copied()
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
