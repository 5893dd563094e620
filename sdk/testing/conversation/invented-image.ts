import type { Random } from '../random.ts'

/** A PNG image of some size, as base64: its header, and a body that nobody could draw. */
export function inventedImage(random: Random): string {
  const bytes = [
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...[0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52],
    ...fourBytes(random.integer(1, 4000)),
    ...fourBytes(random.integer(1, 4000)),
    ...[8, 6, 0, 0, 0],
    ...Array.from({ length: random.integer(0, 120) }, () => random.integer(0, 255)),
  ]
  return btoa(String.fromCharCode(...bytes))
}

function fourBytes(value: number): readonly number[] {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff)
}
