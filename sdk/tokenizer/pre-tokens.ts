// biome-ignore-all lint/style/noNonNullAssertion: every index is within its array, and a check at each step would cost time
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

export interface PreTokenizer {
  /**
   * Splits UTF-8 text from `from` to `length` by the o200k pattern and writes the end of each pre-token, until the
   * text or the room in `ends` is used up. Returns how many there are; going on at the last end gives the rest.
   * `bytes` must be longer than `length`: the byte behind the text is overwritten.
   *
   * The pattern's alternatives, in the order in which they are tried:
   *
   *     1  [^\r\n\p{L}\p{N}]? [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]* [\p{Ll}\p{Lm}\p{Lo}\p{M}]+ contraction?
   *     2  [^\r\n\p{L}\p{N}]? [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+ [\p{Ll}\p{Lm}\p{Lo}\p{M}]* contraction?
   *     3  \p{N}{1,3}
   *     4  ' '? [^\s\p{L}\p{N}]+ [\r\n/]*
   *     5  \s* [\r\n]+
   *     6  \s+ (?!\S)
   *     7  \s+
   */
  split(bytes: Uint8Array, from: number, length: number, ends: Int32Array): number
}

/** Stands behind the text, so that looking ahead never has to ask for the end. No byte of UTF-8. */
const SENTINEL = 0xff
/** Class of the sentinel, above those of characters. */
const END = 8
/** Class of a byte that starts a character of several bytes. */
const LEAD = 9

const BLANK = 0x20
const APOSTROPHE = 0x27
const SLASH = 0x2f

/** Sets of classes. */
const UPPER_RUN = (1 << UPPER) | (1 << LETTER) | (1 << MARK)
const LOWER_RUN = (1 << LOWER) | (1 << LETTER) | (1 << MARK)
const WORD = UPPER_RUN | LOWER_RUN
const SYMBOLS = (1 << OTHER) | (1 << MARK)

/** A character is its class in the low four bits and its width in bytes above. */
const CLASS = 15
const WIDTH = 4

export function createPreTokenizer(): PreTokenizer {
  const classes = createUnicodeClasses()
  const byteClasses = new Uint8Array(256).fill(LEAD)
  byteClasses.set(classes.subarray(0, 0x80))
  byteClasses[SENTINEL] = END

  function characterAt(bytes: Uint8Array, at: number): number {
    const byteClass = byteClasses[bytes[at]!]!
    return byteClass === LEAD ? wideCharacterAt(bytes, at) : (1 << WIDTH) | byteClass
  }

  function wideCharacterAt(bytes: Uint8Array, at: number): number {
    const lead = bytes[at]!
    const second = bytes[at + 1]! & 0x3f
    if (lead < 0xe0) return (2 << WIDTH) | classes[((lead & 0x1f) << 6) | second]!
    const third = bytes[at + 2]! & 0x3f
    if (lead < 0xf0) return (3 << WIDTH) | classes[((lead & 0x0f) << 12) | (second << 6) | third]!
    const code = ((lead & 0x07) << 18) | (second << 12) | (third << 6) | (bytes[at + 3]! & 0x3f)
    return (4 << WIDTH) | (classes[code] ?? OTHER)
  }

  /**
   * Alternatives 1 and 2 from the first letter or mark on. Where no lower-case letter follows the upper-case run, 1
   * gives characters back until the run's last one that goes with both cases can be the lower-case run; where there
   * is none, 2 takes the whole run.
   */
  function endOfWord(bytes: Uint8Array, start: number): number {
    let at = start
    let afterBoth = -1
    let character = characterAt(bytes, at)
    while (isIn(UPPER_RUN, character)) {
      at += character >> WIDTH
      if ((character & CLASS) !== UPPER) afterBoth = at
      character = characterAt(bytes, at)
    }
    if ((character & CLASS) === LOWER) {
      do {
        at += character >> WIDTH
        character = characterAt(bytes, at)
      } while (isIn(LOWER_RUN, character))
    } else if (afterBoth !== -1) {
      at = afterBoth
    }
    return bytes[at] === APOSTROPHE ? at + contractionAt(bytes, at) : at
  }

  function endOfNumber(bytes: Uint8Array, start: number): number {
    let at = start
    let character = characterAt(bytes, at)
    for (let digits = 0; digits < 3 && (character & CLASS) === NUMBER; digits++) {
      at += character >> WIDTH
      character = characterAt(bytes, at)
    }
    return at
  }

  function endOfSymbols(bytes: Uint8Array, start: number): number {
    let at = start
    let character = characterAt(bytes, at)
    while (isIn(SYMBOLS, character)) {
      at += character >> WIDTH
      character = characterAt(bytes, at)
    }
    while (byteClasses[bytes[at]!] === LINE_BREAK || bytes[at] === SLASH) at++
    return at
  }

  /** Alternatives 5 to 7: up to the last line break, else all but the last character, which goes with what follows. */
  function endOfSpace(bytes: Uint8Array, start: number): number {
    let at = start
    let last = start
    let afterBreak = -1
    for (;;) {
      const character = characterAt(bytes, at)
      const kind = character & CLASS
      if (kind === LINE_BREAK) {
        afterBreak = at + 1
      } else if (kind !== SPACE) {
        if (afterBreak !== -1) return afterBreak
        return kind === END || last === start ? at : last
      }
      last = at
      at += character >> WIDTH
    }
  }

  function endOfPreToken(bytes: Uint8Array, start: number): number {
    const character = characterAt(bytes, start)
    const kind = character & CLASS
    if (kind === NUMBER) return endOfNumber(bytes, start)
    if (kind === LINE_BREAK) return endOfSpace(bytes, start)
    if (isIn(WORD, character)) return endOfWord(bytes, start)
    const second = start + (character >> WIDTH)
    const following = characterAt(bytes, second)
    if (isIn(WORD, following)) return endOfWord(bytes, second)
    if (kind === OTHER) return endOfSymbols(bytes, second)
    if (bytes[start] === BLANK && (following & CLASS) === OTHER) return endOfSymbols(bytes, second)
    return endOfSpace(bytes, start)
  }

  return {
    split(bytes, from, length, ends) {
      bytes[length] = SENTINEL
      let count = 0
      for (let at = from; at < length && count < ends.length; count++) {
        at = endOfPreToken(bytes, at)
        ends[count] = at
      }
      return count
    },
  }
}

function isIn(set: number, character: number): boolean {
  return ((set >> (character & CLASS)) & 1) === 1
}

/** Length in bytes of 's, 't, 're, 've, 'm, 'll or 'd, in any case and with the long s, or 0. */
function contractionAt(bytes: Uint8Array, apostrophe: number): number {
  const second = bytes[apostrophe + 2]! | 0x20
  switch (bytes[apostrophe + 1]! | 0x20) {
    case 0x73: // s
    case 0x74: // t
    case 0x6d: // m
    case 0x64: // d
      return 2
    case 0x72: // r
    case 0x76: // v
      return second === 0x65 ? 3 : 0
    case 0x6c: // l
      return second === 0x6c ? 3 : 0
    default:
      return bytes[apostrophe + 1] === 0xc5 && bytes[apostrophe + 2] === 0xbf ? 3 : 0
  }
}
