import { describe, expect, it } from 'vitest'
import { withCopy, withNote } from '../testing/made-entries.ts'
import { lineOf } from '../testing/toy-fold.ts'
import type { Line } from './record.ts'
import { foldMembers, foldsOfEntries, restoreEntries } from './recover.ts'

/** `user, then rounds of one call each`: answers at 1, 4, 7, …, calls and results behind each. */
const plain = lineOf('uacracracracra')

/** One note in the place of some entries. */
function folded(line: Line, members: readonly number[], foldId = 'note'): Line {
  return withNote(line, { foldId, members })
}

/** Shortened copies in the places of some results. */
function clipped(line: Line, originals: readonly number[], foldId = 'clip'): Line {
  return originals.reduce((after, original) => withCopy(after, original, [2], foldId), line)
}

function without(line: Line, gone: readonly number[]): Line {
  return { ...line, view: line.view.filter((index) => !gone.includes(index)) }
}

function restored(line: Line, wanted: readonly number[]): Line {
  const outcome = restoreEntries(line, wanted)
  if (outcome.type === 'nothing') throw new Error(outcome.reason)
  return outcome.line
}

const all = Array.from({ length: 40 }, (_, index) => index)

describe('restoreEntries', () => {
  it('[R118, R220, R370] places a message among a note and a copy by what they stand for', () => {
    const line = clipped(folded(plain, [2, 3, 5, 6]), [9])
    expect(line.view).toEqual([0, 1, 14, 4, 7, 8, 15, 10, 11, 12, 13])
    expect(restored(line, [5]).view).toEqual([0, 1, 14, 4, 5, 6, 7, 8, 15, 10, 11, 12, 13])
    expect(restored(line, [3]).view).toEqual([0, 1, 14, 2, 3, 4, 7, 8, 15, 10, 11, 12, 13])
    const evicted = without(line, [11, 12])
    expect(restored(evicted, [12]).view).toEqual([0, 1, 14, 4, 7, 8, 15, 10, 11, 12, 13])
  })

  it('[R220] puts nothing before a note that stands for what is older, as in the example of the rules', () => {
    const line = folded(lineOf('uuuuuuuuuuuuuuu'), [3, 4, 5, 6])
    expect(line.view.slice(0, 5)).toEqual([0, 1, 2, 15, 7])
    expect(restored(line, [4]).view.slice(0, 6)).toEqual([0, 1, 2, 15, 4, 7])
    expect(restored(restored(line, [5]), [4]).view.slice(0, 7)).toEqual([0, 1, 2, 15, 4, 5, 7])
  })

  it('[R221] puts an original where its copy stood, and leaves the other copies of its round', () => {
    const fan = clipped(lineOf('uaccrru'), [4, 5])
    expect(fan.view).toEqual([0, 1, 2, 3, 7, 8, 6])
    expect(restored(fan, [5]).view).toEqual([0, 1, 2, 3, 7, 5, 6])
    expect(restoreEntries(fan, [5])).toMatchObject({ indexes: [5] })
  })

  it('[R222, R229] leaves one form of a result, whatever range is restored and however often', () => {
    const line = clipped(plain, [6])
    const once = restored(line, all)
    expect(once.view).toEqual(plain.view)
    expect(restoreEntries(once, all)).toMatchObject({ type: 'nothing' })
    expect(restoreEntries(once, [6])).toMatchObject({ type: 'nothing' })
    const again = clipped(clipped(plain, [6]), [6], 'tighter')
    expect(restored(again, [6, 14, 15]).view).toEqual(plain.view)
  })

  it('[R222] brings back no copy by itself, and says what to restore instead', () => {
    const line = clipped(plain, [6])
    for (const seen of [line, restored(line, [6])])
      expect(restoreEntries(seen, [14])).toEqual({
        type: 'nothing',
        reason: expect.stringMatching(/14 is a shortened copy.*entry 6.*read_result/),
      })
  })

  it('[R223] puts an original in its own place where its copy left the view', () => {
    const line = without(clipped(plain, [6]), [5, 14])
    expect(restored(line, [6]).view).toEqual(plain.view)
  })

  it('[R100] brings back whole rounds, calls with their results', () => {
    const line = without(lineOf('uaccrru'), [1, 2, 3, 4, 5])
    for (const named of [1, 2, 5])
      expect(restoreEntries(line, [named])).toMatchObject({ indexes: [1, 2, 3, 4, 5] })
  })

  it('brings back what a note stands for where the note is named, and takes the note away', () => {
    const line = folded(plain, [2, 3, 5, 6])
    expect(restored(line, [14]).view).toEqual(plain.view)
  })

  it('[R220] brings an evicted note back into its place, but not beside what it stands for', () => {
    const line = without(folded(plain, [2, 3, 5, 6]), [14])
    expect(restored(line, [14]).view).toEqual([0, 1, 14, 4, 7, 8, 9, 10, 11, 12, 13])
    expect(restoreEntries(restored(line, [3]), [14])).toMatchObject({ type: 'nothing' })
    expect(restored(line, all).view).toEqual(plain.view)
  })

  it('[R123, R220] brings no note back beside another that holds some of it, and names that one', () => {
    const first = folded(plain, [2, 3])
    const merged = folded(without(first, [14]), [5, 6], 'merged')
    const both: Line = {
      ...merged,
      record: merged.record.map((entry) =>
        entry.note?.foldId === 'merged'
          ? { ...entry, note: { ...entry.note, firstIndex: 2, members: [2, 3, 5, 6] } }
          : entry,
      ),
    }
    expect(restoreEntries(both, [14])).toEqual({
      type: 'nothing',
      reason: expect.stringMatching(/entry 15, a note in the request/),
    })
    expect(restored(both, [15]).view).toEqual(plain.view)
    // A note that never stood in the view, since its fold was taken back.
    const rolledBack = folded(both, [8, 9])
    expect(restoreEntries({ ...rolledBack, view: both.view }, [16])).toMatchObject({ type: 'nothing' })
    // Where both have left the view, the newest stands for it all.
    const gone = without(both, [15])
    expect(restoreEntries(gone, [14, 15])).toMatchObject({ indexes: [15] })
    expect(restoreEntries(restored(gone, [14]), [15])).toMatchObject({
      reason: expect.stringContaining('entry 14'),
    })
  })

  it('[R123] brings back only what a note still stands for, and drops the note with the last of that', () => {
    const again = folded(restored(folded(plain, [2, 3, 5, 6], 'older'), [3]), [2, 3], 'newer')
    expect(again.view).toEqual([0, 1, 14, 15, 4, 7, 8, 9, 10, 11, 12, 13])
    expect(foldMembers(again, 'older')).toEqual([5, 6])
    expect(foldMembers(again, 'newer')).toEqual([2, 3])
    expect(Object.fromEntries(foldsOfEntries(again))).toEqual({
      2: 'newer',
      3: 'newer',
      5: 'older',
      6: 'older',
    })
    expect(restored(again, [14]).view).toEqual([0, 1, 15, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])
    expect(restored(again, [15]).view).toEqual([0, 1, 14, 2, 3, 4, 7, 8, 9, 10, 11, 12, 13])
    const spent = without(restored(again, [5]), [])
    expect(foldMembers(spent, 'older')).toEqual([14])
    expect(restoreEntries(spent, [14])).toMatchObject({ reason: expect.stringContaining('entry 15') })
  })

  it('takes a note away only when all that it stands for is back', () => {
    const line = folded(plain, [2, 3, 5, 6])
    const half = restored(line, [3])
    expect(half.view).toContain(14)
    expect(restored(half, [6]).view).toEqual(plain.view)
  })

  it('counts a member that stands as a copy for one that is back', () => {
    const line = folded(clipped(plain, [9]), [5, 6])
    const note = line.record.length - 1
    const both: Line = {
      ...line,
      record: line.record.map((entry) =>
        entry.note ? { ...entry, note: { ...entry.note, members: [5, 6, 9] } } : entry,
      ),
    }
    expect(both.view).toContain(note)
    expect(restored(both, [6]).view).not.toContain(note)
  })

  it('[R149] counts what comes back as unread and recovered', () => {
    const line: Line = { ...folded(plain, [2, 3, 5, 6]), carried: [...plain.view], recovered: new Set([12]) }
    const { delivered, recovered, carried } = restored(line, [3])
    expect([2, 3].some((index) => delivered.has(index) || carried.includes(index))).toBe(false)
    expect([...recovered]).toEqual([12, 2, 3])
    expect(delivered.has(5)).toBe(true)
  })

  it('[R149] leaves what was carried beside it carried', () => {
    const line: Line = { ...folded(plain, [2, 3, 5, 6]), carried: [0, 2, 3, 5] }
    expect(restored(line, [3]).carried).toEqual([0, 5])
  })

  it('[R100] brings back the round that a list begins with, as any other', () => {
    const line = without(lineOf('acrua'), [0, 1, 2])
    expect(restoreEntries(line, [1])).toMatchObject({ type: 'restored', indexes: [0, 1, 2] })
  })

  it('brings back an evicted note of which the list of the app holds a part', () => {
    const line = without(folded(plain, [8, 9, 11, 12]), [14])
    const cut: Line = { ...line, window: { from: 0, to: 10 } }
    expect(restoreEntries(cut, [14])).toMatchObject({ type: 'restored', indexes: [14] })
    const inView: Line = { ...folded(plain, [8, 9, 11, 12]), window: { from: 0, to: 10 } }
    expect(restoreEntries(inView, [14])).toMatchObject({ type: 'restored', indexes: [8, 9] })
  })

  it('says of a note whose entries are all there that they are', () => {
    const line = without(folded(plain, [2, 3, 5, 6]), [14])
    expect(restoreEntries(restored(line, [2]), [14])).toEqual({
      type: 'nothing',
      reason: expect.stringContaining('in the request already'),
    })
  })

  it('[R228] has nothing to do for what is in the request, and names the way to its middle', () => {
    expect(restoreEntries(plain, [3])).toEqual({
      type: 'nothing',
      reason: expect.stringContaining('read_result'),
    })
  })

  it('brings back only what the list of the app holds', () => {
    const line: Line = { ...without(plain, [2, 3, 11, 12]), window: { from: 0, to: 10 } }
    expect(restoreEntries(line, [12])).toMatchObject({ type: 'nothing' })
    expect(restored(line, all).view).not.toContain(12)
    expect(restoreEntries({ ...folded(plain, [11, 12]), window: { from: 0, to: 10 } }, [14])).toMatchObject({
      type: 'nothing',
    })
    const gone = without(folded(plain, [11, 12]), [14])
    expect(restoreEntries({ ...gone, window: { from: 0, to: 10 } }, [14])).toMatchObject({ type: 'nothing' })
    expect(restoreEntries(line, [77])).toMatchObject({ reason: expect.stringContaining('get_messages') })
  })
})

describe('a fold by its name', () => {
  it('stands for what its note took, or for the originals that it shortened', () => {
    const line = clipped(clipped(folded(plain, [2, 3], 'first'), [6, 9], 'second'), [9], 'third')
    expect(foldMembers(line, 'first')).toEqual([2, 3])
    expect(foldMembers(line, 'second')).toEqual([6, 9])
    expect(foldMembers(line, 'third')).toEqual([9])
    expect(foldMembers(line, 'fourth')).toBeNull()
    expect(restored(line, foldMembers(line, 'second') ?? []).view).toEqual(folded(plain, [2, 3]).view)
  })

  it('is known of each entry that it took out or shortened, while that is so', () => {
    const line = clipped(clipped(folded(plain, [2, 3], 'first'), [6, 9], 'second'), [9], 'third')
    expect(Object.fromEntries(foldsOfEntries(line))).toEqual({
      2: 'first',
      3: 'first',
      6: 'second',
      9: 'third',
    })
    expect([...foldsOfEntries(restored(line, [3, 6, 9]))]).toEqual([])
    const half = restored(folded(plain, [2, 3, 5, 6]), [3])
    expect([...foldsOfEntries(half).keys()]).toEqual([5, 6])
  })
})
