import { describe, expect, it } from 'vitest'
import { chooseMethod, type MethodFacts } from './choose-method.ts'
import { itemSignature } from './compile.ts'
import { estimateNumber, initialScale } from './scale.ts'

const facts: MethodFacts = {
  model: 'm',
  anchor: { model: 'm', reported: 1000, counted: 800, items: ['a'] },
  scale: initialScale,
  remote: null,
  toolsNow: 100,
  exact: true,
  items: ['a', 'b'],
  countedNow: 900,
}

function estimateBy(change: Partial<MethodFacts>, scale = initialScale): readonly [string, number] {
  const { method, factorFor } = chooseMethod({ ...facts, ...change })
  return [method, estimateNumber({ counted: change.countedNow ?? 900, factor: factorFor(scale) })]
}

describe('how a request is estimated', () => {
  it('is by what was reported for the request that it extends, and the scaled growth since', () => {
    expect(estimateBy({})).toEqual(['anchored', 1100])
    expect(estimateBy({}, { reported: 3, counted: 2 })).toEqual(['anchored', 1150])
  })

  it('is by the count alone where it does not extend that one, or another model reported it', () => {
    for (const change of [{ items: ['a'] }, { items: ['b', 'a'] }, { model: 'other' }, { anchor: null }])
      expect(estimateBy(change)).toEqual(['counted', 900])
    const anchor = { model: 'm', reported: 1000, counted: 800, items: ['a', 'b'] }
    expect(estimateBy({ anchor, items: ['a', 'c', 'd'] })).toEqual(['counted', 900])
    expect(estimateBy({ exact: false })).toEqual(['estimate', 900])
  })

  it('is by the count alone where a note says something else, of whatever length', () => {
    const note = (text: string): string => itemSignature({ type: 'note', index: 7, text })
    const anchor = { model: 'm', reported: 1000, counted: 800, items: [note('#3 read() -> 10 characters')] }
    expect(estimateBy({ anchor, items: [...anchor.items, 'b'] })).toEqual(['anchored', 1100])
    const changed = note('#4 read() -> 11 characters')
    expect(estimateBy({ anchor, items: [changed, 'b'] })).toEqual(['counted', 900])
  })

  it('is by the report of a request that named no model, where this one names none either', () => {
    const anchor = { model: '', reported: 1000, counted: 800, items: ['a'] }
    expect(estimateBy({ anchor, model: undefined })).toEqual(['anchored', 1100])
    expect(estimateBy({ model: undefined })).toEqual(['counted', 900])
  })

  it('is by what was reported for history that the provider holds, and all of the scaled count', () => {
    const raised = { reported: 3, counted: 2 }
    for (const exact of [true, false]) {
      expect(estimateBy({ remote: { reported: 5000 }, exact })).toEqual(['remote', 5900])
      expect(estimateBy({ remote: { reported: 5000 }, exact }, raised)).toEqual(['remote', 6350])
    }
    // Of 100 tokens of tools then and 100 now, 900 in all: each request brings its own.
    expect(estimateBy({ remote: { reported: 5000, tools: 100 } })).toEqual(['remote', 5800])
    expect(estimateBy({ remote: { reported: 5000, tools: 100 }, toolsNow: 40 })).toEqual(['remote', 5860])
    expect(estimateBy({ remote: { reported: 5000, tools: 60 } })).toEqual(['remote', 5840])
    expect(estimateBy({ remote: { reported: 5000, tools: 100 }, toolsNow: 0 })).toEqual(['remote', 5900])
    expect(estimateBy({ remote: { reported: 0 } })).toEqual(['remote', 900])
    expect(estimateBy({ remote: { reported: null }, anchor: null })).toEqual(['counted', 900])
  })

  it('is by the count where more went than was ever reported, at the scale now or at a raised one', () => {
    const anchor = { model: 'm', reported: 300, counted: 800, items: ['a'] }
    expect(estimateBy({ anchor, countedNow: 400 })).toEqual(['counted', 400])
    expect(estimateBy({ anchor, countedNow: 500 })).toEqual(['counted', 500])
    expect(estimateBy({ anchor, countedNow: 501 })).toEqual(['anchored', 1])
    expect(estimateBy({ anchor, countedNow: 600 })).toEqual(['anchored', 100])
    expect(estimateBy({ anchor, countedNow: 600 }, { reported: 3, counted: 2 })).toEqual(['anchored', 900])
    expect(estimateBy({ anchor, countedNow: 600 }, { reported: 2, counted: 1 })).toEqual(['anchored', 1200])
  })
})
