import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { isLink } from './files.ts'
import { contentParts, withParts } from './parts.ts'

/**
 * A message as JSON can hold it: the bytes of a file as base64, which the specification takes as well, and the
 * URL of one as its text. Itself where it holds neither.
 */
export function plainMessage(native: unknown): unknown {
  return isObject(native) ? withFileData(native, plainData) : native
}

/** A message that was written anew: links where the specification wants a URL are one again. */
export function revivedMessage(message: JsonValue): JsonValue {
  return isObject(message) ? withFileData(message, revivedData) : message
}

/** What stands for the data of a file, or, of a tagged one, for what its tag holds; itself where nothing does. */
type ChangeData = (data: unknown) => JsonValue | undefined

function withFileData(message: JsonObject, change: ChangeData): JsonObject {
  const parts = contentParts(message)
  const changed = changedParts(parts, change)
  return changed === parts ? message : withParts(message, changed)
}

function changedParts(parts: readonly JsonValue[], change: ChangeData): readonly JsonValue[] {
  let isChanged = false
  const all = parts.map((part) => {
    const other = isObject(part) ? changedPart(part, change) : part
    isChanged ||= other !== part
    return other
  })
  return isChanged ? all : parts
}

function changedPart(part: JsonObject, change: ChangeData): JsonObject {
  if (part.type === 'tool-result') return changedResult(part, change)
  if (part.type !== 'file' && part.type !== 'reasoning-file') return part
  const data = isTagged(part.data) ? changedTag(part.data, change) : (change(part.data) ?? part.data)
  return data === part.data ? part : { ...part, data }
}

function changedResult(result: JsonObject, change: ChangeData): JsonObject {
  const { output } = result
  if (!isObject(output) || output.type !== 'content' || !Array.isArray(output.value)) return result
  const value = changedParts(output.value, change)
  return value === output.value ? result : { ...result, output: { ...output, value } }
}

function changedTag(tagged: JsonObject, change: ChangeData): JsonObject {
  const key = tagged.type === 'url' ? 'url' : 'data'
  const value = change(tagged[key])
  return value === undefined ? tagged : { ...tagged, [key]: value }
}

/** Bytes and URLs are objects too, and have no type. */
function isTagged(data: JsonValue | undefined): data is JsonObject {
  return isObject(data) && typeof data.type === 'string'
}

function plainData(data: unknown): string | undefined {
  if (ArrayBuffer.isView(data)) return base64(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
  // A URL of another realm is no instance of this one's class.
  return Object.prototype.toString.call(data) === '[object URL]' ? String(data) : undefined
}

function revivedData(data: unknown): JsonValue | undefined {
  if (typeof data !== 'string' || !isLink(data) || !URL.canParse(data)) return undefined
  const url: unknown = new URL(data)
  return isObject(url) ? url : undefined
}

/** Bytes that are encoded in one piece: whole groups of three, and few enough to be arguments of one call. */
const PIECE = 0x6000

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += PIECE)
    text += btoa(String.fromCharCode(...bytes.subarray(start, start + PIECE)))
  return text
}
