/** What one price tier charges, in USD for a million tokens. A rate that is not known is absent. */
export interface PriceTier {
  /**
   * Largest prompt still billed at this tier, its cached tokens included; null for the last tier. Every token
   * of a request is billed at the tier of its prompt (R11).
   */
  readonly maxPromptTokens: number | null
  readonly input?: number
  readonly output?: number
  readonly cacheRead?: number
  /** Written to a cache that lives for the provider's shortest time. */
  readonly cacheWrite?: number
  /** Written to a cache that lives for an hour. */
  readonly cacheWrite1h?: number
}

/** Limits, in tokens, and prices of one model. What is not known is absent. */
export interface ModelEntry {
  /** The provider that bills the model; absent: whoever serves it. */
  readonly provider?: string
  readonly model: string
  readonly contextWindow?: number
  /** Largest input, where the provider admits less than the whole window. */
  readonly inputLimit?: number
  /** A ceiling of the app for this model where the policy sets none; null: no ceiling (R1, R17). */
  readonly maxInputTokens?: number | null
  /** Ascending. One tier is a flat price. */
  readonly tiers?: readonly PriceTier[]
  /** Reasoning is bound to everything before it, so that a rewrite must drop it. */
  readonly preservedThinking?: boolean
}
