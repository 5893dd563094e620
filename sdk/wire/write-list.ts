import type { NativeMessage, ReadRequest } from '../engine/format.ts'
import type { JsonObject } from '../engine/json.ts'

/** The request with its matched messages replaced, in the order of its keys; all else is the app's own. */
export function writeList(
  request: JsonObject,
  options: { readonly key: string; readonly read: ReadRequest; readonly messages: readonly NativeMessage[] },
): JsonObject {
  const { key, read, messages } = options
  return { ...request, [key]: [...read.leading, ...messages] }
}
