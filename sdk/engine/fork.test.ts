import { describe, expect, it } from 'vitest'
import { knownMessage } from '../testing/known-message.ts'
import { madeNote, withCopy, withNote } from '../testing/made-entries.ts'
import { appendMessages, placeSystem } from './append.ts'
import { forkLine } from './fork.ts'
import { emptyLine, type FirstRoundDecision, type Line } from './record.ts'

const list = ['u', 'ac', 'r', 'a', 'u', 'a'].map((drafts, position) => knownMessage(drafts, `m${position}`))

/** Seven entries of the list, then 7 a note for 1 to 3, and 8 a copy of 3. */
function parentOf(view: readonly number[], options: Partial<Line> = {}): Line {
  const plain = appendMessages(emptyLine('parent'), list)
  const made = withCopy(withNote(plain, { members: [1, 2, 3] }), 3, [])
  return { ...made, view, ...options }
}

describe('forkLine', () => {
  it('gives a note and a copy of common entries an index of the new line', () => {
    const child = forkLine(parentOf([0, 7, 8, 4, 5, 6]), { id: 'child', window: { from: 0, to: 5 } })
    expect(child).toMatchObject({ id: 'child', parent: { lineId: 'parent', index: 5 }, view: [0, 5, 6, 4] })
    expect(child.record).toHaveLength(7)
    expect(child.record[5]).toMatchObject({ index: 5, kind: 'note', note: { members: [1, 2, 3] } })
    expect(child.record[6]).toMatchObject({ index: 6, kind: 'copy', copy: { original: 3 } })
  })

  it('[R123] leaves the newest of two notes the newest, wherever in the view they stand', () => {
    const parent = parentOf([0, 8, 7, 4, 5, 6])
    const newer = madeNote(8, { foldId: 'newer', members: [1, 2] })
    const record = parent.record.map((entry) => (entry.index === 8 ? newer : entry))
    const child = forkLine({ ...parent, record }, { id: 'child', window: { from: 0, to: 5 } })
    expect(child.view).toEqual([0, 6, 5, 4])
    expect(child.record.slice(5).map(({ note }) => note?.foldId)).toEqual(['f', 'newer'])
  })

  it('takes no note along that has left the view, and no copy of what is not common', () => {
    const child = forkLine(parentOf([0, 1, 2, 8, 4, 5, 6]), { id: 'child', window: { from: 0, to: 3 } })
    expect(child.view).toEqual([0, 1, 2])
    expect(child.record).toHaveLength(3)
  })

  it('shares the whole list where the lists part behind it', () => {
    const child = forkLine(parentOf([0, 7, 4, 5, 6]), { id: 'child', window: { from: 0, to: 7 } })
    expect(child).toMatchObject({ parent: { index: 9 }, view: [0, 7, 4, 5, 6], window: { from: 0, to: 7 } })
  })

  it('[R85] keeps what was read and carried, under the indexes of the new line', () => {
    const parent = parentOf([0, 7, 8, 4, 5, 6], {
      delivered: new Set([0, 1, 2, 3, 7, 6]),
      carried: [0, 7, 8, 4, 5],
    })
    const child = forkLine(parent, { id: 'child', window: { from: 0, to: 5 } })
    expect(child.delivered).toEqual(new Set([0, 1, 2, 3, 5]))
    expect(child.carried).toEqual([0, 5, 6, 4])
  })

  it('leaves the system behind, which each request places anew', () => {
    const parent = placeSystem(parentOf([0, 1, 2, 3, 4, 5, 6]), { key: 's', hash: 's', chars: 1 })
    const child = forkLine(parent, { id: 'child', window: { from: 0, to: 5 } })
    expect(parent.view[0]).toBe(9)
    expect(child.view).toEqual([0, 1, 2, 3, 4])
    expect(child.record).toHaveLength(5)
  })

  it('keeps a first round that is common as a whole', () => {
    const firstRound: FirstRoundDecision = {
      included: true,
      members: [0, 1, 2, 3],
      hash: 'h',
      ceiling: 10,
      budget: 1,
      counted: 1,
      scale: { reported: 1, counted: 1 },
      maxChars: null,
      projectionVersion: 1,
      at: 0,
      requestId: 'q',
    }
    const parent = parentOf([0, 1, 2, 3, 4, 5, 6], { firstRound })
    expect(forkLine(parent, { id: 'child', window: { from: 0, to: 4 } }).firstRound).toBe(firstRound)
    expect(forkLine(parent, { id: 'child', window: { from: 0, to: 3 } })).not.toHaveProperty('firstRound')
  })

  it('keeps the pins and what was recovered of the common part', () => {
    const parent = parentOf([0, 1, 2, 3, 4, 5, 6], { pinned: new Set([2, 4]), recovered: new Set([3, 5]) })
    const child = forkLine(parent, { id: 'child', window: { from: 0, to: 4 } })
    expect(child.pinned).toEqual(new Set([2]))
    expect(child.recovered).toEqual(new Set([3]))
  })

  it('keeps a pinned note and a pinned copy pinned, under the indexes of the new line', () => {
    const parent = parentOf([0, 7, 8, 4, 5, 6], { pinned: new Set([0, 6, 7, 8]) })
    const child = forkLine(parent, { id: 'child', window: { from: 0, to: 5 } })
    expect(child.record.slice(5).map(({ kind }) => kind)).toEqual(['note', 'copy'])
    expect(child.pinned).toEqual(new Set([0, 5, 6]))
    const without = forkLine(parent, { id: 'child', window: { from: 0, to: 2 } })
    expect(without.pinned).toEqual(new Set([0]))
  })
})
