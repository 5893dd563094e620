import { describe, expect, it } from 'vitest'
import { seededRandom } from '../testing/random.ts'
import { createPreTokenizer } from './pre-tokens.ts'
import { referenceText, referenceTextKinds } from './reference-texts.ts'

const SEED = 71_993
const { split } = createPreTokenizer()

/** The pattern for this runtime's regular expressions, whose white space and cases are others. */
const PATTERN = new RegExp(
  [
    String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+CONTRACTION?`,
    String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*CONTRACTION?`,
    String.raw`\p{N}{1,3}`,
    String.raw` ?[^\p{White_Space}\p{L}\p{N}]+[\r\n/]*`,
    String.raw`\p{White_Space}*[\r\n]+`,
    String.raw`\p{White_Space}+(?!\P{White_Space})`,
    String.raw`\p{White_Space}+`,
  ]
    .join('|')
    .replaceAll('CONTRACTION', "(?:'(?:[sSſtTmMdD]|[rRvV][eE]|[lL][lL]))"),
  'gu',
)

function preTokens(text: string, room = 1_000): string[] {
  const encoded = Buffer.from(text)
  const bytes = new Uint8Array(encoded.length + 1)
  bytes.set(encoded)
  const ends = new Int32Array(room)
  const found: string[] = []
  for (let from = 0; from < encoded.length; ) {
    const count = split(bytes, from, encoded.length, ends)
    for (const end of ends.subarray(0, count)) {
      found.push(encoded.toString('utf8', from, end))
      from = end
    }
  }
  return found
}

describe('split', () => {
  it.each([
    ['', []],
    ['Hello world', ['Hello', ' world']],
    ['HelloWorld helloWORLD', ['Hello', 'World', ' hello', 'WORLD']],
    ['HTTPServer', ['HTTPServer']],
    ["it's WE'LL they'rex", ["it's", " WE'LL", " they're", 'x']],
    ["'s 'x", ["'s", " '", 'x']],
    ['12345 6', ['123', '45', ' ', '6']],
    ['a  b', ['a', ' ', ' b']],
    ['a   1', ['a', '  ', ' ', '1']],
    ['a \n\n  b', ['a', ' \n\n', ' ', ' b']],
    ['x();\n\n/y', ['x', '();\n\n/', 'y']],
    ['a.\r\n/\r b', ['a', '.\r\n/\r', ' b']],
    ['(a) !b', ['(a', ')', ' !', 'b']],
    ['tail  ', ['tail', '  ']],
    ['\u0301A', ['\u0301', 'A']],
    ['Aʰ B好BC', ['Aʰ', ' B好', 'BC']],
    ['!!\u0301a', ['!!\u0301', 'a']],
    ['a\u{10fffd}b', ['a', '\u{10fffd}b']],
  ])('splits %j', (text, expected) => {
    expect(preTokens(text)).toEqual(expected)
  })

  it.each(referenceTextKinds.filter((kind) => kind !== 'all of Unicode'))(
    `splits as the pattern does: %s (seed ${SEED})`,
    (kind) => {
      const random = seededRandom(SEED)
      for (let i = 0; i < 500; i++) {
        const text = Buffer.from(referenceText(kind, random)).toString()
        expect(preTokens(text), JSON.stringify(text)).toEqual(text.match(PATTERN) ?? [])
      }
    },
  )

  it('goes on where the room for ends was used up', () => {
    const text = "Fold the corner, and it's 12345 times   back.\n\n"
    expect(preTokens(text, 1)).toEqual(preTokens(text))
    expect(preTokens(text, 4)).toEqual(preTokens(text))
  })

  it('does not read what the buffer still holds behind the end', () => {
    const bytes = Uint8Array.from(Buffer.from("we'reA"))
    const ends = new Int32Array(8)
    expect([split(bytes, 0, 4, ends), ...ends.subarray(0, 2)]).toEqual([2, 2, 4])
    expect([split(bytes, 0, 2, ends), ...ends.subarray(0, 1)]).toEqual([1, 2])
  })
})
