/** The item that a step away from a position lands on; stops at either end. From nowhere it starts at an end. */
export function moveWithin<Item>(
  items: readonly Item[],
  from: number,
  to: number | 'first' | 'last',
): Item | undefined {
  if (to === 'first') return items[0]
  if (to === 'last') return items.at(-1)
  if (from < 0) return to > 0 ? items[0] : items.at(-1)
  return items[Math.min(items.length - 1, Math.max(0, from + to))]
}
