import type { MatchLogic, ModelInfo, Provider } from '@pydantic/genai-prices'
import { findModel } from './find-model.ts'
import { modelNames, plainName } from './model-names.ts'
import { overlay, reviewedOn } from './overlay.ts'
import { priceTiers } from './price-tiers.ts'
import type { ModelSlice, SliceModel } from './slice.ts'

/** Whom a chat is likely to call by name. What other hosts resell is found through its vendor. */
const providers = [
  'anthropic',
  'openai',
  'google',
  'x-ai',
  'deepseek',
  'mistral',
  'groq',
  'cerebras',
  'cohere',
  'moonshotai',
  'minimax',
  'zai',
  'alibaba',
  'perplexity',
  'fireworks',
  'github-copilot',
]

/** Last, because it lists the models of the others once more. */
const market = 'openrouter'

interface Listed {
  readonly model: SliceModel
  /** Names by which the price data knows the model. */
  readonly names: readonly string[]
}

/** Makes the slice from the bundled price data and the overlay. The same data must give the same slice. */
export function buildSlice(data: readonly Provider[], version: string): ModelSlice {
  let slice: ModelSlice = { revision: `genai-prices ${version}, ${reviewedOn}`, providers: {} }
  for (const provider of providers) slice = withProvider(slice, provider, listedModels(data, provider))
  const offered = listedModels(data, market).flatMap((listed) => besideVendor(slice, listed))
  return withProvider(slice, market, offered)
}

function listedModels(data: readonly Provider[], provider: string): readonly Listed[] {
  const models = data.find(({ id }) => id === provider)?.models ?? []
  const priced = models
    .filter(answersWithText)
    .map((info) => ({ model: sliceModel(info), names: literals(info.match) }))
  const laid = overlay.filter((entry) => entry.provider === provider)
  const amended = priced.map(({ model, names }) => ({
    model: Object.assign(
      {},
      model,
      ...laid.filter((entry) => entry.model === model.model).map(withoutProvider),
    ),
    names,
  }))
  const added = laid
    .filter((entry) => priced.every(({ model }) => model.model !== entry.model))
    .map((entry) => ({ model: withoutProvider(entry), names: [] }))
  return [...amended, ...added].filter(({ model }) => saysMore(model))
}

function answersWithText({ id, prices }: ModelInfo): boolean {
  const all = Array.isArray(prices) ? prices.map((dated) => dated.prices) : [prices]
  return (
    all.every((price) => price.input_mtok !== undefined && price.output_mtok !== undefined) &&
    !all.some((price) => 'output_audio_mtok' in price || 'output_image_mtok' in price) &&
    // Batches are no chat, and names that move are found by where they point.
    !id.endsWith(':batch') &&
    !id.startsWith('~')
  )
}

function sliceModel({ id, context_window, prices }: ModelInfo): SliceModel {
  const tiers = priceTiers(prices, reviewedOn)
  return {
    model: id,
    ...(context_window === undefined ? {} : { contextWindow: context_window }),
    ...(tiers ? { tiers } : {}),
  }
}

/** A flat price without a limit changes no decision; the money is counted elsewhere. */
function saysMore({ contextWindow, tiers = [] }: SliceModel): boolean {
  return contextWindow !== undefined || tiers.length > 1
}

/**
 * A model of the market that its vendor lists too is left to the vendor, whose boundaries are kept up better,
 * but where the market states tiers of its own.
 */
function besideVendor(slice: ModelSlice, { model, names }: Listed): readonly Listed[] {
  const atVendor = findModel(slice, { model: model.model })
  if (!atVendor) return [{ model, names }]
  if ((model.tiers?.length ?? 0) < 2) return []
  const { inputLimit } = atVendor
  return [{ model: inputLimit === undefined ? model : { ...model, inputLimit }, names }]
}

/** Adds a provider's models, each with the names that would not lead to it otherwise. */
function withProvider(slice: ModelSlice, provider: string, listed: readonly Listed[]): ModelSlice {
  const models = listed.map(({ model }) => model)
  const bare: ModelSlice = { ...slice, providers: { ...slice.providers, [provider]: models } }
  const taken = new Set(models.map(({ model }) => plainName(model)))
  const named = listed.map(({ model, names }) => {
    const aliases: string[] = []
    for (const literal of names) {
      const [name = literal] = modelNames(literal)
      if (taken.has(name) || findModel(bare, { model: name, provider })?.model === model.model) continue
      taken.add(name)
      aliases.push(name)
    }
    return aliases.length === 0 ? model : { ...model, aliases }
  })
  return { ...slice, providers: { ...slice.providers, [provider]: named } }
}

function withoutProvider<Entry extends { readonly provider: string }>({ provider: _, ...rest }: Entry) {
  return rest
}

/** Whole names inside a rule of the price data; the stump of one, such as `gpt-5-nano-`, is not a name. */
function literals(match: MatchLogic): readonly string[] {
  if ('or' in match) return match.or.flatMap(literals)
  if ('and' in match || 'regex' in match) return []
  const [literal = ''] = Object.values(match)
  return /[a-z0-9]$/i.test(literal) && !/-20\d\d$/.test(literal) ? [literal] : []
}
