import type { ReportedUsage } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { tokenCount } from '../token-count.ts'
import { responseEvents } from '../usage-source.ts'
import { isProviderCall } from './parts.ts'

/**
 * Usage of a model's result, of the parts of its stream, of the outcome of `generateText` and its kind, or of a
 * bare usage object (R32, R38). Versions 3 and 4 count the cached part in; so do the flat figures that apps see.
 */
export function readUsage(response: unknown): ReportedUsage | null {
  const events = responseEvents(response)
  const calls = events.flatMap(usageOf)
  const usage = calls.at(-1) ?? events.flatMap(({ totalUsage }) => objects(totalUsage)).at(-1)
  if (usage === undefined) return null
  const flat = flatCounts(usage)
  const { input, cacheRead, cacheWrite, output } = isObject(usage.inputTokens) ? nestedCounts(usage) : flat
  return {
    ...(input === undefined ? {} : { input }),
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
    ...(output === undefined ? {} : { output }),
    isTotal: calls.length !== 1 || sumsSeveralCalls(usage) || events.some(holdsSeveralCalls),
    raw: usage,
  }
}

const usageKeys = ['inputTokens', 'outputTokens', 'totalTokens']

/** A result or the end of a call; or the figures themselves. */
function usageOf(event: JsonObject): readonly JsonObject[] {
  if (isObject(event.usage)) return [event.usage]
  return usageKeys.some((key) => event[key] !== undefined) ? [event] : []
}

interface Counts {
  readonly input: number | undefined
  readonly cacheRead: number | undefined
  readonly cacheWrite: number | undefined
  readonly output: number | undefined
}

function nestedCounts(usage: JsonObject): Counts {
  const input = objectOf(usage.inputTokens)
  const [fresh, cacheRead, cacheWrite] = [input.noCache, input.cacheRead, input.cacheWrite].map(tokenCount)
  const sum =
    fresh === undefined || cacheRead === undefined || cacheWrite === undefined
      ? undefined
      : fresh + cacheRead + cacheWrite
  return {
    input: tokenCount(input.total) ?? sum,
    cacheRead,
    cacheWrite,
    output: tokenCount(objectOf(usage.outputTokens).total),
  }
}

function flatCounts(usage: JsonObject): Counts {
  const details = objectOf(usage.inputTokenDetails)
  const input = tokenCount(usage.inputTokens)
  const cacheRead = tokenCount(details.cacheReadTokens) ?? tokenCount(usage.cachedInputTokens)
  return {
    // Before version 3 some adapters left the cached part out, which shows where it is larger than the whole.
    input: input !== undefined && cacheRead !== undefined && cacheRead > input ? undefined : input,
    cacheRead,
    cacheWrite: tokenCount(details.cacheWriteTokens),
    output: tokenCount(usage.outputTokens),
  }
}

/** Anthropic's adapter adds up what the provider lists as calls of its own. */
function sumsSeveralCalls({ raw }: JsonObject): boolean {
  return isObject(raw) && Array.isArray(raw.iterations) && raw.iterations.length > 1
}

/** A tool of the provider's own ran, so the model was called again within the one response; or the app took steps. */
function holdsSeveralCalls(event: JsonObject): boolean {
  const { content, steps } = event
  const isLoop = Array.isArray(steps) && steps.length > 1
  return isLoop || isProviderCall(event) || (Array.isArray(content) && content.some(isProviderCall))
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return isObject(value) ? [value] : []
}
