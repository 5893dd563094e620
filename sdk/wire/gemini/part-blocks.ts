import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { fieldOf, withoutField } from './field-of.ts'
import { isThought } from './parts.ts'

/** Parts as the blocks that other formats are made of, so that they are matched and read by the same rules. */
export function partBlocks(parts: readonly JsonValue[]): readonly JsonValue[] {
  return parts.map(partBlock)
}

function partBlock(part: JsonValue): JsonValue {
  if (!isObject(part)) return part
  if (isThought(part)) return { type: 'reasoning' }
  if (typeof part.text === 'string') return { type: 'text', text: part.text }
  const unsigned = withoutField(part, 'thoughtSignature')
  const media = fieldOf(part, 'inlineData') ?? fieldOf(part, 'fileData')
  return isObject(media) ? { type: mediaType(media), ...unsigned } : unsigned
}

function mediaType(media: JsonObject): string {
  const [type] = String(fieldOf(media, 'mimeType')).split('/')
  return type === 'image' || type === 'audio' || type === 'video' ? type : 'document'
}
