import { describe, expect, it } from 'vitest'
import { lineOf } from '../testing/toy-fold.ts'
import { type Refusal, resumptionsLeft, standingRefusal, type TurnState, turnAfter, turnOf } from './turn.ts'

const refusal: Refusal = {
  requestId: 'q',
  estimate: 120,
  ceiling: 100,
  counted: 120,
  scale: 1,
  largestParts: [],
  reason: 'over_ceiling',
}
const line = lineOf('suacr')
const fresh: TurnState = { task: 1, resumptions: 0 }
const requested = (turn: TurnState, change: Partial<Parameters<typeof turnAfter>[1]> = {}): TurnState =>
  turnAfter(turn, { line, resumptions: 0, refusal: null, asked: 'this', ...change })

describe('a turn', () => {
  it('is the newest instruction and what follows it, and begins with nothing', () => {
    expect(turnOf(line, null)).toEqual(fresh)
    const known = { task: 1, resumptions: 2 }
    expect(turnOf(line, known)).toBe(known)
    expect(turnOf(lineOf('suacru'), known)).toEqual({ task: 5, resumptions: 0 })
  })

  it('[R60] may resume twice, over all of its requests', () => {
    const once = requested(fresh, { resumptions: 1 })
    expect([fresh, once, requested(once, { resumptions: 1 })].map(resumptionsLeft)).toEqual([2, 1, 0])
  })
})

describe('[R52] the first refusal of a turn', () => {
  const refused = requested(fresh, { refusal })

  it('is kept with how it was asked for and how long the list was', () => {
    expect(requested(fresh, { refusal }).refusal).toEqual({ first: refusal, asked: 'this', listEntries: 5 })
  })

  it('stands for the same or a longer list that is asked for in the same way', () => {
    expect(standingRefusal(refused, line, 'this')).toBe(refusal)
    expect(standingRefusal(refused, lineOf('suacracr'), 'this')).toBe(refusal)
    expect(standingRefusal(fresh, line, 'this')).toBeNull()
  })

  it('ends where the request is asked for in another way, or the list is shorter at either end', () => {
    expect(standingRefusal(refused, line, 'that')).toBeNull()
    expect(standingRefusal(refused, { ...line, window: { from: 0, to: 4 } }, 'this')).toBeNull()
    expect(standingRefusal(refused, { ...line, window: { from: 1, to: 5 } }, 'this')).toBeNull()
  })

  it('stays as it was while it stands, and does not come back once a request has ended it', () => {
    const longer = lineOf('suacracr')
    expect(requested(refused, { refusal, line: longer })).toEqual(refused)
    expect(requested(refused)).toEqual(fresh)
    expect(standingRefusal(requested(refused), line, 'this')).toBeNull()
    const other = { ...refusal, requestId: 'r' }
    expect(requested(refused, { refusal: other, asked: 'that' }).refusal).toMatchObject({
      first: other,
      asked: 'that',
    })
  })
})
