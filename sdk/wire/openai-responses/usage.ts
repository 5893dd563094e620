import type { ReportedUsage } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { tokenCount } from '../token-count.ts'
import { mergeUsage, responseEvents } from '../usage-source.ts'
import { responseOf } from './response-id.ts'

/**
 * Usage of a response, of the events of a stream, of which the last wraps the response, or of a bare usage object
 * (R32, R38). `input_tokens` holds what was read from cache and written to it, so nothing is added to it.
 */
export function readUsage(response: unknown): ReportedUsage | null {
  const events = responseEvents(response)
  const usage = mergeUsage(events.flatMap(usageOf))
  if (Object.keys(usage).length === 0) return null
  const input = tokenCount(usage.input_tokens)
  const cacheRead = tokenCount(details(usage.input_tokens_details).cached_tokens)
  const cacheWrite = tokenCount(details(usage.input_tokens_details).cache_write_tokens)
  const output = tokenCount(usage.output_tokens)
  return {
    ...(input === undefined ? {} : { input }),
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
    ...(output === undefined ? {} : { output }),
    isTotal: events.some((event) => loopingItem(event) !== undefined) || toolsRun(usage),
    raw: usage,
  }
}

const usageKeys = ['input_tokens', 'output_tokens', 'total_tokens']

export function usageOf(event: JsonObject): readonly JsonObject[] {
  const response = responseOf(event)
  if (isObject(response.usage)) return [response.usage]
  return usageKeys.some((key) => event[key] !== undefined) ? [event] : []
}

/** What the provider does in the middle of a response, after which it calls the model again. */
const loopingTypes: ReadonlySet<JsonValue | undefined> = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
  'tool_search_output',
  'shell_call_output',
  'program_output',
  'compaction',
])

/** What in an event shows that the model was called more than once. */
export function loopingItem(event: JsonObject): JsonObject | undefined {
  const { output } = responseOf(event)
  const items = Array.isArray(output) ? output : [event.item]
  return items.filter(isObject).find(({ type }) => loopingTypes.has(type))
}

/** Other providers of this API count what they ran. */
function toolsRun(usage: JsonObject): boolean {
  const counts = [
    usage.num_server_side_tools_used,
    details(usage.server_tool_use_details).tool_calls_executed,
    details(usage.server_tool_use).web_search_requests,
  ]
  return counts.some((count) => (tokenCount(count) ?? 0) > 0)
}

function details(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}
