import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { knownMessage } from '../testing/known-message.ts'
import { withCopy, withNote } from '../testing/made-entries.ts'
import { appendMessages, placeSystem } from './append.ts'
import { type Entry, emptyLine, type Line } from './record.ts'
import { insertByChronology, moveWindow, withListEnd } from './view.ts'

const list = Array.from({ length: 8 }, (_, position) => knownMessage('u', `m${position}`))

/** Eight instructions, then what stands for some of them: 8 a note for 3 to 5, 9 a copy of 6, 10 the system. */
function lineOf(view: readonly number[]): Line {
  const plain = appendMessages(emptyLine('line'), list)
  const made = withCopy(withNote(plain, { members: [3, 4, 5] }), 6, [])
  const line = placeSystem(made, { key: 's', hash: 's', chars: 1 })
  return { ...line, view }
}

describe('insertByChronology', () => {
  it('[R220] puts entries where they happened, in whatever order they are named', () => {
    expect(insertByChronology(lineOf([10, 1, 4, 7]), [5, 0, 2])).toEqual([10, 0, 1, 2, 4, 5, 7])
    expect(insertByChronology(lineOf([0, 1]), [7, 2])).toEqual([0, 1, 2, 7])
    expect(insertByChronology(lineOf([]), [1])).toEqual([1])
  })

  it('[R220] lets a note stand for the first entry that it replaced, and before it', () => {
    const folded = lineOf([10, 0, 1, 2, 8, 6, 7])
    expect(insertByChronology(folded, [4])).toEqual([10, 0, 1, 2, 8, 4, 6, 7])
    expect(insertByChronology(folded, [3])).toEqual([10, 0, 1, 2, 8, 3, 6, 7])
    expect(insertByChronology(lineOf([0, 8, 6]), [2])).toEqual([0, 2, 8, 6])
    expect(insertByChronology(lineOf([2, 3, 6]), [8])).toEqual([2, 8, 3, 6])
  })

  it('lets a copy stand where its original does, and brings no original in beside it', () => {
    expect(insertByChronology(lineOf([0, 9]), [7, 5])).toEqual([0, 5, 9, 7])
    expect(insertByChronology(lineOf([0, 9, 7]), [6])).toEqual([0, 9, 7])
  })

  it('brings nothing in twice', () => {
    expect(insertByChronology(lineOf([0, 1]), [1, 2, 2])).toEqual([0, 1, 2])
  })

  it('[R220] puts notes of one place before what they replaced, the newest first', () => {
    const line = lineOf([0, 6])
    const older = line.record[8] as Entry
    const record = [...line.record, { ...older, index: 11 }]
    for (const indexes of [
      [3, 8, 11],
      [11, 8, 3],
    ])
      expect(insertByChronology({ ...line, record }, indexes)).toEqual([0, 11, 8, 3, 6])
  })

  it('[R220] gives for any view what placing one entry after the other gives, seed 8', () => {
    const indexesTo = (max: number) => fc.uniqueArray(fc.integer({ min: 0, max }), { maxLength: 12 })
    fc.assert(
      fc.property(indexesTo(11), indexesTo(8), (view, indexes) => {
        const line = lineOf(view)
        const one = indexes.reduce<readonly number[]>(
          (before, index) => insertByChronology(lineOf(before), [index]),
          view,
        )
        expect(insertByChronology(line, indexes)).toEqual(one)
      }),
      { seed: 8, numRuns: 500 },
    )
  })

  it('looks at each entry a few times only, however many come back', () => {
    const entries = 3000
    const whole = appendMessages(
      emptyLine('line'),
      Array.from({ length: entries }, (_, position) => knownMessage('u', `m${position}`)),
    )
    let reads = 0
    const record = new Proxy(whole.record, {
      get: (target, key) => {
        reads++
        return Reflect.get(target, key) as unknown
      },
    })
    const odd = whole.view.filter((index) => index % 2 === 1)
    const even = whole.view.filter((index) => index % 2 === 0)
    expect(insertByChronology({ ...whole, record, view: even }, odd)).toEqual(whole.view)
    expect(reads).toBeLessThan(40 * entries)
  })

  it('passes over what the record does not hold', () => {
    expect(insertByChronology(lineOf([99, 5]), [4])).toEqual([99, 4, 5])
  })
})

