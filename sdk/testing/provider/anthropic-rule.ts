import type { JsonObject } from '../../engine/json.ts'
import type { Turn } from './anthropic-blocks.ts'
import type { ProviderModel } from './model.ts'

/** What one rule says of a request that has the shape of one; null: nothing. */
export type AnthropicRule = (
  turns: readonly Turn[],
  body: JsonObject,
  model: Omit<ProviderModel, 'window'>,
) => string | null
