import { describe, expect, it } from 'vitest'
import { codePointsMatching, referenceUnicodeRuns } from './reference-unicode-runs.ts'
import { unicodeRuns } from './unicode-classes.generated.ts'
import {
  createUnicodeClasses,
  LETTER,
  LINE_BREAK,
  LOWER,
  MARK,
  NUMBER,
  OTHER,
  SPACE,
  UPPER,
} from './unicode-classes.ts'

describe('the Unicode classes', () => {
  it('are those of the reference for every code point', () => {
    expect(unicodeRuns).toBe(referenceUnicodeRuns())
  })

  it.each([
    ['A', UPPER],
    ['ǅ', UPPER],
    ['a', LOWER],
    ['ſ', LOWER],
    ['ʰ', LETTER],
    ['好', LETTER],
    ['\u0301', MARK],
    ['٣', NUMBER],
    ['½', NUMBER],
    ['\u0085', SPACE],
    ['\u3000', SPACE],
    ['\r', LINE_BREAK],
    ['\n', LINE_BREAK],
    ['\ufeff', OTHER],
    ['\u200b', OTHER],
    ["'", OTHER],
    ['\ufffd', OTHER],
    ['😀', OTHER],
    ['𝐀', UPPER],
    ['\u{e0100}', MARK],
  ])('put %j into class %i', (character, expected) => {
    expect(createUnicodeClasses()[character.codePointAt(0) ?? -1]).toBe(expected)
  })

  it('take all letters of contractions in any case: only s has a third form', () => {
    for (const letter of 'strevmld') {
      const forms = codePointsMatching(`(?i:${letter})`).map((code) => String.fromCodePoint(code))
      expect(forms).toEqual([letter.toUpperCase(), letter, ...(letter === 's' ? ['ſ'] : [])])
    }
    expect(codePointsMatching("(?i:')")).toEqual([0x27])
  })
})