describe('moveWindow', () => {
  it('keeps the very line where the window stays', () => {
    const line = lineOf([0, 1])
    expect(moveWindow(line, { from: 0, to: 8 })).toBe(line)
  })

  it('keeps the system, and a copy as long as its original is inside', () => {
    const line = lineOf([10, 0, 1, 2, 3, 4, 5, 9, 7])
    expect(moveWindow(line, { from: 0, to: 7 }).view).toEqual([10, 0, 1, 2, 3, 4, 5, 9])
    expect(moveWindow(line, { from: 0, to: 6 }).view).toEqual([10, 0, 1, 2, 3, 4, 5])
    expect(moveWindow(line, { from: 6, to: 8 }).view).toEqual([10, 9, 7])
    expect(moveWindow(line, { from: 7, to: 8 }).view).toEqual([10, 7])
  })

  it('drops what the record does not hold', () => {
    expect(moveWindow(lineOf([0, 99, 1]), { from: 0, to: 7 }).view).toEqual([0, 1])
  })

  it('ends at the end of the list', () => {
    expect(moveWindow(lineOf([0]), { from: 0, to: 99 })).toMatchObject({
      view: [0],
      window: { from: 0, to: 8 },
    })
  })

  it('goes with a note up to the first entry that the note does not stand for', () => {
    const folded = lineOf([0, 1, 2, 8, 6, 7])
    expect(moveWindow(folded, { from: 0, to: 6 }).view).toEqual([0, 1, 2, 8])
    expect(moveWindow(folded, { from: 0, to: 5 }).view).toEqual([0, 1, 2, 3, 4])
    expect(moveWindow(folded, { from: 5, to: 8 }).view).toEqual([8, 6, 7])
    expect(moveWindow(folded, { from: 6, to: 8 }).view).toEqual([6, 7])
  })

  it('brings back exactly what comes into it', () => {
    const narrow = moveWindow(lineOf([0, 1, 2, 3, 4, 5, 6, 7]), { from: 3, to: 5 })
    expect(narrow.view).toEqual([3, 4])
    const evicted = { ...narrow, view: [4] }
    expect(moveWindow(evicted, { from: 2, to: 6 }).view).toEqual([2, 4, 5])
    expect(moveWindow(evicted, { from: 2, to: 5 }).view).toEqual([2, 4])
    expect(moveWindow(evicted, { from: 3, to: 6 }).view).toEqual([4, 5])
  })
})

describe('withListEnd', () => {
  const chat = ['u', 'acc', 'r', 'r', 'u'].map((drafts, position) => knownMessage(drafts, `c${position}`))

  function endingWith(messages: number, view: readonly number[], made: Partial<Entry> = {}): Line {
    const line = appendMessages(emptyLine('line'), chat.slice(0, messages))
    const record = line.record.map((entry) => (entry.kind === 'result' ? { ...entry, round: 1 } : entry))
    const extra: Entry = { index: record.length, kind: 'note', key: '', round: -1, chars: 1, ...made }
    return { ...line, record: [...record, extra], view }
  }

  it('brings the last entry of the list back, which the request asks to be answered', () => {
    expect(withListEnd(endingWith(5, [0])).view).toEqual([0, 6])
    expect(withListEnd(endingWith(1, [])).view).toEqual([0])
    expect(withListEnd(endingWith(5, [])).view).toEqual([6])
  })

  it('brings its whole round back', () => {
    expect(withListEnd(endingWith(4, [0])).view).toEqual([0, 1, 2, 3, 4, 5])
    expect(withListEnd(endingWith(4, [0, 2, 4])).view).toEqual([0, 1, 2, 3, 4, 5])
    const first = appendMessages(emptyLine('line'), [knownMessage('ac', 'x'), knownMessage('r', 'x')])
    expect(withListEnd({ ...first, view: [] }).view).toEqual([0, 1, 2])
  })

  it('brings it back out of a note, and the instruction that it is about', () => {
    const note = { note: { foldId: 'f', firstIndex: 4, members: [4, 5], calls: [] } }
    expect(withListEnd(endingWith(4, [0, 6], note)).view).toEqual([0, 1, 2, 3, 4, 5])
    const all = { note: { foldId: 'f', firstIndex: 0, members: [0, 1, 2, 3, 4, 5], calls: [] } }
    expect(withListEnd(endingWith(5, [7], { ...all, index: 7 })).view).toEqual([7, 6])
    expect(withListEnd(endingWith(4, [6], all)).view).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('keeps the very line where it is there, itself or as a copy', () => {
    const copy = { copy: { foldId: 'f', original: 5, kept: [] } }
    for (const line of [endingWith(5, [6]), endingWith(4, [0, 6], copy), { ...emptyLine('new'), view: [] }])
      expect(withListEnd(line)).toBe(line)
    const other = { note: { foldId: 'f', firstIndex: 1, members: [1, 2], calls: [] } }
    expect(withListEnd(endingWith(5, [0, 7], other)).view).toEqual([0, 7, 6])
  })

  it('looks no further than the window of the list', () => {
    const line = endingWith(5, [0])
    expect(withListEnd({ ...line, window: { from: 0, to: 1 } }).view).toEqual([0])
    expect(withListEnd({ ...line, window: { from: 3, to: 6 } }).view).toEqual([0, 3, 4, 5])
  })
})
