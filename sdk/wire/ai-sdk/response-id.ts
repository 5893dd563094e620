import { isObject } from '../../engine/json.ts'

/** The id by which a later call goes on with a response, of a result or of the parts of a stream. */
export function responseId(response: unknown): string | null {
  const events: readonly unknown[] = Array.isArray(response) ? response : [response]
  for (const event of events) {
    if (!isObject(event)) continue
    const { id } = event.type === 'response-metadata' ? event : isObject(event.response) ? event.response : {}
    if (typeof id === 'string') return id
  }
  return null
}
