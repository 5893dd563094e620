import { describe, expect, it } from 'vitest'
import { type Entry, emptyLine, type Line } from './record.ts'
import { roundsInView, roundsOfTail } from './rounds.ts'

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
    const rounds = roundsInView(line, line.view)
    expect(rounds.map(({ id, entries, exchange }) => [id, idsOf(entries), idsOf(exchange)])).toEqual([
      [2, [2, 3, 4], [3, 4]],
      [7, [7, 8, 9, 10, 11], [8, 9, 10, 11]],
    ])
  })

  it('holds no round whose calls and results have left the view, and none that only talked', () => {
    const line = lineOf('uacruaua')
    expect(roundsInView(line, [0, 1, 4, 5, 6, 7])).toEqual([])
    expect(roundsInView(line, [0, 1, 3]).map(({ exchange }) => idsOf(exchange))).toEqual([[3]])
  })

  it('takes a round whose answer is the first entry there is for a round', () => {
    const line = lineOf('acr')
    expect(roundsInView(line, line.view).map(({ id }) => id)).toEqual([0])
  })

  it('skips what the record does not hold', () => {
    const line = lineOf('uacr')
    expect(roundsInView(line, [1, 2, 3, 99]).map(({ entries }) => idsOf(entries))).toEqual([[1, 2, 3]])
  })
})

describe('roundsOfTail', () => {
  it('widens to each round that has an entry in the tail', () => {
    const line = lineOf('uacracr')
    expect(roundsOfTail(line, line.view, 3)).toEqual(new Set([4]))
    expect(roundsOfTail(line, line.view, 4)).toEqual(new Set([1, 4]))
  })

  it('counts neither notes nor the system, nor what the record does not hold', () => {
    const line = lineOf('acrnsu')
    expect(roundsOfTail(line, [...line.view, 99], 1)).toEqual(new Set([-1]))
    expect(roundsOfTail(line, [...line.view, 99], 2)).toEqual(new Set([-1, 0]))
  })
})
