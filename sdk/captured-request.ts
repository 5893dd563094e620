import type { DecidedRequest } from './engine/decide.ts'
import type { NativeMessage } from './engine/format.ts'
import { type KnownMessage, plainOf } from './engine/intake.ts'
import { isObject, type JsonObject, sameJsonText } from './engine/json.ts'
import { writeMessages } from './outgoing-request.ts'
import type { IncomingRequest } from './request-intake.ts'
import { type OpenedRequest, whileReading } from './request-reading.ts'

/** A request as it was when `prepare` was called; the app may go on changing its own while dogear measures. */
export interface CapturedRequest {
  readonly original: unknown
  /** Another object with the same values, and lists of its own. */
  readonly body: unknown
}

export function captureRequest(request: unknown): CapturedRequest {
  if (!isObject(request)) return { original: request, body: request }
  return { original: request, body: whileReading(request, () => copyLists(request)) }
}

function copyLists(request: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(request).map(([key, value]) => [key, Array.isArray(value) ? value.slice() : value]),
  )
}

/**
 * The request to hand over: what was measured, and nothing else. The app's own object where it still is that;
 * a part that the app changed meanwhile leaves as it was read.
 */
export function handOver(facts: {
  readonly captured: CapturedRequest
  readonly opened: OpenedRequest
  readonly incoming: IncomingRequest
  readonly decided: DecidedRequest
  /** As it was written and gated, from what the app's objects held then. */
  readonly outgoing: unknown
}): unknown {
  const { captured, opened, incoming, decided, outgoing } = facts
  const { request, read } = opened
  const replaced = new Map<NativeMessage, NativeMessage>()
  const asRead = (list: readonly NativeMessage[], known: readonly KnownMessage[]): readonly NativeMessage[] =>
    list.map((native, position) => {
      const message = known[position]
      if (message === undefined || isStill(plainOf(native, opened.wire), message.snapshot, message.json))
        return native
      const copy = structuredClone(message.snapshot)
      replaced.set(native, copy)
      return copy
    })
  const leading = asRead(read.leading, incoming.leading)
  const messages = asRead(read.messages, incoming.messages)
  const values: Record<string, JsonObject[string]> = {}
  for (const field of incoming.fields)
    if (field.type === 'value' && !isStill(request[field.key], field.snapshot, field.json))
      values[field.key] = structuredClone(field.snapshot)
  const isIntact = replaced.size === 0 && Object.keys(values).length === 0
  if (isIntact) return decided.changed ? outgoing : isStillCaptured(captured) ? captured.original : request
  const body = { ...request, ...values }
  const rest = { ...opened, request: body, read: { ...read, leading } }
  return decided.changed
    ? writeMessages(rest, decided, replaced)
    : opened.wire.write(body, rest.read, messages)
}

function isStill(value: unknown, snapshot: unknown, json: string): boolean {
  try {
    // A value with a `toJSON` of its own cannot be walked, but its text can be compared.
    return sameJsonText(value, snapshot) || JSON.stringify(value) === json
  } catch {
    return false
  }
}

/** Whether the app's own object holds what it held, so that it can be the one that is handed over. */
function isStillCaptured({ original, body }: CapturedRequest): boolean {
  if (!isObject(original) || !isObject(body)) return false
  const keys = Object.keys(original)
  return (
    keys.length === Object.keys(body).length &&
    keys.every((key) => {
      const [now, then] = [original[key], body[key]]
      if (!Array.isArray(now) || !Array.isArray(then)) return now === then
      return now.length === then.length && now.every((item, position) => item === then[position])
    })
  )
}
