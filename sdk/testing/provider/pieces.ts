import type { JsonObject, JsonValue } from '../../engine/json.ts'
import type { Piece } from './dialect.ts'
import { textOf } from './json-reading.ts'

/** Sealed by the provider, and not read as the text that it looks like. */
const sealed: ReadonlySet<string> = new Set(['signature', 'thoughtSignature', 'encrypted_content'])

/** A part of a request as the provider reads it: its text, without what is sealed, and what is no text by itself. */
export function pieceOf(part: JsonObject): Piece {
  const media: string[] = []
  const text = JSON.stringify(part, function (this: JsonObject, key, value: JsonValue) {
    if (typeof value !== 'string') return value
    if (sealed.has(key) || (key === 'data' && this.type === 'redacted_thinking')) return undefined
    if (!isMedium(key, value, this)) return value
    media.push(value)
    return undefined
  })
  return media.length === 0 ? { text } : { text, media }
}

/** By what stands beside it, for a tool may be called with data as well. */
function isMedium(key: string, value: string, { media_type: claude, mimeType, format }: JsonObject): boolean {
  if (key === 'data')
    return claude !== undefined || mimeType !== undefined || /^(wav|mp3)$/.test(textOf(format))
  return key === 'file_data' || (/^(image_)?url$/.test(key) && value.startsWith('data:'))
}

/** The named fields of a request that are there, each a part by itself. */
export function fieldsOf(body: JsonObject, ...names: readonly string[]): readonly JsonObject[] {
  return names.flatMap((name) => {
    const value = body[name]
    return value === undefined || value === null ? [] : [{ [name]: value }]
  })
}
