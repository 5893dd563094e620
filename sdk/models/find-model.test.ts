import { describe, expect, it } from 'vitest'
import { findModel } from './find-model.ts'
import { slice } from './slice.generated.ts'

function boundary(model: string, provider?: string): number | undefined {
  return findModel(slice, { model, ...(provider === undefined ? {} : { provider }) })?.tier?.maxPromptTokens
}

function listedName(model: string, provider?: string): string | undefined {
  return findModel(slice, { model, ...(provider === undefined ? {} : { provider }) })?.model
}

describe('the first tier of a model', () => {
  it.each([
    ['claude-haiku-5-5', 'anthropic', 100_000],
    ['claude-sonnet-4-5', 'anthropic', 200_000],
    ['claude-sonnet-4-0', 'anthropic', 200_000],
    ['gpt-5.4', 'openai', 272_000],
    ['gpt-5.4-pro', 'openai', 272_000],
    ['gpt-5.5', 'openai', 272_000],
    ['gpt-5.6-sol', 'openai', 272_000],
    ['gpt-6-astra', 'openai', 272_000],
    ['gpt-6-sol', 'openai', 272_000],
    ['gemini-2.5-pro', 'google', 200_000],
    ['gemini-3-pro-preview', 'google', 200_000],
    ['gemini-1.5-pro', 'google', 128_000],
    ['grok-4.6', 'x-ai', 199_999],
    ['grok-4.7', 'x-ai', 199_999],
    ['grok-build-0.1', 'x-ai', 199_999],
    ['grok-4-fast', 'x-ai', 128_000],
    ['minimax-m3', 'minimax', 512_000],
    ['qwen3.6-plus', 'alibaba', 256_000],
    ['gpt-5.6-luna', 'github-copilot', 200_000],
  ])('[R2, R10] of %s at %s ends at the last token billed at its rate', (model, provider, tokens) => {
    expect(boundary(model, provider)).toBe(tokens)
  })

  it('[R10] comes with the revision of the data', () => {
    expect(findModel(slice, { model: 'claude-haiku-5-5' })?.tier).toEqual({
      maxPromptTokens: 100_000,
      revision: slice.revision,
    })
  })

  it.each([
    ['claude-opus-4-6', 'anthropic'],
    ['claude-sonnet-4-6', 'anthropic'],
    ['claude-opus-5-5', 'anthropic'],
    ['gpt-5', 'openai'],
    ['gemini-2.5-flash', 'google'],
    ['deepseek-v4-pro', 'deepseek'],
  ])('[R9, R12] is absent for %s, whatever its window', (model, provider) => {
    const known = findModel(slice, { model, provider })
    expect(known?.contextWindow).toBeGreaterThan(100_000)
    expect(known).not.toHaveProperty('tier')
  })

  it('[R3, R12] of a model that is not listed is not made up', () => {
    for (const model of ['claude-haiku-9', 'claude-haiku', 'gpt-5.4-unheard', 'gpt', '', '  ', 'constructor'])
      expect(findModel(slice, { model })).toBeUndefined()
    expect(findModel(slice, {})).toBeUndefined()
  })

  it('[R13] of a provider that the slice does not price is unknown, whatever the model is called', () => {
    for (const provider of ['claude-code', 'ollama', 'my-gateway', 'constructor'])
      expect(findModel(slice, { model: 'claude-haiku-5-5', provider })).toBeUndefined()
  })
})

describe('limits', () => {
  it.each([
    ['gpt-5', 400_000, 272_000],
    ['gpt-5-mini', 400_000, 272_000],
    ['gpt-5.2', 400_000, 272_000],
    ['gpt-5.4', 1_050_000, 922_000],
  ])('[R9] of %s keep the window and the input apart', (model, contextWindow, inputLimit) => {
    expect(findModel(slice, { model })).toMatchObject({ contextWindow, inputLimit })
  })

  it('stay absent where they are not known', () => {
    expect(findModel(slice, { model: 'claude-opus-4-7' })).not.toHaveProperty('inputLimit')
    expect(findModel(slice, { model: 'grok-4.7' })).not.toHaveProperty('contextWindow')
  })
})

