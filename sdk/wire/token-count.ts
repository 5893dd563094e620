/** No request holds more; a larger figure is a fault of the provider or of a proxy. */
const mostTokens = 100_000_000

/** A reported number of tokens; undefined where it is none: unknown is not zero. */
export function tokenCount(value: unknown): number | undefined {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= mostTokens
    ? Number(value)
    : undefined
}
