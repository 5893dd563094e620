import { describe, expect, it } from 'vitest'
import { knownMessage } from '../testing/known-message.ts'
import { appendMessages, placeSystem } from './append.ts'
import type { KnownMessage } from './intake.ts'
import { messageOrder, placeList } from './place.ts'
import { emptyLine, type Line } from './record.ts'

const chat = [
  knownMessage('u', 'task'),
  knownMessage('ac', 'one'),
  knownMessage('r', 'one'),
  knownMessage('a', 'said'),
]
const fresh = knownMessage('u', 'new')
const system = { key: 'k', hash: 'h', chars: 1 }

function lineOf(id: string, ...messages: readonly KnownMessage[]): Line {
  return appendMessages(emptyLine(id), messages)
}

function placed(
  lines: readonly Line[],
  messages: readonly KnownMessage[],
  slot: typeof system | null = null,
) {
  const placement = placeList({ lines, messages, system: slot, newLineId: 'child' })
  if (placement.type !== 'placed') throw new TypeError('the list was taken for a foreign one')
  return placement
}

describe('placeList', () => {
  it('goes on with a line that the list extends', () => {
    const { line, forkedFrom } = placed([lineOf('a', ...chat)], [...chat, fresh], system)
    expect(line).toMatchObject({ id: 'a', view: [5, 0, 1, 2, 3, 4, 6], window: { from: 0, to: 6 } })
    expect(forkedFrom).toBeUndefined()
  })

  it('moves a line back to where a shorter list ends, and on again', () => {
    const { line } = placed([lineOf('a', ...chat)], chat.slice(0, 2), system)
    expect(line).toMatchObject({ id: 'a', view: [5, 0, 1, 2], window: { from: 0, to: 3 } })
    expect(placed([line], chat, system).line).toMatchObject({ view: [5, 0, 1, 2, 3, 4], window: { to: 5 } })
  })

  it('takes the front that the app cut out of the view, and goes on behind it', () => {
    const { line } = placed([lineOf('a', ...chat)], [...chat.slice(2), fresh])
    expect(line).toMatchObject({ id: 'a', view: [3, 4, 5], window: { from: 3, to: 6 } })
    expect(messageOrder(line, [...chat.slice(2), fresh])).toEqual([3, 4, 5])
    expect(placed([line], [...chat, fresh]).line.view).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('makes a line of its own for a list that differs', () => {
    const parent = lineOf('a', ...chat)
    const { line, forkedFrom } = placed([parent], [...chat.slice(0, 3), fresh], system)
    expect(forkedFrom).toBe('a')
    expect(line).toMatchObject({ id: 'child', parent: { lineId: 'a', index: 4 }, view: [4, 0, 1, 2, 3, 5] })
  })

  it('forks and moves back in a list whose front the app has cut, and keeps the front out', () => {
    const cut = placed([lineOf('a', ...chat)], chat.slice(1)).line
    expect(cut).toMatchObject({ view: [1, 2, 3, 4], window: { from: 1, to: 5 } })
    const edited = placed([cut], [...chat.slice(1, 3), fresh], system)
    expect(edited).toMatchObject({ forkedFrom: 'a' })
    expect(edited.line).toMatchObject({
      id: 'child',
      parent: { lineId: 'a', index: 4 },
      view: [4, 1, 2, 3, 5],
      window: { from: 1, to: 5 },
    })
    expect(messageOrder(edited.line, [...chat.slice(1, 3), fresh])).toEqual([1, 3, 5])
    const back = placed([cut], chat.slice(1, 3))
    expect(back).not.toHaveProperty('forkedFrom')
    expect(back.line).toMatchObject({ id: 'a', view: [1, 2, 3], window: { from: 1, to: 4 } })
    expect(placed([edited.line, cut], chat).line).toMatchObject({ id: 'a', view: [0, 1, 2, 3, 4] })
  })

  it('takes the line that repeats most of a list whose front was cut', () => {
    const old = lineOf('old', ...chat.slice(0, 2), fresh)
    const long = placed([lineOf('long', ...chat)], chat.slice(1)).line
    const list = [...chat.slice(1, 3), fresh]
    expect(placed([old, long], list).forkedFrom).toBe('long')
    expect(placed([old, lineOf('long', ...chat)], chat.slice(2)).line.id).toBe('long')
    expect(placed([lineOf('a', ...chat), lineOf('b', ...chat)], chat.slice(2)).line.id).toBe('a')
  })

  it('takes the line with the longest common beginning, and the first of equals', () => {
    const short = lineOf('short', chat[0] as KnownMessage, fresh)
    const long = lineOf('long', ...chat)
    expect(placed([short, long], chat).line.id).toBe('long')
    expect(placed([long, short], chat).line.id).toBe('long')
    expect(placed([short, long], chat.slice(0, 1)).line.id).toBe('short')
    expect(placed([long, short], chat.slice(0, 1)).line.id).toBe('long')
  })

  it('takes a line that shares nothing only where it is empty', () => {
    expect(placed([emptyLine('new')], chat).line).toMatchObject({ id: 'new', view: [0, 1, 2, 3, 4] })
    for (const lines of [[], [lineOf('a', ...chat)]])
      expect(placeList({ lines, messages: [fresh], system, newLineId: 'child' })).toEqual({ type: 'foreign' })
  })

  it('places the system of the request, or takes it away', () => {
    const line = placeSystem(lineOf('a', ...chat), system)
    expect(placed([line], chat, null).line.view).toEqual([0, 1, 2, 3, 4])
    expect(placed([line], chat, { ...system, key: 'other' }).line.view).toEqual([6, 0, 1, 2, 3, 4])
  })
})

describe('messageOrder', () => {
  it('finds the first entry of each message, past entries that come from no list', () => {
    const line = appendMessages(placeSystem(lineOf('a', ...chat.slice(0, 1)), system), chat.slice(1))
    expect(messageOrder(line, chat)).toEqual([0, 2, 4, 5])
    expect(messageOrder(line, [...chat, fresh])).toEqual([0, 2, 4, 5, -1])
  })
})
