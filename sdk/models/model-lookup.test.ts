import { afterEach, describe, expect, it, vi } from 'vitest'
import { DogearError } from '../errors.ts'
import type { ModelEntry } from './model-entry.ts'
import { createModelLookup } from './model-lookup.ts'
import { slice } from './slice.generated.ts'

describe('createModelLookup', () => {
  afterEach(() => {
    vi.doUnmock('./slice.generated.ts')
    vi.resetModules()
  })

  it('[R2, R10] looks a model up in the shipped slice', async () => {
    const find = createModelLookup([])
    expect(await find({ model: 'claude-haiku-5-5-20260901', provider: 'anthropic.messages' })).toMatchObject({
      contextWindow: 1_000_000,
      tier: { maxPromptTokens: 100_000, revision: slice.revision },
    })
    expect(await find({ model: 'unheard-of' })).toBeUndefined()
    expect(await find({})).toBeUndefined()
  })

  it("[R1, R17] lays the app's entries over it, as they were when they were handed over", async () => {
    const mine = { model: 'claude-haiku-5-5', maxInputTokens: 30_000 }
    const find = createModelLookup([mine])
    mine.maxInputTokens = 1
    expect(await find({ model: 'claude-haiku-5-5' })).toMatchObject({
      maxInputTokens: 30_000,
      tier: { maxPromptTokens: 100_000 },
    })
  })

  it("warns where the chunk cannot be loaded, goes on with the app's entries, and loads it again", async () => {
    let loads = 0
    vi.resetModules()
    vi.doMock('./slice.generated.ts', () => {
      loads++
      if (loads === 1) throw new TypeError('Failed to fetch dynamically imported module')
      return { slice }
    })
    const fresh = await import('./model-lookup.ts')
    const warnings: string[] = []
    const mine = { model: 'gpt-5.4', contextWindow: 7 }
    const find = fresh.createModelLookup([mine], ({ code }) => warnings.push(code))
    expect(await find({ model: 'gpt-5.4' })).toEqual(mine)
    expect(warnings).toEqual(['models_unavailable'])
    expect(await find({ model: 'gpt-5.4' })).toMatchObject({
      contextWindow: 7,
      tier: { maxPromptTokens: 272_000 },
    })
    expect(await find({ model: 'gpt-5.5' })).toBeDefined()
    expect(loads).toBe(2)
    expect(warnings).toHaveLength(1)
  })

  it.each<[unknown, string]>([
    [null, 'models[0] must be an object, but is null'],
    [{ contextWindow: 5 }, 'models[0].model must be a name, but is undefined'],
    [{ model: ' ' }, 'models[0].model must be a name'],
    [{ model: 'm', window: 5 }, 'models[0].window must be'],
    [{ model: 'm', contextwindow: 5 }, 'a known key, such as contextWindow, but is unknown'],
    [{ model: 'm', contextWindow: 0 }, 'models[0].contextWindow must be a positive integer, but is 0'],
    [{ model: 'm', inputLimit: '5' }, 'models[0].inputLimit'],
    [{ model: 'm', maxInputTokens: 'none' }, 'models[0].maxInputTokens must be a positive integer or null'],
    [{ model: 'm', preservedThinking: 1 }, 'models[0].preservedThinking'],
    [{ model: 'm', tiers: [] }, 'models[0].tiers must be a list of price tiers'],
    [{ model: 'm', tiers: [5] }, 'models[0].tiers must be a list of price tiers'],
    [{ model: 'm', tiers: [{ maxPromptTokens: 0 }] }, 'models[0].tiers[0].maxPromptTokens'],
    [{ model: 'm', tiers: [{ input: 1 }, { maxPromptTokens: 5 }] }, 'models[0].tiers[0].maxPromptTokens'],
    [
      { model: 'm', tiers: [{ maxPromptTokens: 9 }, { maxPromptTokens: 9 }] },
      'must be over 9, and null only',
    ],
    [{ model: 'm', tiers: [{ maxPromptTokens: null, input: -1 }] }, 'models[0].tiers[0].input'],
    [{ model: 'm', tiers: [{ maxPromptTokens: null, inptu: 1 }] }, 'models[0].tiers[0].inptu'],
  ])('[R7] refuses %j', (entry, message) => {
    const make = () => createModelLookup([entry as ModelEntry])
    expect(make).toThrow(message)
    expect(make).toThrow(DogearError)
    expect(make).toThrow(expect.objectContaining({ code: 'invalid_argument' }))
  })

  it('takes every key at once', () => {
    const entry: ModelEntry = {
      provider: 'mine',
      model: 'm',
      contextWindow: 10,
      inputLimit: 9,
      maxInputTokens: 8,
      preservedThinking: true,
      tiers: [
        { maxPromptTokens: 5, input: 0, output: 1, cacheRead: 0, cacheWrite: 1, cacheWrite1h: 2 },
        { maxPromptTokens: null },
      ],
    }
    expect(() => createModelLookup([entry, { model: 'm', maxInputTokens: null }])).not.toThrow()
  })
})
