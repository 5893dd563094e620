import { beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../testing/random.ts'
import { createGuardedCounter } from './guarded-counter.ts'
import { loadRanks } from './load-ranks.ts'
import { referenceDocument, referenceDocumentKinds } from './reference-documents.ts'
import { createReferenceEncoder } from './reference-encoder.ts'
import { createScriptCounter } from './script-counter.ts'
import type { TextCounter } from './text-counter.ts'

/** `DOGEAR_FUZZ=long` compares a hundred times as many. */
const DOCUMENTS = process.env.DOGEAR_FUZZ === 'long' ? 10_000 : 100
const SEED = 41_118

const encoder = createReferenceEncoder()
const reference: TextCounter = { count: (text) => encoder.encode_ordinary(text).length }

let script: TextCounter
let guarded: TextCounter

beforeAll(async () => {
  script = createScriptCounter(await loadRanks())
  guarded = createGuardedCounter({ bulk: reference, stretches: script })
})

describe('documents that were edited at random', () => {
  it.each(referenceDocumentKinds)(
    `are counted as the reference counts them, by script and by WASM behind its guard: %s (seed ${SEED})`,
    (kind) => {
      const random = seededRandom(SEED)
      let units = 0
      for (let document = 0; document < DOCUMENTS; document++) {
        const text = referenceDocument(kind, random, random.integer(1, 12_000))
        const tokens = reference.count(text)
        units += text.length
        if (script.count(text) !== tokens) expect(script.count(text), JSON.stringify(text)).toBe(tokens)
        if (guarded.count(text) !== tokens) expect(guarded.count(text), JSON.stringify(text)).toBe(tokens)
      }
      expect(units).toBeGreaterThan(DOCUMENTS * 1_000)
    },
    600_000,
  )
})
