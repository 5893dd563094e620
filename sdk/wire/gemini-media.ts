import { Base64Bytes } from '../engine/base64-bytes.ts'
import { type ImageSize, imageSize } from '../engine/image-size.ts'
import { audioSeconds, pdfPages } from '../engine/media.ts'
import { geminiMajor } from './gemini-version.ts'

interface MediaRates {
  image(size: ImageSize | null, asksForMost: boolean): number
  readonly page: number
  /** Of a second of moving pictures; the sound is added. */
  readonly frame: number
}

const tileTokens = 258
const smallEdge = 384
/** Larger images are scaled down to this first. */
const longestEdge = 3_072
const tileEdges = { least: 256, most: 768 }
/** Twelve by two: nothing that fits the longest edge is cut into more. */
const mostTiles = 24

/** Up to version 2: tiles, whose edge is two thirds of the image's shorter one. */
const tiled: MediaRates = {
  image: (size) => tileTokens * (size === null ? mostTiles : tiles(size)),
  page: tileTokens,
  frame: 263,
}

/** From version 3 on, and for a model that nobody knows: a budget each, the default one being the upper bound. */
const budgeted: MediaRates = {
  image: (_size, asksForMost) => (asksForMost ? 2_240 : 1_120),
  page: 560,
  frame: 70,
}

const audioTokensPerSecond = 32
/** Where a recording is somewhere else, and nobody can tell how long it is. */
const unknownSeconds = 60
/** Bytes per second of the thinnest video that is watched: 100 kbit/s. */
const leastVideoRate = 12_500
const textBytesPerToken = 3

export interface GeminiFile {
  /** Media type, such as `image/png`. */
  readonly type: string
  /** Base64; null where it is somewhere else. */
  readonly data: string | null
  /** The highest resolution was asked for. */
  readonly asksForMost: boolean
}

/** Tokens of a file, whichever API it comes through, by the rates of the model that will read it. */
export function geminiTokens({ type, data, asksForMost }: GeminiFile, model: string | undefined): number {
  const major = geminiMajor(model)
  const rates = major !== null && major < 3 ? tiled : budgeted
  if (type.startsWith('image/')) return rates.image(data === null ? null : imageSize(data), asksForMost)
  if (type.startsWith('audio/'))
    return Math.ceil(audioTokensPerSecond * (data === null ? unknownSeconds : audioSeconds(data)))
  if (type.startsWith('video/'))
    return Math.ceil(
      (rates.frame + audioTokensPerSecond) * (data === null ? unknownSeconds : videoSeconds(data)),
    )
  if (type.startsWith('text/') && data !== null)
    return Math.ceil(new Base64Bytes(data).length / textBytesPerToken)
  return rates.page * (data === null ? 1 : pdfPages(data))
}

function tiles(size: ImageSize): number {
  const factor = Math.min(1, longestEdge / Math.max(size.width, size.height))
  const width = Math.floor(size.width * factor)
  const height = Math.floor(size.height * factor)
  if (width <= smallEdge && height <= smallEdge) return 1
  const edge = Math.min(tileEdges.most, Math.max(tileEdges.least, Math.floor(Math.min(width, height) / 1.5)))
  return Math.max(1, Math.ceil(width / edge)) * Math.max(1, Math.ceil(height / edge))
}

/** The model looks at one picture a second, and at one at the least. */
function videoSeconds(data: string): number {
  return Math.ceil(new Base64Bytes(data).length / leastVideoRate)
}
