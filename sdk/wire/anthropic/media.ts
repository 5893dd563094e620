import { imageSize } from '../../engine/image-size.ts'
import { isObject, type JsonObject } from '../../engine/json.ts'
import { type EdgeRates, edgeTokens, pdfPages } from '../../engine/media.ts'
import type { MediaTokens } from '../redact.ts'
import { claudeName } from './model-name.ts'

const standardResolution: EdgeRates = { longEdge: 1_568, budget: 1_568 }
const highResolution: EdgeRates = { longEdge: 2_576, budget: 4_784 }

/** A page is read as text, 3,000 tokens at the most that is published, and as an image of standard size. */
const pdfPageTokens = 3_000 + standardResolution.budget

/** Tokens of the media blocks of a message, by the rates of the model that will read them. */
export function mediaTokensFor(model: string | undefined): MediaTokens {
  const rates = readsHighResolution(model) ? highResolution : standardResolution
  return (block) => {
    if (!isObject(block.source)) return 0
    if (block.type === 'image') return edgeTokens(sourceSize(block.source), rates)
    return block.type === 'document' ? documentTokens(block.source) : 0
  }
}

/** Opus 4.7 and all models after it; one that nobody knows is taken for the dearest. */
function readsHighResolution(model: string | undefined): boolean {
  const name = claudeName(model)
  if (name === null || name.major >= 5) return true
  return name.family === 'opus' && name.major === 4 && name.minor >= 7
}

function sourceSize(source: JsonObject): ReturnType<typeof imageSize> {
  return source.type === 'base64' && typeof source.data === 'string' ? imageSize(source.data) : null
}

/** A document that is given as text or as content is counted by what it holds. */
function documentTokens(source: JsonObject): number {
  if (source.type === 'base64' && typeof source.data === 'string')
    return pdfPageTokens * pdfPages(source.data)
  return source.type === 'url' || source.type === 'file' ? pdfPageTokens : 0
}
