import { describe, expect, it } from 'vitest'
import { type Entry, emptyLine, type Line } from './record.ts'
import { roundsFrom, roundsInView, tailOf } from './rounds.ts'

/** `u` instruction, `a` answer, `c` call, `r` result, `n` note, `s` system; a result answers the newest call. */
function lineOf(letters: string): Line {
  const kinds = { u: 'instruction', a: 'answer', c: 'call', r: 'result', n: 'note', s: 'system' } as const
  let round = -1
  const record = [...letters].map((letter, index): Entry => {
    if (letter === 'a') round = index
    const kind = kinds[letter as keyof typeof kinds]
    return { index, kind, key: `${index}`, round: 'acr'.includes(letter) ? round : -1, chars: 1 }
  })
  return { ...emptyLine('line'), record, view: record.map(({ index }) => index) }
}

const idsOf = (entries: readonly Entry[]) => entries.map(({ index }) => index)

describe('roundsInView', () => {
  it('[R100] names each round by its answer and holds all of it that is in the view', () => {
    const line = lineOf('suacrunaccrr')
    const rounds = roundsInView(line)
    expect(rounds.map(({ id, entries, exchange }) => [id, idsOf(entries), idsOf(exchange)])).toEqual([
      [2, [2, 3, 4], [3, 4]],
      [7, [7, 8, 9, 10, 11], [8, 9, 10, 11]],
    ])
  })

  it('holds no round whose calls and results have left the view, and none that only talked', () => {
    const line = lineOf('uacruaua')
    expect(roundsInView({ ...line, view: [0, 1, 4, 5, 6, 7] })).toEqual([])
    expect(roundsInView({ ...line, view: [0, 1, 3] }).map(({ exchange }) => idsOf(exchange))).toEqual([[3]])
  })

  it('takes a round whose answer is the first entry there is for a round', () => {
    const line = lineOf('acr')
    expect(roundsInView(line).map(({ id }) => id)).toEqual([0])
  })

  it('skips what the record does not hold', () => {
    const line = lineOf('uacr')
    expect(roundsInView({ ...line, view: [1, 2, 3, 99] }).map(({ entries }) => idsOf(entries))).toEqual([
      [1, 2, 3],
    ])
  })
})

describe('roundsFrom', () => {
  it('[R100] leaves a round out that has an entry before the position', () => {
    const line = lineOf('uacrnacracr')
    const idsFrom = (view: readonly number[], from: number) =>
      roundsFrom({ ...line, view }, from).map(({ id }) => id)
    expect(idsFrom(line.view, 0)).toEqual([1, 5, 8])
    expect(idsFrom(line.view, 1)).toEqual([1, 5, 8])
    expect(idsFrom(line.view, 2)).toEqual([5, 8])
    expect(idsFrom([0, 1, 4, 2, 3, 5, 6, 7], 3)).toEqual([5])
    expect(idsFrom([0, 4, 2, 3, 5, 6, 7], 2)).toEqual([1, 5])
  })
})

describe('tailOf', () => {
  const tail = (line: Line, entries: number, margin = 0) => {
    const { start, rounds } = tailOf(line, { entries, margin })
    return [start, [...rounds].sort((left, right) => left - right)]
  }

  it('[R101] widens to each round that has an entry in the tail', () => {
    const line = lineOf('uacracr')
    expect(tail(line, 3)).toEqual([4, [4]])
    expect(tail(line, 4)).toEqual([1, [1, 4]])
    expect(tail(line, 7)).toEqual([0, [1, 4]])
    expect(tail(line, 8)).toEqual([0, [1, 4]])
  })

  it('counts neither notes nor the system, nor what the record does not hold', () => {
    const line = lineOf('acrnsu')
    expect(tail({ ...line, view: [...line.view, 99] }, 1)).toEqual([5, []])
    expect(tail({ ...line, view: [...line.view, 99] }, 2)).toEqual([0, [0]])
    expect(tail({ ...line, view: [3, 4] }, 2)).toEqual([2, []])
  })

  it('[R249] keeps as many rounds before it as the margin says, with calls or without', () => {
    const line = lineOf('uauacruacracr')
    expect(tail(line, 2)).toEqual([10, [10]])
    expect(tail(line, 2, 1)).toEqual([7, [7, 10]])
    expect(tail(line, 2, 2)).toEqual([3, [3, 7, 10]])
    expect(tail(line, 2, 3)).toEqual([1, [1, 3, 7, 10]])
    expect(tail(line, 2, 9)).toEqual([1, [1, 3, 7, 10]])
    const talk = lineOf('uacruauacr')
    expect(tail(talk, 2, 1)).toEqual([5, [5, 7]])
  })
})
