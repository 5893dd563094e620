import type { ModelEntry } from './model-entry.ts'

/**
 * What the price data lacks or has wrong, kept by hand. Each entry is laid over the listed model of the same
 * provider and name, key by key, or stands for itself where none is listed.
 */
export const overlay: readonly (ModelEntry & { readonly provider: string })[] = [
  {
    provider: 'anthropic',
    model: 'claude-haiku-5-5',
    contextWindow: 1_000_000,
    tiers: [
      {
        maxPromptTokens: 100_000,
        input: 0.1,
        output: 0.5,
        cacheRead: 0.01,
        cacheWrite: 0.125,
        cacheWrite1h: 0.2,
      },
      {
        maxPromptTokens: null,
        input: 0.5,
        output: 2.5,
        cacheRead: 0.05,
        cacheWrite: 0.625,
        cacheWrite1h: 1,
      },
    ],
  },
  // Its long context is billed as that of Sonnet 4.5.
  {
    provider: 'anthropic',
    model: 'claude-sonnet-4-0',
    tiers: [
      { maxPromptTokens: 200_000, input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, cacheWrite1h: 6 },
      { maxPromptTokens: null, input: 6, output: 22.5, cacheRead: 0.6, cacheWrite: 7.5, cacheWrite1h: 12 },
    ],
  },

  // The rest of the window is kept for the output.
  ...inputLimits('openai', 272_000, [
    'gpt-5',
    'gpt-5-mini',
    'gpt-5-nano',
    'gpt-5-pro',
    'gpt-5.1',
    'gpt-5.1-codex-mini',
    'gpt-5.2',
    'gpt-5.2-pro',
    'gpt-5.3-codex',
    'gpt-5.4-mini',
    'gpt-5.4-nano',
  ]),
  ...inputLimits('openai', 922_000, [
    'gpt-5.4',
    'gpt-5.4-pro',
    'gpt-5.5',
    'gpt-5.5-pro',
    'gpt-5.6-luna',
    'gpt-5.6-sol',
    'gpt-5.6-terra',
    'gpt-6-astra',
    'gpt-6-luna',
    'gpt-6-sol',
  ]),

  { provider: 'google', model: 'gemini-2.5-pro', contextWindow: 1_048_576 },
  { provider: 'google', model: 'gemini-3-pro-preview', contextWindow: 1_048_576 },
  { provider: 'google', model: 'gemini-3.1-pro-preview', contextWindow: 1_048_576 },
  {
    provider: 'google',
    model: 'gemini-2.5-computer-use',
    tiers: [
      { maxPromptTokens: 200_000, input: 1.25, output: 10 },
      { maxPromptTokens: null, input: 2.5, output: 15 },
    ],
  },

  ...[
    'grok-4-fast-reasoning',
    'grok-4-fast-non-reasoning',
    'grok-4-1-fast-reasoning',
    'grok-4-1-fast-non-reasoning',
  ].map((model) => ({
    provider: 'x-ai',
    model,
    tiers: [
      { maxPromptTokens: 128_000, input: 0.2, output: 0.5, cacheRead: 0.05 },
      { maxPromptTokens: null, input: 0.4, output: 1, cacheRead: 0.05 },
    ],
  })),
  {
    provider: 'x-ai',
    model: 'grok-4.7',
    tiers: [
      { maxPromptTokens: 199_999, input: 2, output: 6, cacheRead: 0.5 },
      { maxPromptTokens: null, input: 4, output: 12, cacheRead: 1 },
    ],
  },
  {
    provider: 'x-ai',
    model: 'grok-code-fast-1',
    tiers: [
      { maxPromptTokens: 199_999, input: 1, output: 2, cacheRead: 0.2 },
      { maxPromptTokens: null, input: 2, output: 4, cacheRead: 0.4 },
    ],
  },

  ...['qwen3.6-plus', 'qwen3.7-plus'].map((model) => ({
    provider: 'alibaba',
    model,
    contextWindow: 1_000_000,
    tiers: [
      { maxPromptTokens: 256_000, input: 0.5, output: 3 },
      { maxPromptTokens: null, input: 2, output: 6, cacheRead: 0.2 },
    ],
  })),
]

/** Day for which dated prices are resolved, and on which this file was last compared with its sources. */
export const reviewedOn = '2026-11-30'

function inputLimits(provider: string, inputLimit: number, models: readonly string[]) {
  return models.map((model) => ({ provider, model, inputLimit }))
}
