import { Base64Bytes } from '../../engine/base64-bytes.ts'
import { type ImageSize, imageSize } from '../../engine/image-size.ts'
import { isObject, type JsonObject } from '../../engine/json.ts'
import { audioSeconds, pdfPages } from '../../engine/media.ts'
import type { MediaTokens } from '../redact.ts'
import { fieldOf } from './field-of.ts'
import { geminiMajor } from './model-version.ts'

interface MediaRates {
  image(size: ImageSize | null, part: JsonObject): number
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
  image: (_size, part) => (asksForMost(part) ? 2_240 : 1_120),
  page: 560,
  frame: 70,
}

const audioTokensPerSecond = 32
/** Where a recording is somewhere else, and nobody can tell how long it is. */
const unknownSeconds = 60
/** Bytes per second of the thinnest video that is watched: 100 kbit/s. */
const leastVideoRate = 12_500
const textBytesPerToken = 3

/** Tokens of the media parts of a content, by the rates of the model that will read them. */
export function mediaTokensFor(model: string | undefined): MediaTokens {
  const major = geminiMajor(model)
  const rates = major !== null && major < 3 ? tiled : budgeted
  return (part) => {
    const inline = fieldOf(part, 'inlineData')
    const media = isObject(inline) ? inline : fieldOf(part, 'fileData')
    if (!isObject(media)) return 0
    const data = isObject(inline) && typeof inline.data === 'string' ? inline.data : null
    return tokensOf({ part, type: String(fieldOf(media, 'mimeType')), data, rates })
  }
}

function tokensOf(media: {
  readonly part: JsonObject
  readonly type: string
  /** Base64; null where it is somewhere else. */
  readonly data: string | null
  readonly rates: MediaRates
}): number {
  const { part, type, data, rates } = media
  if (type.startsWith('image/')) return rates.image(data === null ? null : imageSize(data), part)
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

function asksForMost(part: JsonObject): boolean {
  const resolution = fieldOf(part, 'mediaResolution')
  return isObject(resolution) && resolution.level === 'MEDIA_RESOLUTION_ULTRA_HIGH'
}
