import { imageSize } from '../engine/image-size.ts'
import { type EdgeRates, edgeTokens, pdfPages } from '../engine/media.ts'
import { claudeName } from './claude-name.ts'

const standardResolution: EdgeRates = { longEdge: 1_568, budget: 1_568 }
const highResolution: EdgeRates = { longEdge: 2_576, budget: 4_784 }

/** A page is read as text, 3,000 tokens at the most that is published, and as an image of standard size. */
const pdfPageTokens = 3_000 + standardResolution.budget

/** Tokens of an image by its base64, null where it is elsewhere, whichever API it comes through. */
export function claudeImageTokens(data: string | null, model: string | undefined): number {
  const rates = readsHighResolution(model) ? highResolution : standardResolution
  return edgeTokens(data === null ? null : imageSize(data), rates)
}

/** Tokens of a PDF by its base64; null: it lies elsewhere, and is taken for a page. */
export function claudePdfTokens(data: string | null): number {
  return pdfPageTokens * (data === null ? 1 : pdfPages(data))
}

/** Opus 4.7 and all models after it; one that nobody knows is taken for the dearest. */
function readsHighResolution(model: string | undefined): boolean {
  const name = claudeName(model)
  if (name === null || name.major >= 5) return true
  return name.family === 'opus' && name.major === 4 && name.minor >= 7
}
