import { isObject, type JsonObject } from '../../engine/json.ts'

/** The id by which a thread goes on with a response: of a message, or of the message that a stream starts. */
export function responseId(response: unknown): string | null {
  const events: readonly unknown[] = Array.isArray(response) ? response : [response]
  for (const event of events) {
    const message: JsonObject | null = isObject(event)
      ? isObject(event.message)
        ? event.message
        : event
      : null
    if (message?.type === 'message' && typeof message.id === 'string') return message.id
  }
  return null
}
