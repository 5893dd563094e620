import type { ReportedUsage } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { tokenCount } from '../token-count.ts'
import { mergeUsage, responseEvents } from '../usage-source.ts'
import { isServerCall } from './entries.ts'

/**
 * Usage of a response body, of the events of a stream, or of a bare usage object, as Bedrock's Converse writes it as
 * well (R32, R33, R38). `input_tokens` is what was neither read from cache nor written to it, so both are added (R24).
 */
export function readUsage(response: unknown): ReportedUsage | null {
  const events = responseEvents(response)
  const usage = mergeUsage(events.flatMap(usageOf))
  if (Object.keys(usage).length === 0) return null
  const iterations = Array.isArray(usage.iterations) ? usage.iterations.filter(isObject) : []
  const ranServerTool = events.some(holdsServerTool) || serverToolRequests(usage) > 0
  const single = iterations.findLast((iteration) => iteration.type === 'message') ?? usage
  const output = tokenCount(usage.output_tokens ?? usage.outputTokens)
  return {
    ...inputCounts(single),
    ...(output === undefined ? {} : { output }),
    isTotal: iterations.length > 0 ? iterations.length > 1 || single === usage : ranServerTool,
    raw: usage,
  }
}

const usageKeys = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'inputTokens',
  'outputTokens',
]

export function usageOf(event: JsonObject): readonly JsonObject[] {
  if (isObject(event.usage)) return [event.usage]
  if (isObject(event.message)) return usageOf(event.message)
  // The event of Converse's stream.
  if (isObject(event.metadata)) return usageOf(event.metadata)
  return usageKeys.some((key) => event[key] !== undefined) ? [event] : []
}

function inputCounts(usage: JsonObject): Pick<ReportedUsage, 'input' | 'cacheRead' | 'cacheWrite'> {
  const fresh = tokenCount(usage.input_tokens ?? usage.inputTokens)
  const read = usage.cache_read_input_tokens ?? usage.cacheReadInputTokens
  const written = usage.cache_creation_input_tokens ?? usage.cacheWriteInputTokens
  const cacheRead = optionalCount(read)
  const cacheWrite = optionalCount(written)
  return {
    // One unknown part makes the sum unknown; one that is not there is a part of zero.
    ...(fresh === undefined || cacheRead === undefined || cacheWrite === undefined
      ? {}
      : { input: fresh + cacheRead + cacheWrite }),
    ...(isAbsent(read) || cacheRead === undefined ? {} : { cacheRead }),
    ...(isAbsent(written) || cacheWrite === undefined ? {} : { cacheWrite }),
  }
}

function optionalCount(value: JsonValue | undefined): number | undefined {
  return isAbsent(value) ? 0 : tokenCount(value)
}

function isAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || value === null
}

function serverToolRequests(usage: JsonObject): number {
  const requests = isObject(usage.server_tool_use) ? Object.values(usage.server_tool_use) : []
  return requests.reduce<number>((sum, count) => sum + (tokenCount(count) ?? 0), 0)
}

/** A tool of the provider's own ran, so the model was called again within the one response. */
function holdsServerTool(event: JsonObject): boolean {
  const content = Array.isArray(event.content) ? event.content : [event.content_block]
  return content.some((block) => block !== undefined && isServerCall(block))
}
