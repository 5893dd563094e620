/** Random numbers from a seed, the same on every machine (mulberry32). */
export interface Random {
  /** At least 0 and below 1. */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  /** True in about that share of calls. */
  chance(share: number): boolean
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const integer = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    integer,
    pick: (items) => items[integer(0, items.length - 1)] ?? items[0],
    chance: (share) => next() < share,
  }
}
