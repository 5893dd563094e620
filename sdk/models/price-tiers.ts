import type { ConditionalPrice, ModelPrice } from '@pydantic/genai-prices'
import type { PriceTier } from './model-entry.ts'

/**
 * Boundaries that the price data puts one token beside where the vendor bills: it charges the higher rate from
 * the token after its number on, and the vendor's words are "more than 272,000".
 */
const correctedBoundaries: ReadonlyMap<number, number> = new Map([[271_999, 272_000]])

const rates = {
  input: 'input_mtok',
  output: 'output_mtok',
  cacheRead: 'cache_read_mtok',
  cacheWrite: 'cache_write_mtok',
  cacheWrite1h: 'cache_write_1h_mtok',
} as const

/**
 * Tiers of a price in the price data on a day; undefined where more than tokens make it: the hour, or a fee for
 * each request.
 */
export function priceTiers(
  prices: ModelPrice | readonly ConditionalPrice[],
  day: string,
): readonly PriceTier[] | undefined {
  const price = isDated(prices) ? priceOn(prices, day) : prices
  if (!price || 'requests_kcount' in price) return undefined
  const starts = Object.values(price).flatMap((rate) =>
    typeof rate === 'object' ? rate.tiers.map(({ start }) => start) : [],
  )
  const boundaries = [...new Set(starts)].sort((left, right) => left - right)
  return [0, ...boundaries].map((above, tier) => {
    const boundary = boundaries[tier]
    return {
      maxPromptTokens: boundary === undefined ? null : (correctedBoundaries.get(boundary) ?? boundary),
      ...ratesAbove(price, above),
    }
  })
}

function isDated(prices: ModelPrice | readonly ConditionalPrice[]): prices is readonly ConditionalPrice[] {
  return Array.isArray(prices)
}

/** The last price that has begun. */
function priceOn(prices: readonly ConditionalPrice[], day: string): ModelPrice | undefined {
  let current: ModelPrice | undefined
  for (const { constraint, prices: price } of prices) {
    if (constraint?.type === 'time_of_date') return undefined
    if (!constraint || constraint.start_date <= day) current = price
  }
  return current
}

function ratesAbove(price: ModelPrice, promptTokens: number): Omit<PriceTier, 'maxPromptTokens'> {
  const known = Object.entries(rates).flatMap(([name, key]) => {
    const rate = price[key]
    if (rate === undefined) return []
    if (typeof rate === 'number') return [[name, rate]]
    const reached = rate.tiers.findLast(({ start }) => start <= promptTokens)
    return [[name, reached?.price ?? rate.base]]
  })
  return Object.fromEntries(known)
}
