import { isObject, type JsonObject } from '../../engine/json.ts'
import { responseEvents } from '../usage-source.ts'

/** The response itself, or the one that an event of a stream wraps. */
export function responseOf(event: JsonObject): JsonObject {
  return isObject(event.response) ? event.response : event
}

/** The id by which a request goes on: of the conversation that the response was added to, else its own. */
export function responseId(response: unknown): string | null {
  for (const event of responseEvents(response)) {
    const { object, id, conversation } = responseOf(event)
    if (object !== 'response' || typeof id !== 'string') continue
    return conversationId(conversation) ?? id
  }
  return null
}

export function conversationId(conversation: JsonObject[string]): string | null {
  const id = isObject(conversation) ? conversation.id : conversation
  return typeof id === 'string' ? id : null
}
