/** A reproducible source of variety: the same seed gives the same archive on every machine. */
export interface Seeded {
  /** At least 0 and below 1. */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  pick<Item>(items: readonly [Item, ...Item[]]): Item
}

export function seeded(seed: number): Seeded {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
  }
}
