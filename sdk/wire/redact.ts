import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'

/** Tokens of the media that an object carries itself, not of objects inside it; 0 for all other objects. */
export type MediaTokens = (object: JsonObject) => number

export interface Redacted {
  /** The value itself where nothing in it is opaque, else a copy along the changed paths. */
  readonly value: JsonValue
  readonly media: number
}

/** Keys that hold the app's or a tool's own JSON: whatever it looks like, it is text to the provider. */
export const ownJsonKeys: ReadonlySet<string> = new Set([
  'input',
  'arguments',
  'args',
  'parameters',
  'response',
  'input_schema',
  'input_examples',
  'inputSchema',
  'inputExamples',
])

const opaqueKeys: ReadonlySet<string> = new Set([
  'signature',
  'thought_signature',
  'thoughtSignature',
  'encrypted_content',
  'encrypted_index',
  'encrypted_stdout',
  'encryptedContent',
  'reasoningEncryptedContent',
  'redactedData',
  'file_data',
])

const opaqueDataTypes: ReadonlySet<unknown> = new Set([
  'base64',
  'data',
  'redacted_thinking',
  'reasoning.encrypted',
])

/** Providers nest their blocks a few levels deep; what lies deeper is text. */
const deepest = 24

/**
 * Replaces what is never counted as text by `""`: base64 data, `data:` URLs, signatures, encrypted reasoning
 * (rules.md 5, "text that is counted"). It looks at where a string stands, never at what a person wrote.
 */
export function redact(value: JsonValue, mediaTokens: MediaTokens, depth = 0): Redacted {
  if (depth === deepest) return { value, media: 0 }
  if (Array.isArray(value)) return redactList(value, mediaTokens, depth)
  return isObject(value) ? redactObject(value, mediaTokens, depth) : { value, media: 0 }
}

function redactList(list: readonly JsonValue[], mediaTokens: MediaTokens, depth: number): Redacted {
  let media = 0
  let changed = false
  const items = list.map((item) => {
    const redacted = redact(item, mediaTokens, depth + 1)
    media += redacted.media
    changed ||= redacted.value !== item
    return redacted.value
  })
  return { value: changed ? items : list, media }
}

function redactObject(object: JsonObject, mediaTokens: MediaTokens, depth: number): Redacted {
  let media = mediaTokens(object)
  const replaced: [string, JsonValue][] = []
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined || ownJsonKeys.has(key) || isJsonOutput(object, key)) continue
    if (typeof value === 'string') {
      if (value !== '' && isOpaque(object, key, value)) replaced.push([key, ''])
      continue
    }
    const redacted = redact(value, mediaTokens, depth + 1)
    media += redacted.media
    if (redacted.value !== value) replaced.push([key, redacted.value])
  }
  return { value: replaced.length === 0 ? object : { ...object, ...Object.fromEntries(replaced) }, media }
}

/** The AI SDK's name for a result that is JSON. */
function isJsonOutput({ type }: JsonObject, key: string): boolean {
  return key === 'value' && (type === 'json' || type === 'error-json')
}

function isOpaque(object: JsonObject, key: string, value: string): boolean {
  if (opaqueKeys.has(key)) return true
  if (key === 'data' && (opaqueDataTypes.has(object.type) || isMediaHolder(object))) return true
  // The AI SDK's file parts hold base64 or a link under the same name.
  if (key === 'data' && typeof object.mediaType === 'string')
    return !/^(?!data:)[a-z][a-z\d+.-]*:/i.test(value)
  if (key === 'result' && object.type === 'image_generation_call') return true
  return isLinkKey(key) && value.startsWith('data:')
}

const audioFormats: ReadonlySet<unknown> = new Set([
  'wav',
  'mp3',
  'flac',
  'opus',
  'pcm16',
  'aac',
  'm4a',
  'ogg',
])

/** `input_audio` names a format beside its data, Gemini a MIME type. */
function isMediaHolder(object: JsonObject): boolean {
  return audioFormats.has(object.format) || typeof (object.mimeType ?? object.mime_type) === 'string'
}

function isLinkKey(key: string): boolean {
  return key === 'url' || key === 'image_url' || key === 'file_url'
}
