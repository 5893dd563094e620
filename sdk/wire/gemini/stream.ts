import type { ResponseReading } from '../../engine/format.ts'
import { isObject, type JsonObject } from '../../engine/json.ts'
import { reportedError } from '../response-reading.ts'
import { mergeUsage } from '../usage-source.ts'
import { isContinued, usageOf } from './usage.ts'

/** Goes on with a chunk of a stream, or with a whole response, which has the same shape. Each brings all usage until then. */
export function readEvent(reading: ResponseReading, event: JsonObject): ResponseReading {
  const error = reading.error ?? reportedError(event)
  const candidates = Array.isArray(event.candidates) ? event.candidates.filter(isObject) : null
  const blocked = isObject(event.promptFeedback) && event.promptFeedback.blockReason !== undefined
  const usages = usageOf(event)
  if (candidates === null && usages.length === 0 && !blocked) return { ...reading, error }
  const known = reading.response ?? {}
  const usage = mergeUsage([...(isObject(known.usageMetadata) ? [known.usageMetadata] : []), ...usages])
  const wentOn = known.candidates !== undefined || isContinued(event)
  return {
    response: {
      ...(Object.keys(usage).length > 0 ? { usageMetadata: usage } : {}),
      ...(wentOn ? { candidates: [{ finishReason: 'CONTINUATION' }] } : {}),
    },
    error,
    isComplete: reading.isComplete || blocked || (candidates ?? []).some(hasEnded),
  }
}

function hasEnded({ finishReason }: JsonObject): boolean {
  return typeof finishReason === 'string'
}
