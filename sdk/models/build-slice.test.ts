import type { ModelInfo, ModelPrice, Provider } from '@pydantic/genai-prices'
import { describe, expect, it } from 'vitest'
import { buildSlice } from './build-slice.ts'
import { overlay } from './overlay.ts'

function provider(id: string, models: readonly Partial<ModelInfo>[]): Provider {
  return {
    id,
    name: id,
    api_pattern: id,
    models: models.map((model) => ({
      id: 'a-model',
      match: { equals: model.id ?? 'a-model' },
      prices: { input_mtok: 1, output_mtok: 2 },
      context_window: 1_000,
      ...model,
    })),
  }
}

function built(id: string, ...models: Partial<ModelInfo>[]) {
  const made = overlay.filter((entry) => entry.provider === id).map(({ model }) => model)
  const { providers } = buildSlice([provider(id, models)], '0')
  return providers[id]?.filter(({ model }) => !made.includes(model))
}

const flat: ModelPrice = { input_mtok: 1, output_mtok: 2 }
const tiered: ModelPrice = {
  input_mtok: { base: 1, tiers: [{ start: 500, price: 3 }] },
  output_mtok: { base: 2, tiers: [{ start: 500, price: 6 }] },
  cache_read_mtok: 0.1,
}

describe('buildSlice', () => {
  it('keeps the tiers of a price, a rate that does not change in each of them', () => {
    expect(built('groq', { prices: tiered })?.[0]?.tiers).toEqual([
      { maxPromptTokens: 500, input: 1, output: 2, cacheRead: 0.1 },
      { maxPromptTokens: null, input: 3, output: 6, cacheRead: 0.1 },
    ])
  })

  it('[R10] takes the price that has begun by the day of the data', () => {
    const prices = [
      { prices: tiered },
      { constraint: { type: 'start_date' as const, start_date: '2026-03-13' }, prices: flat },
      { constraint: { type: 'start_date' as const, start_date: '2999-01-01' }, prices: tiered },
    ]
    expect(built('groq', { prices })?.[0]?.tiers).toEqual([{ maxPromptTokens: null, input: 1, output: 2 }])
  })

  it('knows no price that more than tokens make', () => {
    const hours = { type: 'time_of_date' as const, start_time: '00:30:00Z', end_time: '16:30:00Z' }
    const hourly = [{ prices: flat }, { constraint: hours, prices: flat }]
    expect(built('groq', { prices: hourly })).toEqual([{ model: 'a-model', contextWindow: 1_000 }])
    expect(built('groq', { prices: { ...flat, requests_kcount: 5 } })?.[0]).not.toHaveProperty('tiers')
  })

  it('[R10] puts the boundary where the vendor bills, one token past the number of the data', () => {
    const prices = { ...flat, input_mtok: { base: 1, tiers: [{ start: 271_999, price: 2 }] } }
    expect(built('groq', { prices })?.[0]?.tiers?.[0]?.maxPromptTokens).toBe(272_000)
  })

  it('leaves out what answers with more than text, batches and names that move', () => {
    expect(
      built(
        'groq',
        { id: 'speaker', prices: { ...flat, output_audio_mtok: 9 } },
        { id: 'painter', prices: { ...flat, output_image_mtok: 9 } },
        { id: 'embedder', prices: { input_mtok: 1 } },
        { id: 'a-model:batch' },
        { id: '~a-model-latest' },
      ),
    ).toEqual([])
  })

  it('leaves out a flat price without a limit, which changes no decision', () => {
    const [known] = built('groq', { id: 'one' }) ?? []
    expect(known).toMatchObject({ model: 'one' })
    const { context_window: _, ...endless } = { context_window: 1 }
    expect(
      buildSlice(
        [
          {
            ...provider('groq', []),
            models: [{ id: 'two', match: { equals: 'two' }, prices: flat, ...endless }],
          },
        ],
        '0',
      ).providers.groq,
    ).toEqual([])
  })

  it('gives a model the names that would not lead to it, and no stumps', () => {
    const match = {
      or: [
        { equals: 'a-model' },
        { equals: 'a-model-2025-01-01' },
        { starts_with: 'model.a' },
        { starts_with: 'a-model-nano-' },
        { starts_with: 'a-model-2025' },
        { regex: '^a' },
        { and: [{ contains: 'hidden' }] },
      ],
    }
    expect(built('groq', { match })?.[0]?.aliases).toEqual(['model-a'])
  })

  it('gives a name that two models claim to the first', () => {
    const models = built(
      'groq',
      { id: 'one', match: { or: [{ equals: 'both' }, { equals: 'two' }] } },
      { id: 'two', match: { equals: 'both' } },
    )
    expect(models).toMatchObject([{ model: 'one', aliases: ['both'] }, { model: 'two' }])
    expect(models?.[1]).not.toHaveProperty('aliases')
  })

  it("leaves a market's copy of a vendor's model out but where it has tiers of its own", () => {
    const { providers } = buildSlice(
      [
        provider('openai', [{ id: 'gpt-5' }]),
        provider('openrouter', [
          { id: 'openai/gpt-5' },
          { id: 'openai/gpt-5-mini', prices: tiered },
          { id: 'someone/else' },
        ]),
      ],
      '0',
    )
    expect(providers.openrouter?.map(({ model }) => model)).toEqual(['openai/gpt-5-mini', 'someone/else'])
  })
})

describe('the overlay', () => {
  it('is laid over a listed model key by key, and stands for itself elsewhere', () => {
    const { providers } = buildSlice([provider('openai', [{ id: 'gpt-5', context_window: 400_000 }])], '0')
    expect(providers.openai?.[0]).toEqual({
      model: 'gpt-5',
      contextWindow: 400_000,
      inputLimit: 272_000,
      tiers: [{ maxPromptTokens: null, input: 1, output: 2 }],
    })
    expect(providers.anthropic?.map(({ model }) => model)).toContain('claude-haiku-5-5')
    expect(providers.openrouter).toEqual([])
  })
})
