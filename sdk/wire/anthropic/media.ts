import { isObject, type JsonObject } from '../../engine/json.ts'
import { claudeImageTokens, claudePdfTokens } from '../claude-media.ts'
import type { MediaTokens } from '../redact.ts'

/** Tokens of the media blocks of a message, by the rates of the model that will read them. */
export function mediaTokensFor(model: string | undefined): MediaTokens {
  return (block) => {
    if (!isObject(block.source)) return 0
    if (block.type === 'image') return claudeImageTokens(base64Of(block.source), model)
    return block.type === 'document' ? documentTokens(block.source) : 0
  }
}

/** A document that is given as text or as content is counted by what it holds. */
function documentTokens(source: JsonObject): number {
  const isFile = source.type === 'url' || source.type === 'file'
  const data = base64Of(source)
  return isFile || data !== null ? claudePdfTokens(data) : 0
}

function base64Of({ type, data }: JsonObject): string | null {
  return type === 'base64' && typeof data === 'string' ? data : null
}
