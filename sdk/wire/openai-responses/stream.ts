import type { ResponseReading } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { reportedError } from '../response-reading.ts'
import { mergeUsage } from '../usage-source.ts'
import { responseOf } from './response-id.ts'
import { loopingItem, usageOf } from './usage.ts'

/** Goes on with an event of a stream, of which the first and the last wrap the response, or with a whole response. */
export function readEvent(reading: ResponseReading, event: JsonObject): ResponseReading {
  const response = responseOf(event)
  const error = reading.error ?? errorOf(event, response)
  if (!isResponseEvent(event)) return { ...reading, error }
  const known = reading.response ?? {}
  const usage = mergeUsage([...(isObject(known.usage) ? [known.usage] : []), ...usageOf(event)])
  const looping = Array.isArray(known.output) ? known.output[0] : loopingItem(event)
  const { id, conversation } = known.id === undefined && response.object === 'response' ? response : known
  return {
    response: {
      object: 'response',
      ...(id === undefined ? {} : { id }),
      ...(conversation === undefined ? {} : { conversation }),
      ...(Object.keys(usage).length > 0 ? { usage } : {}),
      ...(looping === undefined ? {} : { output: [{ type: isObject(looping) ? looping.type : undefined }] }),
    },
    error,
    // A response that runs in the background is whole when it says so; its answer is fetched by another request.
    isComplete: reading.isComplete || event.object === 'response' || endedStatuses.has(response.status),
  }
}

/** The events that only name a response, and whatever ends it without an answer. */
const openingTypes: ReadonlySet<JsonValue | undefined> = new Set([
  'response.created',
  'response.queued',
  'response.in_progress',
  'response.failed',
  'error',
  'keepalive',
])

export function beginsAnswer({ type }: JsonObject): boolean {
  return !openingTypes.has(type)
}

const endedStatuses: ReadonlySet<JsonValue | undefined> = new Set(['completed', 'incomplete'])

function isResponseEvent({ type, object }: JsonObject): boolean {
  return object === 'response' || (typeof type === 'string' && type.startsWith('response.'))
}

function errorOf(event: JsonObject, response: JsonObject): JsonValue {
  // In a stream the error is the event itself.
  if (event.type === 'error') return reportedError(event) ?? event
  const { status } = response
  if (status === 'failed' || status === 'cancelled') return reportedError(response) ?? { code: status }
  return response === event ? reportedError(event) : null
}
