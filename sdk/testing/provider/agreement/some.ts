import type { Random } from '../../random.ts'

/** From so many to so many of what is made at random. */
export function some<Item>(random: Random, least: number, most: number, make: () => Item): readonly Item[] {
  return Array.from({ length: random.integer(least, most) }, make)
}
