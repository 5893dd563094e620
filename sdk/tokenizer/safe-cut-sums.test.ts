import { describe, expect, it } from 'vitest'
import { nextSafeCut } from '../engine/safe-cut.ts'
import { seededRandom } from '../testing/random.ts'
import { createReferenceEncoder } from './reference-encoder.ts'
import { referenceText, referenceTextKinds } from './reference-texts.ts'

const TEXTS = process.env.DOGEAR_FUZZ === 'long' ? 1_000_000 : 8_500
const SEED = 3_918_817

describe('the reference at a safe cut', () => {
  const encoder = createReferenceEncoder()
  const count = (text: string): number => encoder.encode_ordinary(text).length

  it.each(referenceTextKinds)(
    `counts a text as the sum of its two parts: %s (seed ${SEED})`,
    (kind) => {
      const random = seededRandom(SEED)
      let cuts = 0
      for (let i = 0; i < TEXTS / referenceTextKinds.length; i++) {
        const text = referenceText(kind, random)
        const whole = count(text)
        for (
          let cut = nextSafeCut(text, 0);
          cut !== -1;
          cut = nextSafeCut(text, cut + random.integer(1, 12))
        ) {
          cuts++
          if (count(text.slice(0, cut)) + count(text.slice(cut)) !== whole) {
            expect.fail(`${JSON.stringify(text)} at ${cut}`)
          }
        }
      }
      expect(cuts).toBeGreaterThan(20)
    },
    600_000,
  )
})
