import { beforeAll, describe, expect, it } from 'vitest'
import { nextSafeCut } from '../engine/safe-cut.ts'
import { seededRandom } from '../testing/random.ts'
import { loadRanks } from './load-ranks.ts'
import { createPieceCache } from './piece-cache.ts'
import { createReferenceEncoder } from './reference-encoder.ts'
import { referenceText, referenceTextKinds } from './reference-texts.ts'
import { createScriptCounter, type ScriptCounter } from './script-counter.ts'

/** `DOGEAR_FUZZ=long` compares a million texts. */
const TEXTS = process.env.DOGEAR_FUZZ === 'long' ? 1_000_000 : 17_000
const SEED = 200_019
/** Milliseconds; a counter that is not linear takes minutes. */
const PATIENCE = 60_000
const LONG_PATIENCE = 600_000

const encoder = createReferenceEncoder()
const countReference = (text: string): number => encoder.encode_ordinary(text).length

let counter: ScriptCounter

beforeAll(async () => {
  counter = createScriptCounter(await loadRanks())
})

describe('the script counter', () => {
  it.each([
    ['', 0],
    ['hello world', 2],
    ['😀', 1],
    ['你好世界', 2],
    ['<|endoftext|>', 7],
    ['x'.repeat(1_000), 125],
    ['a '.repeat(2_000), 2_001],
    ['0123456789'.repeat(100), 334],
  ])('[G19] counts %j', (text, tokens) => {
    expect(counter.count(text)).toBe(tokens)
  })

  it.each([
    ['a byte order mark, which is no white space', '\ufeffusing System;\r\n\ufeff \ufeff'],
    ['next line, which is white space', 'a\u0085\u0085b \u0085'],
    ['NUL', '\0\0a\0 \0\n\0'],
    ['the long s of a contraction', "it'\u017f 'S 'LL 'Ve 'dd '\u017f\u017f"],
    ['lone surrogates', '\ud83d \ude00\ud83d a\udfff'],
    ['a surrogate pair', '\ud83d\ude00'],
    ['the replacement character', '\ufffd\ud800'],
    ['an apostrophe or the start of a contraction at the end', "we' we'r we'l"],
    ['names of special tokens', '<|endofprompt|><|endoftext|><|im_start|>'],
    ['white space at the end', 'a  \n  \n   '],
    ['white space alone', ' \t \u3000'],
  ])('counts as the reference does: %s', (_, text) => {
    for (const each of [text, ...Array.from(text, (__, at) => text.slice(at))]) {
      expect(counter.count(each), JSON.stringify(each)).toBe(countReference(each))
    }
  })

  it.each(referenceTextKinds)(
    `counts as the reference does: %s (seed ${SEED})`,
    (kind) => {
      const random = seededRandom(SEED)
      for (let i = 0; i < TEXTS / referenceTextKinds.length; i++) {
        const text = referenceText(kind, random)
        const tokens = counter.count(text)
        // `expect` alone would take longer than both counts.
        if (tokens !== countReference(text)) expect(tokens, JSON.stringify(text)).toBe(countReference(text))
      }
    },
    LONG_PATIENCE,
  )

  it(`counts a long text as the sum of its parts (seed ${SEED})`, () => {
    const random = seededRandom(SEED)
    const text = Array.from({ length: 6_000 }, () =>
      referenceText(random.pick(['code', 'Han', 'emoji']), random),
    )
    const whole = text.join('\n')
    let tokens = 0
    for (let from = 0; from < whole.length; ) {
      const cut = nextSafeCut(whole, from + 100)
      const to = cut === -1 ? whole.length : cut
      tokens += countReference(whole.slice(from, to))
      from = to
    }
    expect(counter.count(whole)).toBe(tokens)
  })

  it(`does not take a short piece for the long one that begins with it (seed ${SEED})`, () => {
    const random = seededRandom(SEED)
    const { slotOf } = createPieceCache()
    const slot = (text: string): number =>
      slotOf(new DataView(new TextEncoder().encode(text).buffer), 0, text.length)
    // Of a length that is the short one's in its last byte, and with the same place in the cache.
    let long = ''
    do long = `worl${Array.from({ length: 256 }, () => random.pick(['a', 'e', 'n', 'x'])).join('')}`
    while (slot(long) !== slot('worl'))
    expect(counter.count(long)).toBe(countReference(long))
    expect(counter.count('worl')).toBe(countReference('worl'))
  })
})

describe('the script counter on a run of a million', { timeout: PATIENCE }, () => {
  // Each unit repeats in a number of tokens that is constant over this many of them.
  const period = 1_536
  const million = 1_000_000

  it.each([
    ['a letter', 'a'],
    ['spaces', ' '],
    ['line feeds', '\n'],
    ['carriage returns and line feeds', '\r\n'],
    ['tabs', '\t'],
    ['dashes', '-'],
    ['Han', '你'],
    ['emoji', '😀'],
    ['lone surrogates', '\ud800'],
    ['NUL', '\0'],
    ['combining accents', '\u0301'],
    ['digits', '7'],
  ])('counts on as it began: %s', (_, unit) => {
    const count = (units: number): number => counter.count(unit.repeat(units))
    const rest = million % period
    for (const units of [period, period + rest]) expect(count(units)).toBe(countReference(unit.repeat(units)))
    const tokensPerPeriod = count(2 * period) - count(period)
    const periods = Math.floor(million / period)
    expect(count(million)).toBe(count(period + rest) + (periods - 1) * tokensPerPeriod)
  })

  // The joint's ends are safe cuts, so what it joins counts as it does alone.
  it.each([
    ['lower-case letters', 'abcdefghijklmnopqrstuvwxyz', '', '7'],
    ['upper-case letters', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '', '7'],
    ['Han', '的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生', '', '7'],
    ['symbols', '!#$%&()*+,-.:;<=>?@[]^_{|}~', '', '7'],
    ['white space', ' \t\n\r\u3000', '\n', 'x'],
    ['base64', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', '', ' x\n'],
  ])(`counts random characters exactly: %s (seed ${SEED})`, (_, characters, tail, joint) => {
    const random = seededRandom(SEED)
    let text = ''
    for (let i = 0; i < million; i++) text += characters.charAt(random.integer(0, characters.length - 1))
    const start = text.slice(0, 6_000)
    expect(counter.count(start)).toBe(countReference(start))
    expect(counter.count(text + tail + joint + text)).toBe(
      counter.count(text + tail) + counter.count(joint) + counter.count(text),
    )
  })
})
