import { isObject, type JsonObject } from '../../engine/json.ts'
import { geminiTokens } from '../gemini-media.ts'
import type { MediaTokens } from '../redact.ts'
import { fieldOf } from './field-of.ts'

/** Tokens of the media parts of a content, by the rates of the model that will read them. */
export function mediaTokensFor(model: string | undefined): MediaTokens {
  return (part) => {
    const inline = fieldOf(part, 'inlineData')
    const media = isObject(inline) ? inline : fieldOf(part, 'fileData')
    if (!isObject(media)) return 0
    const data = isObject(inline) && typeof inline.data === 'string' ? inline.data : null
    const type = String(fieldOf(media, 'mimeType'))
    return geminiTokens({ type, data, asksForMost: asksForMost(part) }, model)
  }
}

function asksForMost(part: JsonObject): boolean {
  const resolution = fieldOf(part, 'mediaResolution')
  return isObject(resolution) && resolution.level === 'MEDIA_RESOLUTION_ULTRA_HIGH'
}
