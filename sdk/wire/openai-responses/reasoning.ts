import { isObject, type JsonObject } from '../../engine/json.ts'
import { isReasoning } from './items.ts'

/** Models that take reasoning whatever has become of what stood before it. */
const unboundModels = /(?:^|\/)(?:gpt-[345](?![\d])|o[134](?![\d])|codex)/

/**
 * Whether the request enables or carries reasoning that the provider leaves out where anything before it has
 * changed. A model that nobody knows is treated as the newest kind.
 */
export function bindsReasoning(request: JsonObject, items: readonly JsonObject[]): boolean {
  const { model, reasoning } = request
  if (typeof model === 'string' && unboundModels.test(model)) return false
  return (isObject(reasoning) && reasoning.effort !== 'none') || items.some(isReasoning)
}
