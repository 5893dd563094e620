import { describe, expect, it } from 'vitest'
import { knownMessage } from '../testing/known-message.ts'
import { appendMessages, placeSystem } from './append.ts'
import type { KnownMessage } from './intake.ts'
import { emptyLine, type Line } from './record.ts'

function lineOf(...messages: readonly KnownMessage[]): Line {
  return appendMessages(emptyLine('line'), messages)
}

const task = knownMessage('u', 'task')
const asked = knownMessage('ac', 'one')
const told = knownMessage('r', 'one')

describe('appendMessages', () => {
  it('[R69] records every draft of a message with its place in it', () => {
    const line = lineOf(task, asked)
    expect(line.record).toStrictEqual([
      {
        index: 0,
        kind: 'instruction',
        key: 'u:task:0',
        round: -1,
        source: { hash: 'u:task', first: 0, draft: 0, of: 1 },
        chars: 5,
      },
      {
        index: 1,
        kind: 'answer',
        key: 'a:one:0',
        round: 1,
        source: { hash: 'ac:one', first: 1, draft: 0, of: 2 },
        chars: 4,
      },
      {
        index: 2,
        kind: 'call',
        key: 'c:one:1',
        round: 1,
        source: { hash: 'ac:one', first: 1, draft: 1, of: 2 },
        chars: 4,
        callId: 'one',
      },
    ])
    expect(line).toMatchObject({ view: [0, 1, 2], window: { from: 0, to: 3 } })
  })

  it('records what a draft says of itself, and nothing that it does not say', () => {
    const said = knownMessage('u', 'said')
    const draft = { ...said.reading.drafts[0], kind: 'call', name: 'search', startsTurn: false } as const
    const line = lineOf({
      ...said,
      reading: { drafts: [{ matchText: '', text: '', ...draft }], segments: [] },
    })
    expect(line.record[0]).toMatchObject({ name: 'search', startsTurn: false })
    expect(lineOf(said).record[0]).not.toHaveProperty('name')
  })

  it('gives back the very line where nothing is new', () => {
    const line = lineOf(task)
    expect(appendMessages(line, [])).toBe(line)
  })

  it('[R68] leaves the line it was given as it was, and a cut front cut', () => {
    const line: Line = { ...lineOf(task, asked), window: { from: 1, to: 3 }, view: [1, 2] }
    const longer = appendMessages(line, [told])
    expect(line.record).toHaveLength(3)
    expect(longer).toMatchObject({ view: [1, 2, 3], window: { from: 1, to: 4 } })
  })

  it('gives a result without an id to the newest round, and one without a call to none', () => {
    const anonymous = knownMessage('r', 'one')
    const drafts = anonymous.reading.drafts.map(({ callId: _, ...draft }) => draft)
    const nameless = { ...anonymous, reading: { drafts, segments: [] } }
    expect(lineOf(task, asked, knownMessage('ac', 'two'), nameless).record.at(-1)?.round).toBe(3)
    expect(lineOf(task, asked, knownMessage('r', 'other')).record.at(-1)?.round).toBe(-1)
    expect(lineOf(task, nameless).record.at(-1)?.round).toBe(-1)
    expect(lineOf(task, asked, told, task, nameless).record.at(-1)?.round).toBe(1)
    expect(lineOf(task, asked, told, task).record.at(-1)?.round).toBe(-1)
    expect(lineOf(task, knownMessage('ac', 'two'), asked, told).record.at(-1)?.round).toBe(3)
  })

  it('[R86] takes nothing for read that stands behind the newest answer, nor the answer itself', () => {
    const line = lineOf(task, asked, told)
    expect([...line.delivered]).toEqual([0])
    expect([...appendMessages(line, [knownMessage('u', 'more')]).delivered]).toEqual([0])
    const sent = { ...line, carried: [0, 1, 2, 3] }
    expect([...appendMessages(sent, [knownMessage('a', 'done'), task]).delivered]).toEqual([0, 1, 2, 3])
  })

  it('[R149] guards what was recovered until an answer shows that a request carried it', () => {
    const recovered: Line = { ...lineOf(task, asked), carried: [0, 1], recovered: new Set([1, 2]) }
    expect([...appendMessages(recovered, [knownMessage('ac', 'done')]).recovered]).toEqual([2])
    expect([...appendMessages(recovered, [told]).recovered]).toEqual([1, 2])
  })
})