describe('names', () => {
  it.each([
    ['claude-haiku-5-5-20260901', 'claude-haiku-5-5'],
    ['Claude-Haiku-5.5', 'claude-haiku-5-5'],
    ['claude-3-5-haiku-20241022', 'claude-3-5-haiku-latest'],
    ['claude-opus-4-20250514', 'claude-opus-4-0'],
    ['claude-4.5-haiku', 'claude-haiku-4-5'],
    ['gpt-4o-2024-11-20', 'gpt-4o'],
    ['gpt-4o-2024-05-13', 'gpt-4o-2024-05-13'],
    ['gpt-5-4', 'gpt-5.4'],
    ['gpt-5.4-2026-03-05', 'gpt-5.4'],
    ['gpt-5-chat-latest', 'gpt-5'],
    ['models/gemini-2.5-pro', 'gemini-2.5-pro'],
    ['publishers/google/models/gemini-2.5-pro', 'gemini-2.5-pro'],
    ['gemini-2.5-pro-preview-05-06', 'gemini-2.5-pro'],
    ['gemini-2.5-computer-use-preview-10-2025', 'gemini-2.5-computer-use'],
    ['grok-4', 'grok-4-0709'],
    ['grok-4-latest', 'grok-4-0709'],
  ])('lead from %s to %s', (model, listed) => {
    expect(listedName(model)).toBe(listed)
  })

  it.each([
    ['openai/gpt-5.4', 'openrouter', 'openai/gpt-5.4', 272_000],
    ['openai/gpt-5.4:nitro', 'openrouter', 'openai/gpt-5.4', 272_000],
    ['google/gemini-2.5-pro', 'openrouter', 'gemini-2.5-pro', 200_000],
    ['anthropic/claude-haiku-5.5', 'openrouter', 'claude-haiku-5-5', 100_000],
    ['x-ai/grok-4.6', 'openrouter', 'grok-4.6', 199_999],
    ['openai/gpt-5.4', 'gateway', 'gpt-5.4', 272_000],
    ['us.anthropic.claude-haiku-5-5-20260901-v1:0', 'amazon-bedrock', 'claude-haiku-5-5', 100_000],
    ['anthropic.claude-sonnet-4-5-20250929-v1:0', 'aws', 'claude-sonnet-4-5', 200_000],
    ['claude-haiku-5-5@20260901', 'google.vertex.chat', 'claude-haiku-5-5', 100_000],
    ['gpt-5.4', 'azure', 'gpt-5.4', 272_000],
  ])('[R18] lead from %s at %s to the model of its vendor', (model, provider, listed, tokens) => {
    expect(listedName(model, provider)).toBe(listed)
    expect(boundary(model, provider)).toBe(tokens)
  })

  it('keep a reseller from being billed at the rates of the vendor', () => {
    const known = findModel(slice, { model: 'claude-haiku-5-5', provider: 'azure' })
    expect(known).toMatchObject({ provider: 'azure', contextWindow: 1_000_000 })
    expect(known?.tiers).toEqual([{ maxPromptTokens: 100_000 }, { maxPromptTokens: null }])
    expect(findModel(slice, { model: 'anthropic/claude-haiku-5.5' })?.tiers?.[0]).not.toHaveProperty('input')
    expect(findModel(slice, { model: 'claude-haiku-5-5' })).toMatchObject({ provider: 'anthropic' })
  })

  it('take an input limit of the vendor over to a market that lists tiers of its own', () => {
    const known = findModel(slice, { model: 'openai/gpt-5.4', provider: 'openrouter' })
    expect(known).toMatchObject({ contextWindow: 1_050_000, inputLimit: 922_000 })
    expect(known?.tiers?.[1]).toMatchObject({ input: 5, output: 22.5 })
  })
})

describe('where a request goes', () => {
  it('says who the provider is, where nothing else does', () => {
    const url = 'https://openrouter.ai/api/v1/chat/completions'
    expect(findModel(slice, { model: 'openai/gpt-5.4', url })?.provider).toBe('openrouter')
    expect(findModel(slice, { model: 'openai/gpt-5.4', url, provider: 'vercel' })?.provider).toBe('vercel')
  })

  it("says nothing where it is the app's own proxy", () => {
    for (const url of ['/api/chat', 'https://app.example/llm', 'http://localhost:3000/v1/messages'])
      expect(findModel(slice, { model: 'claude-haiku-5-5', url })?.provider).toBe('anthropic')
  })
})

describe("the app's own entries", () => {
  it('add a model', () => {
    const mine = { model: 'my-model', contextWindow: 8_000, tiers: [{ maxPromptTokens: 4_000 }] }
    expect(findModel(slice, { model: 'my-model-2026-01-01', overrides: [mine] })).toEqual({
      ...mine,
      tier: { maxPromptTokens: 4_000, revision: 'app' },
    })
    expect(findModel(slice, { model: 'other', overrides: [mine] })).toBeUndefined()
  })

  it('override what is listed key by key, later ones first', () => {
    const overrides = [
      { model: 'claude-haiku-5-5', contextWindow: 5, inputLimit: 4 },
      { model: 'claude-haiku-5.5', contextWindow: 7, maxInputTokens: null },
    ]
    expect(findModel(slice, { model: 'claude-haiku-5-5-20260901', overrides })).toMatchObject({
      provider: 'anthropic',
      contextWindow: 7,
      inputLimit: 4,
      maxInputTokens: null,
      tier: { maxPromptTokens: 100_000, revision: slice.revision },
    })
  })

  it('take a tier away', () => {
    const overrides = [{ model: 'claude-haiku-5-5', tiers: [{ maxPromptTokens: null, input: 1 }] }]
    expect(findModel(slice, { model: 'claude-haiku-5-5', overrides })).not.toHaveProperty('tier')
  })

  it('ignore a key that holds undefined', () => {
    const overrides = [JSON.parse('{"model":"claude-haiku-5-5"}')]
    overrides[0].contextWindow = undefined
    expect(findModel(slice, { model: 'claude-haiku-5-5', overrides })?.contextWindow).toBe(1_000_000)
  })

  it('hold for their provider alone where they name one', () => {
    const overrides = [{ provider: 'xAI', model: 'grok-4.6', contextWindow: 9 }]
    expect(findModel(slice, { model: 'grok-4.6', overrides })?.contextWindow).toBe(9)
    expect(findModel(slice, { model: 'grok-4.6', provider: 'xai.chat', overrides })?.contextWindow).toBe(9)
    expect(findModel(slice, { model: 'grok-4.6', provider: 'azure', overrides })?.contextWindow).toBe(500_000)
  })

  it('name a provider that the slice does not know', () => {
    const overrides = [{ provider: 'my-gateway', model: 'claude-haiku-5-5', contextWindow: 9 }]
    expect(findModel(slice, { model: 'claude-haiku-5-5', provider: 'my-gateway', overrides })).toEqual(
      overrides[0],
    )
  })
})
