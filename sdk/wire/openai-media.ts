import { imageSize } from '../engine/image-size.ts'
import type { JsonValue } from '../engine/json.ts'
import {
  audioSeconds,
  type PatchRates,
  patchTokens,
  pdfPages,
  type TileRates,
  tileTokens,
} from '../engine/media.ts'
import { dataUrlBody } from './data-url.ts'

export type ImageRates =
  | ({ readonly type: 'tiles' } & TileRates)
  | ({ readonly type: 'patches' } & PatchRates)

const smallBudget = 1_536
const largeBudget = 2_500
const originalBudget = 10_000
/** What `detail: 'low'` leaves of an image that is billed by patches: 512 pixels a side. */
const lowBudget = 256

/** First match wins; the more particular names come first. */
const imageRates: readonly (readonly [model: RegExp, rates: ImageRates])[] = [
  [/gpt-4o-mini/, { type: 'tiles', base: 2_833, tile: 5_667 }],
  [/gpt-4\.1-mini/, { type: 'patches', multiplier: 1.62, budget: smallBudget }],
  [/gpt-4\.1-nano/, { type: 'patches', multiplier: 2.46, budget: smallBudget }],
  [/o4-mini/, { type: 'patches', multiplier: 1.72, budget: smallBudget }],
  [/gpt-5-nano/, { type: 'patches', multiplier: 1.5, budget: smallBudget }],
  [/gpt-5-mini/, { type: 'patches', multiplier: 1.2, budget: smallBudget }],
  [/gpt-5(?:\.1)?(?![.\d])/, { type: 'tiles', base: 70, tile: 140 }],
  [/gpt-5\.\d+-(?:mini|nano)/, { type: 'patches', multiplier: 1.2, budget: smallBudget }],
  [/(?:^|\/)o[13](?![\d])/, { type: 'tiles', base: 75, tile: 150 }],
  [/gpt-4/, { type: 'tiles', base: 85, tile: 170 }],
]

/** Newer models, and those that nobody knows. */
const newestRates: ImageRates = { type: 'patches', multiplier: 1.2, budget: largeBudget }

/** No rate is published; pages of real calls cost 300 to 1,100 tokens. */
const pdfPageTokens = 2_000

const audioTokensPerSecond = 10

/** How OpenAI's models bill an image, whichever API it comes through. */
export function imageRatesOf(model: string | undefined): ImageRates {
  return imageRates.find(([name]) => name.test(model ?? ''))?.[1] ?? newestRates
}

/** Tokens of an image by its base64, null where it is elsewhere, and by the detail that was asked for. */
export function imageTokens(body: string | null, detail: JsonValue | undefined, rates: ImageRates): number {
  const size = body === null ? null : imageSize(body)
  if (rates.type === 'tiles') return detail === 'low' ? rates.base : tileTokens(size, rates)
  return patchTokens(size, { ...rates, budget: patchBudget(detail, rates.budget) })
}

function patchBudget(detail: JsonValue | undefined, budget: number): number {
  if (detail === 'low') return lowBudget
  return detail === 'original' ? originalBudget : budget
}

/** Tokens of a recording by its base64. */
export function audioTokens(data: string): number {
  return Math.ceil(audioTokensPerSecond * audioSeconds(data))
}

/** Tokens of a document: base64, or a `data:` URL of it; anything else lies elsewhere, and is taken for a page. */
export function fileTokens(data: JsonValue | undefined): number {
  if (typeof data !== 'string') return pdfPageTokens
  return pdfPageTokens * pdfPages(dataUrlBody(data) ?? data)
}