describe('a result that may have no id of its own', () => {
  /** Drafts of one message: calls and results by name and id. */
  const messageOf = (...units: readonly (readonly [kind: 'call' | 'result', name: string, id: string])[]) => {
    const { reading: _, ...known } = knownMessage('u', units.join())
    const drafts = units.map(([kind, name, callId]) => ({
      kind,
      matchText: '',
      text: '',
      name,
      callId,
      ...(kind === 'result' ? { pairsByName: true as const } : {}),
    }))
    return { ...known, reading: { drafts, segments: [] } }
  }
  const idsOf = (...messages: readonly KnownMessage[]) =>
    lineOf(task, ...messages)
      .record.filter(({ kind }) => kind === 'result')
      .map(({ callId, round }) => [callId, round])
  const calls = messageOf(['call', 'look', 'x'], ['call', 'find', 'y'], ['call', 'look', 'z'])

  it('answers the call of its id, wherever it stands', () => {
    expect(idsOf(calls, messageOf(['result', 'look', 'z'], ['result', 'look', 'x']))).toEqual([
      ['z', 1],
      ['x', 1],
    ])
  })

  it('answers the calls of its name in their order where no id is shared, each once', () => {
    const results = messageOf(
      ['result', 'find', 'find#0'],
      ['result', 'look', 'look#0'],
      ['result', 'look', 'a'],
    )
    expect(idsOf(calls, results)).toEqual([
      ['y', 1],
      ['x', 1],
      ['z', 1],
    ])
    expect(
      idsOf(calls, messageOf(['result', 'look', 'look#0']), messageOf(['result', 'look', 'look#0'])),
    ).toEqual([
      ['x', 1],
      ['z', 1],
    ])
  })

  it('answers nothing outside the newest round, and nothing of another name', () => {
    const old = messageOf(['call', 'look', 'look#0'])
    const newer = messageOf(['call', 'find', 'y'])
    expect(idsOf(old, newer, messageOf(['result', 'look', 'look#0']))).toEqual([['look#0', -1]])
    expect(idsOf(old, calls, messageOf(['result', 'look', 'look#0']))).toEqual([['x', 2]])
    expect(idsOf(messageOf(['result', 'look', 'look#0']))).toEqual([['look#0', -1]])
  })
})

describe('placeSystem', () => {
  const system = { key: 'k1', hash: 'h1', chars: 9 }
  const line = placeSystem(lineOf(task), system)

  it('[R70] puts the system at the head of the view, and none of the list after it', () => {
    expect(line.view).toEqual([1, 0])
    expect(line.record[1]).toStrictEqual({
      index: 1,
      kind: 'system',
      key: 'k1',
      round: -1,
      slot: true,
      source: { hash: 'h1', first: 1, draft: 0, of: 1 },
      chars: 9,
    })
  })

  it('[R70] puts a changed system there, and keeps the old one in the record', () => {
    const changed = placeSystem(line, { ...system, key: 'k2' })
    expect(changed.view).toEqual([2, 0])
    expect(changed.record.map(({ key }) => key)).toEqual(['u:task:0', 'k1', 'k2'])
    expect(placeSystem(changed, system).view).toEqual([3, 0])
  })

  it('keeps the very line where the system is what it was', () => {
    expect(placeSystem(line, { ...system })).toBe(line)
    const bare = lineOf(task)
    expect(placeSystem(bare, null)).toBe(bare)
  })

  it('takes the system of a request without one out of the view, and puts it back', () => {
    const without = placeSystem(line, null)
    expect(without.view).toEqual([0])
    expect(without.record).toBe(line.record)
    expect(placeSystem(without, null)).toBe(without)
    expect(placeSystem(without, system).view).toEqual([2, 0])
  })
})
