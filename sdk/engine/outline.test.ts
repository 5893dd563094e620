import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../testing/random.ts'
import { type Outline, OutlineJoiner, outlineSegment } from './outline.ts'
import { Pace } from './pace.ts'
import { asksNothing, resumed, runPlan } from './plan.ts'
import { isSafeCut } from './safe-cut.ts'

function outlineOf(segment: { readonly owner: number; readonly text: string }): Outline {
  return runPlan(outlineSegment(segment, new Pace()), asksNothing)
}

const same = (owner: number): number => owner

function words(seed: number, length: number): string {
  const random = seededRandom(seed)
  let text = ''
  while (text.length < length)
    text += `${random.pick(['so', 'word', 'sentence', 'number'])} ${random.integer(0, 999)} `
  return text
}

function piecesOf(text: string): readonly string[] {
  const outline = outlineOf({ owner: 0, text })
  return outline.type === 'loose' ? [] : outline.pieces.map((piece) => piece.text)
}

describe('outlineSegment', () => {
  it('may pause all along a long text', () => {
    const plan = outlineSegment({ owner: 0, text: words(7, 500_000) }, new Pace())
    let pauses = 0
    while (!plan.next(resumed).done) pauses++
    expect(pauses).toBeGreaterThan(15)
  })

  it('is all loose where a text has no cut', () => {
    for (const text of ['', 'word', '   '])
      expect(outlineOf({ owner: 3, text })).toEqual({ type: 'loose', text, owner: 3 })
  })

  it('keeps what stands before the first cut and after the last one apart', () => {
    expect(outlineOf({ owner: 3, text: 'one two three' })).toEqual({
      type: 'cut',
      head: { owner: 3, text: 'one' },
      pieces: [{ owner: 3, text: ' two' }],
      tail: { owner: 3, text: ' three' },
    })
    expect(outlineOf({ owner: 3, text: 'one two' })).toMatchObject({
      pieces: [],
      tail: { text: ' two' },
    })
  })

  const lengthsOf = (text: string): readonly number[] => {
    const outline = outlineOf({ owner: 0, text })
    if (outline.type === 'loose') throw new TypeError('a text of words has cuts')
    const { head, pieces, tail } = outline
    expect(head.text + pieces.map((piece) => piece.text).join('') + tail.text).toBe(text)
    return pieces.map((piece) => piece.text.length)
  }

  it('takes a long text that says the same over and over apart at the first cut behind each 8,192 units', () => {
    expect(lengthsOf('word '.repeat(6_000))).toEqual([8_195, 8_195, 8_195, 5_410])
  })

  it('takes a long text apart into pieces of 2,048 units and more, about 4,096 each', () => {
    const text = words(1, 100_000)
    const lengths = lengthsOf(text)
    expect(Math.min(...lengths.slice(0, -1))).toBeGreaterThanOrEqual(2_048)
    expect(Math.max(...lengths)).toBeLessThan(8_192 + 20)
    expect(text.length / lengths.length).toBeGreaterThan(3_000)
    expect(text.length / lengths.length).toBeLessThan(6_000)
  })

  it.each([1, 2, 3])('cuts what stands before and behind a change into the same pieces, seed %i', (seed) => {
    const text = words(seed, 100_000)
    const changed = `${text.slice(0, 30_000)} and a few words more ${text.slice(42_000)}`
    const before = new Set(piecesOf(text))
    const fresh = piecesOf(changed).filter((piece) => !before.has(piece))
    expect(fresh.join('').length).toBeLessThan(20_000)
  })

  it('takes a run without cuts into one piece, however long it is', () => {
    const outline = outlineOf({ owner: 0, text: `a ${'x'.repeat(20_000)} b c` })
    expect(outline).toMatchObject({ pieces: [{ text: ` ${'x'.repeat(20_000)}` }, { text: ' b' }] })
  })
})

describe('OutlineJoiner', () => {
  function joined(...texts: readonly string[]): OutlineJoiner {
    const joiner = new OutlineJoiner()
    for (const [owner, text] of texts.entries()) joiner.add(outlineOf({ owner, text }), (own) => own + 10)
    return joiner
  }

  it('makes one piece of two ends that meet, for the owner of its beginning', () => {
    expect(joined('one two', 'more three').outline()).toEqual({
      type: 'cut',
      head: { owner: 10, text: 'one' },
      pieces: [{ owner: 10, text: ' twomore' }],
      tail: { owner: 11, text: ' three' },
    })
    expect(joined('one', 'two', 'three four').closed).toEqual([{ owner: 10, text: 'onetwothree' }])
  })

  it('gives pieces to their own owner, and an end to the first that has a text', () => {
    expect(joined('', 'a', 'b c d').closed).toEqual([
      { owner: 11, text: 'ab' },
      { owner: 12, text: ' c' },
    ])
    expect(joined('', '').outline()).toMatchObject({ type: 'loose', text: '' })
    expect(joined('', 'a').outline()).toEqual({ type: 'loose', owner: 11, text: 'a' })
  })

  it('goes on where something before it ended', () => {
    const joiner = new OutlineJoiner()
    joiner.resume({ owner: 7, text: 'be' })
    joiner.addLoose(8, 'hind')
    expect(joiner.open).toEqual({ owner: 7, text: 'behind' })
    expect(joiner.closed).toEqual([])
  })

  it('takes texts apart at safe cuts of the whole, in whatever groups they are joined (seed 23)', () => {
    const unit = fc.constantFrom(..."ab1-/' \n\u00e9\u4f60\u3002\u0301\ud83d\ude00")
    const texts = fc.array(fc.string({ unit, maxLength: 12 }), { maxLength: 8 })
    fc.assert(
      fc.property(texts, fc.nat(8), (all, split) => {
        const one = joined(...all)
        const whole = all.join('')
        const parts = [...one.closed, one.open].map(({ text }) => text)
        expect(parts.join('')).toBe(whole)
        let at = 0
        for (const part of parts.slice(0, -1)) {
          at += part.length
          expect(isSafeCut(whole, at)).toBe(true)
        }
        const groups = new OutlineJoiner()
        for (const group of [all.slice(0, split), all.slice(split)])
          groups.add(joined(...group).outline(), same)
        expect([...groups.closed, groups.open].map(({ text }) => text)).toEqual(parts)
      }),
      { seed: 23 },
    )
  })
})
