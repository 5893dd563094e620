import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSafeCut, nextSafeCut, previousSafeCut } from './safe-cut.ts'

const SEED = 20_240_611

/** The text with a bar at every safe cut. */
function cuts(text: string): string {
  return text.replace(/[\s\S]/g, (unit, position: number) => (isSafeCut(text, position) ? `|${unit}` : unit))
}

describe('isSafeCut', () => {
  it.each([
    ['word to space', 'one two', 'one| two'],
    ['space to anything else', 'a  b', 'a|  b'],
    [
      'any character to a space of any kind',
      '\u{1f600}\u3000\u0301\u0085\ud800\u2003',
      '\u{1f600}|\u3000\u0301|\u0085\ud800|\u2003',
    ],
    ['word to punctuation but not to an apostrophe', "it's, a-b", "it's|,| a|-b"],
    ['word to a mark', 'e\u0301', 'e\u0301'],
    ['digits from letters and punctuation', 'a1b-2.5', 'a|1|b|-|2|.|5'],
    ['digits among digits', '12345', '12345'],
    ['digits of other scripts', '1\u0661\u00bd', '1\u0661\u00bd'],
    ['white space to a digit', ' 1  2', ' 1|  2'],
    [
      'line break to all but white space and slash',
      '\na\n1\n-\n \n/\r\n\u00e9',
      '\n|a|\n|1|\n|-\n \n/\r\n|\u00e9',
    ],
    ['word to line break', 'a\nb', 'a|\n|b'],
    ['punctuation to line break', '}\n{', '}\n|{'],
    ['Han to full-width punctuation', '你好，世界。好', '你好|，世界|。好'],
    ['byte order mark, which is no white space', 'a\ufeffb \ufeff', 'a\ufeffb| \ufeff'],
  ])('%s', (_, text, expected) => {
    expect(cuts(text)).toBe(expected)
  })

  it('is false at the ends of a text and beyond', () => {
    for (const position of [-1, 0, 3, 4]) expect(isSafeCut(' a ', position)).toBe(false)
    expect(isSafeCut('', 0)).toBe(false)
    expect(isSafeCut('a\n', 2)).toBe(false)
    expect(nextSafeCut('a\n', 2)).toBe(-1)
  })

  it('never splits a surrogate pair', () => {
    for (let code = 0x10000; code <= 0x10ffff; code += 0x101) {
      expect(isSafeCut(` ${String.fromCodePoint(code)}1`, 2)).toBe(false)
    }
  })
})

describe('the classes of characters', () => {
  const units = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))

  it('take for white space what Unicode takes for it', () => {
    const taken = units.filter((unit) => isSafeCut(`-${unit}`, 1) && !/\d/.test(unit))
    expect(taken).toEqual(units.filter((unit) => /\p{White_Space}/u.test(unit) && !/[\r\n]/.test(unit)))
  })

  /** First and last code of each run of neighbours beyond ASCII, in hexadecimal. */
  function runsOf(taken: readonly string[]): string {
    const codes = taken.map((unit) => unit.charCodeAt(0)).filter((code) => code >= 0x80)
    const all = new Set(codes)
    const hex = (code: number): string => code.toString(16)
    const starts = codes.filter((code) => !all.has(code - 1)).map(hex)
    const ends = codes.filter((code) => !all.has(code + 1)).map(hex)
    return starts.map((start, run) => `${start}-${ends[run]}`).join(' ')
  }

  it('reach over the letters and the punctuation of most texts, up to where Unicode versions differ', () => {
    const letters = units.filter((unit) => isSafeCut(`${unit}-`, 1) && !/[\d\r\n]/.test(unit))
    expect(runsOf(letters)).toBe('c0-d6 d8-f6 f8-24f 400-481 48a-4ff 3041-3094 30a1-30fa 4e00-9fa5 ac00-d7a3')
    const punctuation = units.filter((unit) => isSafeCut(`a${unit}`, 1) && !/\p{White_Space}/u.test(unit))
    expect(runsOf(punctuation)).toBe(
      'd7-d7 f7-f7 2010-2027 202a-202e 2030-205e 2190-22ff 2500-259f 3001-3003 3008-3011 ff01-ff0f ff1a-ff20',
    )
  })

  it('take for a letter nothing that is none', () => {
    const taken = units.filter((unit) => isSafeCut(`${unit}-`, 1) && !/[\d\r\n]/.test(unit))
    expect(taken.filter((unit) => !/\p{L}/u.test(unit))).toEqual([])
    expect(taken.length).toBeGreaterThan(30_000)
  })

  it('take for punctuation no letter, mark or number', () => {
    const taken = units.filter((unit) => isSafeCut(`a${unit}`, 1))
    expect(taken.filter((unit) => /[\p{L}\p{M}']/u.test(unit))).toEqual([])
    expect(taken.filter((unit) => /\p{N}/u.test(unit)).join('')).toBe('0123456789')
    expect(taken.length).toBeGreaterThan(500)
  })
})

describe('nextSafeCut and previousSafeCut', () => {
  const unit = fc.constantFrom(..."ab1-/' \n\r\t\u00e9\u4f60\u3002\u0301\ud83d\ude00")

  it(`find what isSafeCut says from any place (seed ${SEED})`, () => {
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 24 }), fc.integer({ min: -2, max: 26 }), (text, from) => {
        const all = Array.from({ length: text.length }, (_, position) => position).filter((position) =>
          isSafeCut(text, position),
        )
        expect(nextSafeCut(text, from)).toBe(all.find((position) => position >= from) ?? -1)
        expect(previousSafeCut(text, from)).toBe(all.findLast((position) => position <= from) ?? -1)
      }),
      { seed: SEED, numRuns: 2_000 },
    )
  })

  it('find nothing in one long run', () => {
    for (const run of ['a', ' ', '\n', '-', '1', '你', '\u{1f600}']) {
      expect(nextSafeCut(run.repeat(1_000), 0)).toBe(-1)
      expect(previousSafeCut(run.repeat(1_000), 1_000)).toBe(-1)
    }
  })
})
