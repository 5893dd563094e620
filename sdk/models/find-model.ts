import type { FirstTier } from '../engine/ceiling.ts'
import { presentKeys } from '../engine/key-rules.ts'
import type { ModelEntry, PriceTier } from './model-entry.ts'
import { modelNames, plainName, vendorName } from './model-names.ts'
import { canonicalProvider, providerFromUrl } from './provider.ts'
import type { ModelSlice } from './slice.ts'

export interface ModelQuery {
  readonly model?: string
  readonly provider?: string
  /** Where the request goes; says who the provider is where `provider` does not. */
  readonly url?: string
  /** The app's own entries: each adds to what is listed or overrides it key by key, later ones win. */
  readonly overrides?: readonly ModelEntry[]
}

export interface KnownModel extends ModelEntry {
  /** What `auto` reads; absent where the price does not depend on the prompt (R10, R12). */
  readonly tier?: FirstTier
}

/** Who serves the models of other vendors, at prices of its own but with their limits and boundaries. */
const resellers: ReadonlySet<string> = new Set(['aws', 'azure', 'google', 'openrouter', 'vercel'])

/** Who is asked, and in this order, where only the model's name is known: those who make what they bill. */
const vendors = [
  'anthropic',
  'openai',
  'google',
  'x-ai',
  'deepseek',
  'mistral',
  'moonshotai',
  'minimax',
  'zai',
  'alibaba',
  'cohere',
  'perplexity',
] as const

/**
 * What is known of a model; undefined where nothing is. An unknown provider that is named has no prices and
 * no limits here, whatever the model is called (R13); one that only its URL names may be a proxy.
 */
export function findModel(slice: ModelSlice, query: ModelQuery): KnownModel | undefined {
  const { model, overrides = [] } = query
  if (model === undefined) return undefined
  const provider =
    query.provider === undefined ? providerFromUrl(query.url ?? '') : canonicalProvider(query.provider)
  const names = modelNames(model)
  const listed = findListed(slice, model, names, provider)
  const billing = provider ?? listed?.provider
  const given = overrides.filter(
    (entry) =>
      names.includes(plainName(entry.model)) &&
      (entry.provider === undefined || canonicalProvider(entry.provider) === billing),
  )
  if (!listed && given.length === 0) return undefined
  const entry: ModelEntry = Object.assign({ model }, listed, ...given.map(presentKeys))
  const revision = given.some(({ tiers }) => tiers) ? 'app' : slice.revision
  const maxPromptTokens = entry.tiers?.[0]?.maxPromptTokens ?? null
  return maxPromptTokens === null ? entry : { ...entry, tier: { maxPromptTokens, revision } }
}

function findListed(
  slice: ModelSlice,
  model: string,
  names: readonly string[],
  provider: string | undefined,
): ModelEntry | undefined {
  const own = provider === undefined ? undefined : findNamed(slice, names, provider)
  if (own) return own
  if (provider !== undefined && !resellers.has(provider)) return undefined
  const vendor = vendorName(model)
  if (vendor !== undefined) return resold(findNamed(slice, names, canonicalProvider(vendor)), provider)
  for (const maker of vendors) {
    const entry = findNamed(slice, names, maker)
    if (entry) return provider === undefined ? entry : resold(entry, provider)
  }
  return undefined
}

function findNamed(
  { providers }: ModelSlice,
  names: readonly string[],
  provider: string,
): ModelEntry | undefined {
  const models = Object.hasOwn(providers, provider) ? (providers[provider] ?? []) : []
  for (const name of names) {
    const found = models.find(({ model, aliases }) => plainName(model) === name || aliases?.includes(name))
    if (!found) continue
    const { aliases: _, ...entry } = found
    return { ...entry, provider }
  }
  return undefined
}

/** The same model billed by someone else: its limits and boundaries hold, its rates do not. */
function resold(entry: ModelEntry | undefined, provider: string | undefined): ModelEntry | undefined {
  if (!entry) return undefined
  const { provider: _, tiers, ...rest } = entry
  return {
    ...rest,
    ...(provider === undefined ? {} : { provider }),
    ...(tiers ? { tiers: tiers.map(({ maxPromptTokens }): PriceTier => ({ maxPromptTokens })) } : {}),
  }
}
