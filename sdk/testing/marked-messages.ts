import type { WireMessage } from '../engine/format.ts'
import type { JsonObject, JsonValue } from '../engine/json.ts'
import type { MarkedRequest } from '../engine/marks.ts'
import { cacheMarks } from '../wire/anthropic/marks.ts'

export const short = { type: 'ephemeral' }
export const long = { type: 'ephemeral', ttl: '1h' }
export const text = (said: string, cache_control?: JsonObject): JsonObject => ({
  type: 'text',
  text: said,
  ...(cache_control && { cache_control }),
})
export const think: JsonObject = { type: 'thinking', thinking: 'hm', signature: 'c2ln' }
export const user = (...content: readonly JsonValue[]): JsonObject => ({ role: 'user', content })
export const assistant = (...content: readonly JsonValue[]): JsonObject => ({ role: 'assistant', content })

/** Messages of one draft each, with the index that is their position. */
export function messagesOf(...list: readonly JsonObject[]): readonly WireMessage[] {
  return list.map((snapshot, index) => ({ native: snapshot, snapshot, indexes: [index] }))
}

/** Where a request is marked, and for how long, in the order of the prefix. */
export function marksOf({ fields, messages }: MarkedRequest): readonly string[] {
  const inField = (part: string): readonly string[] =>
    fields.flatMap((field) =>
      field.type === 'value' && field.part === part
        ? cacheMarks.read(field.snapshot).map(({ lifetime }) => `${part} ${lifetime}`)
        : [],
    )
  return [
    ...inField('tools'),
    ...inField('system'),
    ...messages.flatMap(({ snapshot }, position) =>
      cacheMarks.read(snapshot).map(({ lifetime }) => `${position} ${lifetime}`),
    ),
  ]
}
