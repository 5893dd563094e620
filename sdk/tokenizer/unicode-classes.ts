import { unicodeRuns } from './unicode-classes.generated.ts'

/** The classes of characters that the o200k pattern tells apart. Every code point is in exactly one. */
export const OTHER = 0
/** `\p{Lu}` and `\p{Lt}`. */
export const UPPER = 1
/** `\p{Ll}`. */
export const LOWER = 2
/** `\p{Lm}` and `\p{Lo}`: letters that go with both cases. */
export const LETTER = 3
/** `\p{M}`, which goes with both cases and is no letter. */
export const MARK = 4
/** `\p{N}`. */
export const NUMBER = 5
/** `\s` without the line breaks. */
export const SPACE = 6
/** `\r` and `\n`. */
export const LINE_BREAK = 7

/** How `unicodeRuns` names the classes, in the order of their numbers. */
const CLASS_NAMES = '.ULOMNS'

/**
 * The class of each code point; those beyond the end are `OTHER`. The Unicode version is the one of the reference
 * encoder, never the one of the browser.
 */
export function createUnicodeClasses(): Uint8Array {
  const runs = Array.from(unicodeRuns.matchAll(/([A-Z.])([0-9a-z]*)/g), ([, name = '', length = '']) => ({
    value: CLASS_NAMES.indexOf(name),
    length: length === '' ? 1 : Number.parseInt(length, 36),
  }))
  const classes = new Uint8Array(runs.reduce((total, { length }) => total + length, 0))
  let start = 0
  for (const { value, length } of runs) {
    classes.fill(value, start, start + length)
    start += length
  }
  classes[0x0a] = LINE_BREAK
  classes[0x0d] = LINE_BREAK
  return classes
}
