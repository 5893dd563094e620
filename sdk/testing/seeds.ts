/** With `DOGEAR_FUZZ=long`, how many times as many seeds are played. */
const LONG = 25

/**
 * The seeds of a property: the first `count`. `DOGEAR_FUZZ=long` plays many more, for a night or a big change, and
 * `DOGEAR_SEEDS=40` or `DOGEAR_SEEDS=40-90` only those.
 */
export function seeds(count: number): readonly number[] {
  const { DOGEAR_FUZZ, DOGEAR_SEEDS } = process.env
  if (DOGEAR_SEEDS !== undefined) {
    const [first = 1, last = first] = DOGEAR_SEEDS.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, position) => first + position)
  }
  return Array.from({ length: DOGEAR_FUZZ === 'long' ? count * LONG : count }, (_, position) => position + 1)
}
