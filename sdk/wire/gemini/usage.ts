import type { ReportedUsage } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { tokenCount } from '../token-count.ts'
import { mergeUsage, responseEvents } from '../usage-source.ts'

/**
 * Usage of a response body, of the chunks of a stream, or of bare usage metadata, of an interaction as well (R32,
 * R33, R38). The prompt holds its cached part; what the provider's own tools read, and what the model thought, stand
 * beside it.
 */
export function readUsage(response: unknown): ReportedUsage | null {
  const events = responseEvents(response)
  const usage = mergeUsage(events.flatMap(usageOf))
  if (Object.keys(usage).length === 0) return null
  const first = tokenCount(usage.initialPromptTokenCount ?? usage.initial_input_tokens)
  const prompt = tokenCount(usage.promptTokenCount ?? usage.total_input_tokens)
  const toolUse = beside(usage.toolUsePromptTokenCount ?? usage.total_tool_use_tokens)
  const input = first ?? sum(prompt, toolUse)
  const cacheRead = tokenCount(usage.cachedContentTokenCount ?? usage.total_cached_tokens)
  const output = outputCount(usage)
  const wentOn = events.some(isContinued) || (first !== undefined && first !== prompt)
  return {
    ...(input === undefined ? {} : { input }),
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(output === undefined ? {} : { output }),
    // Where a tool of the provider ran, the model was called again within the one response.
    isTotal: wentOn || toolUse !== 0,
    raw: usage,
  }
}

const usageKeys = [
  'promptTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'totalTokenCount',
  'total_input_tokens',
]

export function usageOf(event: JsonObject): readonly JsonObject[] {
  if (isObject(event.usageMetadata)) return [event.usageMetadata]
  const interaction = isObject(event.interaction) ? event.interaction : event
  if (isObject(interaction.usage)) return usageOf(interaction.usage)
  return usageKeys.some((key) => event[key] !== undefined) ? [event] : []
}

/** Answers that are long to write are written in hops, whose figures are added up. */
export function isContinued({ candidates }: JsonObject): boolean {
  return (
    Array.isArray(candidates) &&
    candidates.some((candidate) => isObject(candidate) && candidate.finishReason === 'CONTINUATION')
  )
}

function outputCount(usage: JsonObject): number | undefined {
  const said = usage.candidatesTokenCount ?? usage.total_output_tokens
  const thought = usage.thoughtsTokenCount ?? usage.total_thought_tokens
  return isAbsent(said) && isAbsent(thought) ? undefined : sum(beside(said), beside(thought))
}

/** A part that is not reported is none; one that is no number makes the sum unknown. */
function beside(value: JsonValue | undefined): number | undefined {
  return isAbsent(value) ? 0 : tokenCount(value)
}

function isAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || value === null
}

function sum(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? undefined : left + right
}
