import { isObject } from '../engine/json.ts'
import {
  faultOfKeys,
  isPositiveInteger,
  type KeyFault,
  type KeyRule,
  type KeyRules,
  keyFault,
  presentKeys,
} from '../engine/key-rules.ts'
import { DogearError } from '../errors.ts'
import type { ModelEntry, PriceTier } from './model-entry.ts'

const tokens: KeyRule = { expected: 'a positive integer', accepts: isPositiveInteger }

const tokensOrNull: KeyRule = {
  expected: 'a positive integer or null',
  accepts: (value) => value === null || isPositiveInteger(value),
}

const name: KeyRule = {
  expected: 'a name',
  accepts: (value) => typeof value === 'string' && value.trim() !== '',
}

const rate: KeyRule = {
  expected: 'a price in USD for a million tokens',
  accepts: (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
}

const entryRules: KeyRules<keyof ModelEntry> = {
  provider: name,
  model: name,
  contextWindow: tokens,
  inputLimit: tokens,
  maxInputTokens: tokensOrNull,
  tiers: {
    expected: 'a list of price tiers',
    accepts: (value) => Array.isArray(value) && value.length > 0 && value.every(isObject),
  },
  preservedThinking: { expected: 'true or false', accepts: (value) => typeof value === 'boolean' },
}

const tierRules: KeyRules<keyof PriceTier> = {
  maxPromptTokens: tokensOrNull,
  input: rate,
  output: rate,
  cacheRead: rate,
  cacheWrite: rate,
  cacheWrite1h: rate,
}

/** Throws `invalid_argument` at the first entry of the app's that is not one (R1, R7). */
export function assertModelEntries(entries: readonly ModelEntry[]): void {
  for (const [index, entry] of entries.entries()) {
    const found = faultOfEntry(`models[${index}]`, entry)
    if (found) throw invalid(found)
  }
}

function faultOfEntry(path: string, entry: unknown): KeyFault | undefined {
  if (!isObject(entry)) return keyFault(path, 'an object', entry)
  const { model, tiers } = entry
  if (model === undefined) return keyFault(`${path}.model`, name.expected, model)
  return faultOfKeys(path, presentKeys(entry), entryRules) ?? faultOfTiers(`${path}.tiers`, tiers)
}

function faultOfTiers(path: string, tiers: unknown): KeyFault | undefined {
  if (!Array.isArray(tiers)) return undefined
  let below = 0
  for (const [index, tier] of tiers.entries()) {
    const at = `${path}[${index}]`
    const found = faultOfKeys(at, presentKeys(tier), tierRules)
    if (found) return found
    const bound = tier.maxPromptTokens ?? (index === tiers.length - 1 ? Number.POSITIVE_INFINITY : null)
    if (bound === null || bound <= below)
      return keyFault(`${at}.maxPromptTokens`, `over ${below}, and null only in the last tier`, bound)
    below = bound
  }
  return undefined
}

function invalid({ path, expected, actual }: KeyFault): DogearError {
  return new DogearError({
    code: 'invalid_argument',
    message: `${path} must be ${expected}, but is ${actual}; correct the entry handed to createDogear`,
    fields: { path, expected, actual },
  })
}
