/** An exact fraction. The denominator must be positive. */
export interface Ratio {
  readonly numerator: bigint
  readonly denominator: bigint
}

/**
 * How many tokens the provider reports for each token counted here, as the exact pair it was learned from.
 * Plain numbers, so that it can be stored, cloned and sent as it is (R35).
 */
export interface Scale {
  readonly reported: number
  readonly counted: number
}

/** The size of a request: tokens counted locally times one exact factor. */
export interface Estimate {
  readonly counted: number
  readonly factor: Ratio
}

export const initialScale: Scale = { reported: 1, counted: 1 }

/** Below this a fixed overhead, such as the provider's own tool prompt, would pass for a scale. */
const leastCountedTokens = 4000

/**
 * The scale after one completed request whose input was reported for it alone (R30, R31). Only rises, and
 * takes nothing from a short request or from figures that are no token counts.
 */
export function raiseScale(scale: Scale, settled: Scale): Scale {
  const { reported, counted } = settled
  if (!Number.isSafeInteger(reported) || !Number.isSafeInteger(counted)) return scale
  if (counted < leastCountedTokens) return scale
  return compareRatios(scaleFactor(settled), scaleFactor(scale)) > 0 ? { reported, counted } : scale
}

/** No tokenizer makes so many tokens of one of ours, and a scale never falls again. */
const mostPerToken = 100

/** Whether a figure for a request that was large enough to teach cannot be true. */
export function isAbsurd({ reported, counted }: Scale): boolean {
  return counted >= leastCountedTokens && reported > counted * mostPerToken
}

/** The larger of two factors; the first where there is no second. */
export function largerFactor(factor: Ratio, other: Ratio | null): Ratio {
  return other !== null && compareRatios(other, factor) > 0 ? other : factor
}

export function scaleFactor({ reported, counted }: Scale): Ratio {
  return { numerator: BigInt(reported), denominator: BigInt(counted) }
}

/** For display: rounded to four places. */
export function scaleNumber({ reported, counted }: Scale): number {
  return Math.round((reported / counted) * 10_000) / 10_000
}

/**
 * The factor that makes a count of `countedNow` the anchored estimate: what was reported for the request
 * that this one extends, plus the scaled growth since. `countedNow` must be positive.
 */
export function anchoredFactor(anchor: {
  readonly reported: number
  readonly countedThen: number
  readonly countedNow: number
  readonly scale: Scale
}): Ratio {
  const scale = scaleFactor(anchor.scale)
  const grown = BigInt(anchor.countedNow) - BigInt(anchor.countedThen)
  return {
    numerator: BigInt(anchor.reported) * scale.denominator + scale.numerator * grown,
    denominator: scale.denominator * BigInt(anchor.countedNow),
  }
}

/** The decimal that is written in the source: 0.8 is eight tenths, not the double beside it. */
export function decimalRatio(value: number): Ratio {
  const [digits = '', exponent = '0'] = String(value).split('e')
  const [whole = '', decimals = ''] = digits.split('.')
  const places = decimals.length - Number(exponent)
  const numerator = BigInt(whole + decimals)
  return places > 0
    ? { numerator, denominator: 10n ** BigInt(places) }
    : { numerator: numerator * 10n ** BigInt(-places), denominator: 1n }
}

/** At or past a share of the ceiling: where a fold starts (R92). */
export function atOrPast(estimate: Estimate, ceiling: number, share: number): boolean {
  return compareWithShare(estimate, ceiling, share) >= 0
}

/** At or under a share of the ceiling: where a fold stops (R93). */
export function atOrUnder(estimate: Estimate, ceiling: number, share: number): boolean {
  return compareWithShare(estimate, ceiling, share) <= 0
}

/** Over the ceiling, or over a share of it; exactly at it is not over. */
export function over(estimate: Estimate, ceiling: number, share = 1): boolean {
  return compareWithShare(estimate, ceiling, share) > 0
}

/** Strictly smaller: what a pass must make of its estimate in order to land (R106). */
export function lower(estimate: Estimate, than: Estimate): boolean {
  return compareRatios(exactTokens(estimate), exactTokens(than)) < 0
}

/** For display and the journal: tokens, possibly fractional. A whole number of tokens is exact. */
export function estimateNumber(estimate: Estimate): number {
  const { numerator, denominator } = exactTokens(estimate)
  return Number(numerator / denominator) + Number(numerator % denominator) / Number(denominator)
}

/** Smallest whole number of tokens that is at or past the fold line. */
export function lineTokens(ceiling: number, at: number): number {
  const { numerator, denominator } = shareOf(ceiling, at)
  return Number((numerator + denominator - 1n) / denominator)
}

/** Largest whole number of tokens that is at or under the target. */
export function targetTokens(ceiling: number, target: number): number {
  const { numerator, denominator } = shareOf(ceiling, target)
  return Number(numerator / denominator)
}

/** Greatest count whose estimate is at or under a share of the ceiling. */
export function countedAtMost(ceiling: number, share: number, factor: Ratio): number {
  const { numerator, denominator } = shareOf(ceiling, share)
  return Number((numerator * factor.denominator) / (denominator * factor.numerator))
}

function compareWithShare(estimate: Estimate, ceiling: number, share: number): number {
  return compareRatios(exactTokens(estimate), shareOf(ceiling, share))
}

function exactTokens({ counted, factor }: Estimate): Ratio {
  return { numerator: BigInt(counted) * factor.numerator, denominator: factor.denominator }
}

function shareOf(ceiling: number, share: number): Ratio {
  const { numerator, denominator } = decimalRatio(share)
  return { numerator: BigInt(ceiling) * numerator, denominator }
}

function compareRatios(left: Ratio, right: Ratio): number {
  const difference = left.numerator * right.denominator - right.numerator * left.denominator
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
