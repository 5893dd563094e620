import type { BodyTexts, NativeMessage } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import type { TextBody } from '../../engine/readable-text.ts'
import { partOwners } from './entries.ts'
import { contentParts, isModel, responseIn } from './parts.ts'
import { replaceResponseBodies, responseBodies } from './response-value.ts'

export function resultBodies(snapshot: NativeMessage): ReadonlyMap<number, readonly TextBody[]> {
  if (!isObject(snapshot) || isModel(snapshot)) return new Map()
  const owners = partOwners(snapshot).parts
  return new Map(
    contentParts(snapshot).flatMap((part, position) => {
      const response = responseIn(part)
      return response === null ? [] : [[owners[position] ?? -1, responseBodies(response)] as const]
    }),
  )
}

export function replaceBodies(snapshot: NativeMessage, texts: BodyTexts): NativeMessage {
  if (!isObject(snapshot)) return snapshot
  const owners = partOwners(snapshot).parts
  const parts = contentParts(snapshot).map((part, position): JsonValue => {
    const own = texts.get(owners[position] ?? -1)
    const response = responseIn(part)
    if (own === undefined || response === null || !isObject(part)) return part
    return withResponse(part, response, replaceResponseBodies(response, own))
  })
  return { ...snapshot, parts }
}

export function clearResult(snapshot: NativeMessage, draft: number, text: string): NativeMessage | null {
  if (!isObject(snapshot) || isModel(snapshot)) return null
  const parts = contentParts(snapshot)
  const owners = partOwners(snapshot).parts
  const position = parts.findIndex((part, place) => owners[place] === draft && responseIn(part) !== null)
  const part = parts[position]
  if (!isObject(part)) return null
  const response = responseIn(part)
  if (response === null) return null
  const { parts: _, ...rest } = response
  const cleared = withResponse(part, response, { ...rest, response: { output: text } })
  return { ...snapshot, parts: parts.with(position, cleared) }
}

/** A part with another response, under the name that it has there. */
function withResponse(part: JsonObject, response: JsonObject, written: JsonObject): JsonObject {
  const key = part.functionResponse === response ? 'functionResponse' : 'function_response'
  return { ...part, [key]: written }
}
