import type { ReportedUsage } from '../engine/format.ts'
import type { ModelEntry, PriceTier } from './model-entry.ts'

/** What one request cost, in USD. */
export interface Price {
  /** Input that was neither read from a cache nor written to one. */
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  readonly total: number
}

export interface BilledUsage extends Omit<ReportedUsage, 'raw'> {
  /** The part of `cacheWrite` that lives for an hour. */
  readonly cacheWrite1h?: number
}

/**
 * The price of a request by its own tier: every token of it is billed at the tier of its whole prompt, cached
 * tokens included (R11). Undefined where a figure or a rate that it needs is not known, and for a sum over
 * several calls that may belong to different tiers.
 */
export function priceOf({ tiers = [] }: ModelEntry, usage: BilledUsage): Price | undefined {
  const { input, output, cacheRead = 0, cacheWrite = 0, cacheWrite1h = 0 } = usage
  if (input === undefined || output === undefined) return undefined
  const tier = tierOf(tiers, input)
  if (!tier || (usage.isTotal && tier !== tiers[0])) return undefined
  const fresh = cost(input - cacheRead - cacheWrite, tier.input)
  const read = cost(cacheRead, tier.cacheRead)
  const written = cost(cacheWrite - cacheWrite1h, tier.cacheWrite)
  const writtenForAnHour = cost(cacheWrite1h, tier.cacheWrite1h)
  const answered = cost(output, tier.output)
  const total = fresh + read + written + writtenForAnHour + answered
  if (Number.isNaN(total)) return undefined
  return { input: fresh, cacheRead: read, cacheWrite: written + writtenForAnHour, output: answered, total }
}

function tierOf(tiers: readonly PriceTier[], promptTokens: number): PriceTier | undefined {
  return tiers.find(({ maxPromptTokens }) => maxPromptTokens === null || promptTokens <= maxPromptTokens)
}

/** NaN where tokens meet a rate that is not known. */
function cost(tokens: number, ratePerMillion: number | undefined): number {
  return tokens === 0 ? 0 : (tokens * (ratePerMillion ?? Number.NaN)) / 1_000_000
}
