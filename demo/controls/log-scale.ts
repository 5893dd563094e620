/** Steps of a slider over several orders of magnitude; each is a change of at most about two in the hundred. */
export const logSteps = 400

export interface LogScale {
  readonly low: number
  readonly high: number
}

/** Slider position of a value, from 0 to `logSteps`. */
export function positionOf(value: number, { low, high }: LogScale): number {
  const clamped = Math.min(high, Math.max(low, value))
  return Math.round((logSteps * Math.log(clamped / low)) / Math.log(high / low))
}

/** Value at a slider position, to three digits, so that every step is a change and reads well. */
export function valueAt(position: number, { low, high }: LogScale): number {
  return Math.round(Number((low * (high / low) ** (position / logSteps)).toPrecision(3)))
}
