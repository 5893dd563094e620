/**
 * Safe cuts: positions in a text that are a pre-token boundary of o200k_base whatever stands around them.
 * At such a position `count(x + y) = count(x) + count(y)`, exactly, so a text may be counted in pieces, cached by
 * piece and joined with other texts.
 *
 * The pattern tries these alternatives in order and has no look-behind:
 *
 *     1, 2  [^\r\n\p{L}\p{N}]? letters-and-marks contraction?     (contraction: an apostrophe and 1 or 2 letters)
 *     3     \p{N}{1,3}
 *     4     ' '? [^\s\p{L}\p{N}]+ [\r\n/]*
 *     5     \s* [\r\n]+
 *     6, 7  \s+ (?!\S)    \s+
 *
 * A cut between two characters is safe if no alternative can hold both of them side by side, and if 6, whose
 * look-ahead is the only one, cannot end there. The rules:
 *
 *  S1  no white space | white space other than a line break. 1 and 2 may start with white space but hold none
 *      after another character, nor does 3; 4 holds only line breaks after its first character; 5 to 7 hold
 *      nothing but white space, and cannot end at a character that is none.
 *  S2  letter | no letter, no mark, no apostrophe. Only 1 and 2 hold letters; after one come letters, marks or
 *      the apostrophe of a contraction, and after a contraction's letters nothing else.
 *  S3  digit | no digit; and no digit, no white space | digit. Only 3 holds digits, and it holds nothing else.
 *      White space before a digit is left out: 6 gives up its last character when a digit follows.
 *  S4  line break | no white space, no slash. Only 4 and 5 hold a line break before the cut: 4 goes on with line
 *      breaks and slashes, 5 with white space. 6 never ends there: 5 is tried first and takes a run of white space
 *      up to its last line break.
 *
 * A character counts as letter, digit or punctuation only if it has been one since before any Unicode version that
 * is in use, and white space is a closed list; all else is `UNKNOWN` and takes part only where its class does not
 * matter. No rule has a surrogate on both sides, so no pair is split.
 */

const UNKNOWN = 0
const LINE_BREAK = 1
const SPACE = 2
const LETTER = 3
const DIGIT = 4
const PUNCTUATION = 5
const APOSTROPHE = 6
const SLASH = 7

/** For the class on the left, the set of classes on the right between which a cut is safe. */
const SAFE_AFTER: readonly number[] = [
  /* UNKNOWN     */ set(SPACE),
  /* LINE_BREAK  */ set(UNKNOWN, LETTER, DIGIT, PUNCTUATION, APOSTROPHE),
  /* SPACE       */ set(),
  /* LETTER      */ set(SPACE, LINE_BREAK, DIGIT, PUNCTUATION, SLASH),
  /* DIGIT       */ set(SPACE, LINE_BREAK, LETTER, PUNCTUATION, APOSTROPHE, SLASH),
  /* PUNCTUATION */ set(SPACE, DIGIT),
  /* APOSTROPHE  */ set(SPACE, DIGIT),
  /* SLASH       */ set(SPACE, DIGIT),
]

function set(...classes: readonly number[]): number {
  return classes.reduce((bits, member) => bits | (1 << member), 0)
}

const ASCII_CLASSES = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[\r\n]/.test(character)) return LINE_BREAK
  if (/[\t\v\f ]/.test(character)) return SPACE
  if (/[A-Za-z]/.test(character)) return LETTER
  if (/[0-9]/.test(character)) return DIGIT
  if (character === "'") return APOSTROPHE
  return character === '/' ? SLASH : PUNCTUATION
})

function classOf(code: number): number {
  if (code < 0x80) return ASCII_CLASSES[code] ?? UNKNOWN
  if (code < 0x2000) return classBelowPunctuation(code)
  if (code < 0x3000) return classOfPunctuation(code)
  if (code < 0x3100) return classOfKana(code)
  // Han without its extensions, and Hangul syllables.
  if ((code >= 0x4e00 && code <= 0x9fa5) || (code >= 0xac00 && code <= 0xd7a3)) return LETTER
  // Full-width punctuation, up to and after the full-width digits.
  if ((code >= 0xff01 && code <= 0xff0f) || (code >= 0xff1a && code <= 0xff20)) return PUNCTUATION
  return UNKNOWN
}

function classBelowPunctuation(code: number): number {
  if (code === 0x85 || code === 0xa0 || code === 0x1680) return SPACE
  // Latin, then Cyrillic around its thousands sign and combining marks.
  if (code >= 0xc0 && code <= 0x24f) return code === 0xd7 || code === 0xf7 ? PUNCTUATION : LETTER
  if ((code >= 0x400 && code <= 0x481) || (code >= 0x48a && code <= 0x4ff)) return LETTER
  return UNKNOWN
}

function classOfPunctuation(code: number): number {
  if (code <= 0x200a || code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f) return SPACE
  // Dashes, quotation marks, bullets and daggers; then arrows, mathematical operators and box drawing.
  if ((code >= 0x2010 && code <= 0x205e) || (code >= 0x2190 && code <= 0x22ff)) return PUNCTUATION
  return code >= 0x2500 && code <= 0x259f ? PUNCTUATION : UNKNOWN
}

function classOfKana(code: number): number {
  if (code === 0x3000) return SPACE
  if ((code >= 0x3001 && code <= 0x3003) || (code >= 0x3008 && code <= 0x3011)) return PUNCTUATION
  return (code >= 0x3041 && code <= 0x3094) || (code >= 0x30a1 && code <= 0x30fa) ? LETTER : UNKNOWN
}

function safeBetween(left: number, right: number): boolean {
  return (((SAFE_AFTER[left] ?? 0) >> right) & 1) === 1
}

/** Whether a cut before the UTF-16 unit at `position` is safe. The two ends of a text are not: more may stand there. */
export function isSafeCut(text: string, position: number): boolean {
  if (position <= 0 || position >= text.length) return false
  return safeBetween(classOf(text.charCodeAt(position - 1)), classOf(text.charCodeAt(position)))
}

/** The first safe cut at or after `from`, or -1. */
export function nextSafeCut(text: string, from: number): number {
  const first = Math.max(from, 1)
  if (first >= text.length) return -1
  let left = classOf(text.charCodeAt(first - 1))
  for (let position = first; position < text.length; position++) {
    const right = classOf(text.charCodeAt(position))
    if (safeBetween(left, right)) return position
    left = right
  }
  return -1
}

/** The last safe cut at or before `from`, or -1. */
export function previousSafeCut(text: string, from: number): number {
  const last = Math.min(from, text.length - 1)
  if (last <= 0) return -1
  let right = classOf(text.charCodeAt(last))
  for (let position = last; position > 0; position--) {
    const left = classOf(text.charCodeAt(position - 1))
    if (safeBetween(left, right)) return position
    right = left
  }
  return -1
}
