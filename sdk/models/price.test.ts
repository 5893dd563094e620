import { calcPrice, waitForUpdate } from '@pydantic/genai-prices'
import { describe, expect, it } from 'vitest'
import { findModel } from './find-model.ts'
import { overlay, reviewedOn } from './overlay.ts'
import { priceOf } from './price.ts'
import { slice } from './slice.generated.ts'

function haiku(usage: { input: number; cacheRead?: number; cacheWrite?: number; cacheWrite1h?: number }) {
  const entry = findModel(slice, { model: 'claude-haiku-5-5' })
  const price = entry && priceOf(entry, { output: 0, isTotal: false, ...usage })
  if (!price) throw new TypeError('claude-haiku-5-5 has no price')
  return price
}

describe('priceOf', () => {
  it('[R10] bills every token at the tier of the whole prompt', () => {
    expect(haiku({ input: 100_000 }).total).toBeCloseTo(0.01, 12)
    expect(haiku({ input: 100_001 }).total).toBeCloseTo(0.0500005, 12)
  })

  it('[R11] finds the tier by fresh, read and written input together', () => {
    const cached = { cacheRead: 98_000, cacheWrite: 1_000 }
    const first = haiku({ input: 100_000, ...cached })
    expect(first.input).toBeCloseTo(0.0001, 12)
    expect(first.cacheRead).toBeCloseTo(0.00098, 12)
    expect(first.cacheWrite).toBeCloseTo(0.000125, 12)
    expect(first.total).toBeCloseTo(0.001205, 12)
    expect(haiku({ input: 100_001, ...cached }).cacheRead).toBeCloseTo(0.0049, 12)
  })

  it('bills the suffix that a fold makes the provider write again', () => {
    const written = haiku({ input: 60_000, cacheWrite: 60_000 }).total
    const read = haiku({ input: 60_000, cacheRead: 60_000 }).total
    expect(written).toBeCloseTo(0.0075, 12)
    expect(read).toBeCloseTo(0.0006, 12)
    expect(written - read).toBeCloseTo(0.0069, 12)
  })

  it('tells a write for an hour from one for minutes', () => {
    const price = haiku({ input: 50_000, cacheWrite: 50_000, cacheWrite1h: 20_000 })
    expect(price.cacheWrite).toBeCloseTo(0.03 * 0.125 + 0.02 * 0.2, 12)
    expect(price.input).toBe(0)
  })

  it('is unknown where a figure or a rate is', () => {
    const entry = { model: 'm', tiers: [{ maxPromptTokens: null, input: 1, output: 2 }] }
    expect(priceOf(entry, { input: 10, output: 1, isTotal: false })?.total).toBeCloseTo(0.000012, 12)
    expect(priceOf(entry, { input: 10, output: 1, cacheRead: 5, isTotal: false })).toBeUndefined()
    expect(priceOf(entry, { input: 10, output: 1, cacheWrite: 5, isTotal: false })).toBeUndefined()
    expect(priceOf(entry, { output: 1, isTotal: false })).toBeUndefined()
    expect(priceOf(entry, { input: 10, isTotal: false })).toBeUndefined()
    expect(priceOf({ model: 'm' }, { input: 10, output: 1, isTotal: false })).toBeUndefined()
    expect(
      priceOf(
        { ...entry, tiers: [{ maxPromptTokens: 5, input: 1, output: 1 }] },
        { input: 10, output: 1, isTotal: false },
      ),
    ).toBeUndefined()
  })

  it('is unknown for a sum over several calls that is past the first tier', () => {
    const entry = {
      model: 'm',
      tiers: [
        { maxPromptTokens: 100, input: 1, output: 1 },
        { maxPromptTokens: null, input: 2, output: 2 },
      ],
    }
    expect(priceOf(entry, { input: 100, output: 1, isTotal: true })).toBeDefined()
    expect(priceOf(entry, { input: 101, output: 1, isTotal: true })).toBeUndefined()
    expect(priceOf(entry, { input: 101, output: 1, isTotal: false })).toBeDefined()
  })
})

describe('the prices of the slice', () => {
  const byHand = new Set(
    overlay.filter(({ tiers }) => tiers).map(({ provider, model }) => `${provider} ${model}`),
  )

  it.each(Object.keys(slice.providers))(
    '[R11] agree with the price data on both sides of each boundary of %s',
    async (id) => {
      const data = (await waitForUpdate())?.find((provider) => provider.id === id)
      const entries =
        slice.providers[id]?.filter(({ model, tiers }) => tiers && !byHand.has(`${id} ${model}`)) ?? []
      for (const entry of entries) {
        const info = data?.models.find(({ id: model }) => model === entry.model)
        if (!data || !info) throw new TypeError(`${id} ${entry.model} is not in the price data`)
        const provider = { ...data, models: [{ ...info, match: { equals: entry.model } }] }
        const [first, next] = entry.tiers ?? []
        const boundary = first?.maxPromptTokens ?? 2_000
        // The boundary itself is left out: for one vendor the data puts it a token too low.
        for (const input of [boundary - 1, boundary + 1]) {
          const tier = input > boundary && next ? next : first
          const cacheRead = tier?.cacheRead === undefined ? 0 : 700
          const cacheWrite = tier?.cacheWrite === undefined ? 0 : 200
          const expected = calcPrice(
            {
              input_tokens: input,
              output_tokens: 50,
              cache_read_tokens: cacheRead,
              cache_write_tokens: cacheWrite,
            },
            entry.model,
            { provider, timestamp: new Date(`${reviewedOn}T12:00:00Z`) },
          )
          const price = priceOf(entry, { input, output: 50, cacheRead, cacheWrite, isTotal: false })
          expect(price?.total, entry.model).toBeCloseTo(expected?.total_price ?? Number.NaN, 10)
        }
      }
    },
  )
})
