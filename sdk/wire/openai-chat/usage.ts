import type { ReportedUsage } from '../../engine/format.ts'
import { isObject, type JsonObject } from '../../engine/json.ts'
import { tokenCount } from '../token-count.ts'
import { mergeUsage, responseEvents } from '../usage-source.ts'

/**
 * Usage of a response body, of the chunks of a stream, or of a bare usage object (R32, R38). `prompt_tokens`
 * holds the cached part in every dialect, so nothing is added to it.
 */
export function readUsage(response: unknown): ReportedUsage | null {
  const events = responseEvents(response)
  const usage = mergeUsage(events.flatMap(usageOf))
  if (Object.keys(usage).length === 0) return null
  const { input, cacheRead } = inputCounts(usage)
  const cacheWrite = tokenCount(details(usage.prompt_tokens_details).cache_write_tokens)
  const output = outputCount(usage)
  return {
    ...(input === undefined ? {} : { input }),
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
    ...(output === undefined ? {} : { output }),
    isTotal: sumsSeveralCalls(usage),
    raw: usage,
  }
}

const usageKeys = ['prompt_tokens', 'completion_tokens', 'total_tokens', 'prompt_eval_count', 'cache_n']

/** Where the dialects put it: beside the choices, under Groq's own key, or, in llama.cpp, as timings alone. */
export function usageOf(event: JsonObject): readonly JsonObject[] {
  if (isObject(event.usage)) return isObject(event.timings) ? [event.timings, event.usage] : [event.usage]
  if (isObject(event.x_groq) && isObject(event.x_groq.usage)) return [event.x_groq.usage]
  if (isObject(event.timings)) return [event.timings]
  // Cohere ends its streams so.
  if (isObject(event.delta) && isObject(event.delta.usage)) return [event.delta.usage]
  return usageKeys.some((key) => event[key] !== undefined) ? [event] : []
}

function inputCounts(usage: JsonObject): { input: number | undefined; cacheRead: number | undefined } {
  const fromTimings = tokenCount(usage.cache_n)
  const cacheRead =
    tokenCount(details(usage.prompt_tokens_details).cached_tokens) ??
    tokenCount(usage.prompt_cache_hit_tokens) ??
    tokenCount(usage.num_cached_tokens) ??
    tokenCount(usage.cached_tokens) ??
    fromTimings
  const fresh = tokenCount(usage.prompt_n)
  const input =
    tokenCount(usage.prompt_tokens) ??
    tokenCount(usage.prompt_eval_count) ??
    // Cohere bills less than it reads.
    tokenCount(details(usage.tokens).input_tokens) ??
    // llama.cpp's timings leave the cached part out of `prompt_n`.
    (fromTimings === undefined || fresh === undefined ? undefined : fromTimings + fresh)
  return { input, cacheRead }
}

/** xAI keeps reasoning out of `completion_tokens`; its total tells. */
function outputCount(usage: JsonObject): number | undefined {
  const completion =
    tokenCount(usage.completion_tokens) ??
    tokenCount(usage.eval_count) ??
    tokenCount(details(usage.tokens).output_tokens)
  const reasoning = tokenCount(details(usage.completion_tokens_details).reasoning_tokens) ?? 0
  const total = tokenCount(usage.total_tokens)
  const input = tokenCount(usage.prompt_tokens)
  if (completion === undefined || total === undefined || input === undefined) return completion
  return total === input + completion + reasoning ? completion + reasoning : completion
}

/** Tools that the provider runs itself make it call the model again, and bill all calls as one. */
function sumsSeveralCalls(usage: JsonObject): boolean {
  const executed = [
    details(usage.server_tool_use_details).tool_calls_executed,
    details(usage.server_tool_use).web_search_requests,
    usage.num_server_side_tools_used,
  ]
  return usage.usage_breakdown !== undefined || executed.some((count) => (tokenCount(count) ?? 0) > 0)
}

function details(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}
