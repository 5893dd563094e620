import { Tiktoken } from '@dqbd/tiktoken/lite'

const PATTERNS = {
  U: '[\\p{Lu}\\p{Lt}]',
  L: '\\p{Ll}',
  O: '[\\p{Lm}\\p{Lo}]',
  M: '\\p{M}',
  N: '\\p{N}',
  S: '\\s',
}
const CODE_POINTS = 0x110000
const BLOCK = 0x400

/**
 * The classes as the reference encoder's regular expressions have them: an encoder whose tokens are single bytes
 * and whose pattern is one class drops from a text all that is not in the class.
 */
export function referenceUnicodeRuns(): string {
  const names = new Array<string>(CODE_POINTS).fill('.')
  for (const [name, pattern] of Object.entries(PATTERNS)) {
    for (const code of codePointsMatching(pattern)) {
      if (names[code] !== '.')
        throw new Error(`Code point ${code} is in the classes ${names[code]} and ${name}.`)
      names[code] = name
    }
  }
  let runs = ''
  for (let start = 0; start < CODE_POINTS; ) {
    let end = start + 1
    while (end < CODE_POINTS && names[end] === names[start]) end++
    const last = end === CODE_POINTS && names[start] === '.'
    if (!last) runs += names[start] + (end - start > 1 ? (end - start).toString(36) : '')
    start = end
  }
  return runs
}

export function codePointsMatching(pattern: string): readonly number[] {
  const singleBytes = Array.from({ length: 256 }, (_, byte) => Buffer.from([byte]).toString('base64'))
  const encoder = new Tiktoken(`! 0 ${singleBytes.join(' ')}`, {}, pattern)
  const found: number[] = []
  for (let block = 0; block < CODE_POINTS; block += BLOCK) {
    if (block >= 0xd800 && block < 0xe000) continue
    const text = String.fromCodePoint(...Array.from({ length: BLOCK }, (_, index) => block + index))
    const kept = Buffer.from(encoder.encode_ordinary(text)).toString('utf8')
    for (const character of kept) found.push(character.codePointAt(0) ?? 0)
  }
  encoder.free()
  return found
}
