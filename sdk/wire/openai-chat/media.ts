import { isObject, type JsonValue } from '../../engine/json.ts'
import { dataUrlBody } from '../data-url.ts'
import { audioTokens, fileTokens, type ImageRates, imageRatesOf, imageTokens } from '../openai-media.ts'
import type { MediaTokens } from '../redact.ts'

/** Tokens of the media parts of a message, by the rates of the model that will read them. */
export function mediaTokensFor(model: string | undefined): MediaTokens {
  const rates = imageRatesOf(model)
  return (part) => {
    if (part.type === 'image_url') return linkedImageTokens(part.image_url, rates)
    if (part.type === 'input_audio') return recordingTokens(part.input_audio)
    return part.type === 'file' ? fileTokens(isObject(part.file) ? part.file.file_data : undefined) : 0
  }
}

function linkedImageTokens(image: JsonValue | undefined, rates: ImageRates): number {
  const { url, detail } = isObject(image) ? image : { url: image }
  return imageTokens(dataUrlBody(url), detail, rates)
}

function recordingTokens(audio: JsonValue | undefined): number {
  return isObject(audio) && typeof audio.data === 'string' ? audioTokens(audio.data) : 0
}
