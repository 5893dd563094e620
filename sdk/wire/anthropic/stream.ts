import type { ResponseReading } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { reportedError } from '../response-reading.ts'
import { mergeUsage } from '../usage-source.ts'
import { isServerCall } from './entries.ts'
import { usageOf } from './usage.ts'

/**
 * Goes on with an event of a stream, or with a whole message. The message that starts a stream brings its input, and
 * each delta all output until then (R33).
 */
export function readEvent(reading: ResponseReading, event: JsonObject): ResponseReading {
  const error = reading.error ?? reportedError(event)
  if (!isMessageEvent(event)) return { ...reading, error }
  const message = isObject(event.message) ? event.message : event
  const { id, usage, content } = reading.response ?? {}
  const merged = mergeUsage([...(isObject(usage) ? [usage] : []), ...usageOf(event)])
  const serverCalls = [...list(content), ...list(message.content), event.content_block].filter(isCall)
  const named = id ?? message.id
  return {
    response: {
      type: 'message',
      ...(named === undefined ? {} : { id: named }),
      ...(Object.keys(merged).length > 0 ? { usage: merged } : {}),
      content: serverCalls.slice(0, 1).map(({ type }) => ({ type })),
    },
    error,
    isComplete: reading.isComplete || endsMessage(event),
  }
}

const messageEvents: ReadonlySet<JsonValue | undefined> = new Set([
  'message',
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
])

function isMessageEvent({ type }: JsonObject): boolean {
  return messageEvents.has(type)
}

/** The delta that says why the model stopped is the last that counts; only a marker comes after it. */
function endsMessage({ type, delta }: JsonObject): boolean {
  if (type === 'message' || type === 'message_stop') return true
  return type === 'message_delta' && isObject(delta) && typeof delta.stop_reason === 'string'
}

function isCall(block: JsonValue | undefined): block is JsonObject {
  return block !== undefined && isServerCall(block)
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}
