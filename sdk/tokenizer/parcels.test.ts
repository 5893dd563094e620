import { describe, expect, it } from 'vitest'
import { parcelsOf } from './parcels.ts'

const LIMIT = 128 * 1024

/** Puts the texts together again as the worker does. */
function readParcels(texts: readonly string[]): {
  readonly texts: readonly string[]
  readonly sizes: readonly number[]
} {
  const read: string[] = []
  const sizes: number[] = []
  let begun: string | undefined
  for (const parcel of parcelsOf(texts)) {
    sizes.push(parcel.texts.reduce((units, text) => units + text.length, 0))
    parcel.texts.forEach((text, index) => {
      const whole = (begun ?? '') + text
      begun = parcel.open && index === parcel.texts.length - 1 ? whole : undefined
      if (begun === undefined) read.push(whole)
    })
  }
  expect(begun).toBeUndefined()
  return { texts: read, sizes }
}

describe('parcelsOf', () => {
  it.each([
    ['nothing', [], 0],
    ['an empty text', [''], 1],
    ['a few short texts', ['a', '', 'bc'], 1],
    ['a text that fills a parcel', ['x'.repeat(LIMIT), 'y'], 2],
    ['a text of many parcels between others', ['a', 'x'.repeat(3 * LIMIT), 'b'], 4],
    ['ten thousand short texts', Array.from({ length: 10_000 }, (_, i) => String(i)), 2],
    ['a million empty ones', Array.from({ length: 1_000_000 }, () => ''), 123],
  ])('carries %s', (_, texts, parcels) => {
    const read = readParcels(texts)
    expect(read.texts).toEqual(texts)
    expect(read.sizes).toHaveLength(parcels)
    for (const size of read.sizes) expect(size).toBeLessThanOrEqual(LIMIT)
  })
})
