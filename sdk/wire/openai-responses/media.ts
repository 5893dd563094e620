import { isObject, type JsonValue } from '../../engine/json.ts'
import { dataUrlBody } from '../data-url.ts'
import { audioTokens, fileTokens, imageRatesOf, imageTokens } from '../openai-media.ts'
import type { MediaTokens } from '../redact.ts'

/** Tokens of the media of an item, by the rates of the model that will read them. */
export function mediaTokensFor(model: string | undefined): MediaTokens {
  const rates = imageRatesOf(model)
  return (part) => {
    switch (part.type) {
      case 'input_image':
      case 'computer_screenshot':
        return imageTokens(dataUrlBody(part.image_url), part.detail, rates)
      case 'image_generation_call':
        return imageTokens(typeof part.result === 'string' ? part.result : null, undefined, rates)
      case 'input_audio':
        return recordingTokens(part.input_audio)
      case 'input_file':
        return fileTokens(part.file_data)
      default:
        return 0
    }
  }
}

function recordingTokens(audio: JsonValue | undefined): number {
  return isObject(audio) && typeof audio.data === 'string' ? audioTokens(audio.data) : 0
}
