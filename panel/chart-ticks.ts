/** Round whole numbers between two bounds, evenly spaced, no more than asked for. */
export function roundTicks(from: number, to: number, most: number): readonly number[] {
  const least = Math.max(1, (to - from) / most)
  const power = 10 ** Math.floor(Math.log10(least))
  const factors = power >= 10 ? [1, 2, 2.5, 5, 10] : [1, 2, 5, 10]
  const step = factors.map((factor) => factor * power).find((size) => size >= least) ?? 10 * power
  const ticks: number[] = []
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) ticks.push(at)
  return ticks
}
