import { Base64Bytes } from './base64-bytes.ts'
import type { ImageSize } from './image-size.ts'

/**
 * Tokens of media by the formulas that the providers publish. Base64 text is never counted. Where the size of
 * an image cannot be read, the answer is the most that the formula can give.
 */

/** An image billed by tiles of 512 pixels. */
export interface TileRates {
  readonly base: number
  readonly tile: number
}

/** An image billed by patches of 32 pixels. */
export interface PatchRates {
  readonly multiplier: number
  /** Patches to which a larger image is scaled down. */
  readonly budget: number
}

/** An image billed by patches of 28 pixels, after scaling down to a long edge and a budget of patches. */
export interface EdgeRates {
  readonly longEdge: number
  readonly budget: number
}

const tileEdge = 512
const tiledLongEdge = 2048
const tiledShortEdge = 768
const mostTiles = Math.ceil(tiledLongEdge / tileEdge) * Math.ceil(tiledShortEdge / tileEdge)

export function tileTokens(size: ImageSize | null, rates: TileRates): number {
  if (size === null) return rates.base + rates.tile * mostTiles
  const fitted = scaled(size, Math.min(1, tiledLongEdge / longest(size)))
  const { width, height } = scaled(fitted, Math.min(1, tiledShortEdge / shortest(fitted)))
  return rates.base + rates.tile * units({ width, height }, tileEdge)
}

const patchEdge = 32

export function patchTokens(size: ImageSize | null, rates: PatchRates): number {
  return Math.ceil(rates.multiplier * (size === null ? rates.budget : patches(size, rates.budget)))
}

/** Scales down until the patches fit the budget, then further until one side is whole patches. */
function patches(size: ImageSize, budget: number): number {
  if (units(size, patchEdge) <= budget) return units(size, patchEdge)
  const factor = Math.sqrt((patchEdge ** 2 * budget) / (size.width * size.height))
  const [columns, rows] = [(size.width * factor) / patchEdge, (size.height * factor) / patchEdge]
  const shrink = Math.min(Math.floor(columns) / columns, Math.floor(rows) / rows)
  return Math.min(budget, units(scaled(size, factor * shrink), patchEdge))
}

const smallPatchEdge = 28

export function edgeTokens(size: ImageSize | null, rates: EdgeRates): number {
  if (size === null) return rates.budget
  const fitted = scaled(size, Math.min(1, rates.longEdge / longest(size)))
  return Math.min(rates.budget, units(fitted, smallPatchEdge))
}

/** Most pages that a provider takes in one document. */
const mostPages = 600

/** Documents hold fonts and pictures: a page of less than this is rare, so the page count is rather too high. */
const leastPageBytes = 16_384

/** Pages of a PDF, judged by its size: its page tree is compressed as a rule, and cannot be read. */
export function pdfPages(base64: string): number {
  return Math.min(mostPages, Math.max(1, Math.ceil(new Base64Bytes(base64).length / leastPageBytes)))
}

/** Bytes per second of the thinnest speech that compressed formats are used for: 32 kbit/s. */
const leastAudioRate = 4_000

/** Seconds of a recording: exact for WAV, else the most that so many bytes can hold. */
export function audioSeconds(base64: string): number {
  const bytes = new Base64Bytes(base64)
  const isWav = bytes.startsWith('RIFF') && bytes.startsWith('WAVE', 8) && bytes.startsWith('fmt ', 12)
  const rate = isWav ? bytes.littleEndian(28, 4) : leastAudioRate
  return bytes.length / (rate > 0 ? rate : leastAudioRate)
}

function units(size: ImageSize, edge: number): number {
  return Math.ceil(round(size.width / edge)) * Math.ceil(round(size.height / edge))
}

/** Scaling by an inexact factor must not push a side that is whole units into the next one. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

function scaled(size: ImageSize, factor: number): ImageSize {
  return { width: size.width * factor, height: size.height * factor }
}

function longest(size: ImageSize): number {
  return Math.max(size.width, size.height)
}

function shortest(size: ImageSize): number {
  return Math.min(size.width, size.height)
}
