import { describe, expect, it } from 'vitest'
import { imageSize } from './image-size.ts'

function base64(...parts: readonly (string | readonly number[])[]): string {
  const bytes = parts.map((part) =>
    typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
  )
  return Buffer.concat(bytes).toString('base64')
}

const word = (value: number): readonly number[] => [value >> 8, value & 255]
const littleWord = (value: number): readonly number[] => [value & 255, value >> 8]

const png = (width: number, height: number): string =>
  base64([137], 'PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0], word(width), [0, 0], word(height), [8, 6])

const gif = (width: number, height: number): string =>
  base64('GIF89a', littleWord(width), littleWord(height), [0])

/** With a thumbnail of another size inside its first segment, as cameras write it. */
const jpeg = (width: number, height: number): string => {
  const thumbnail = [0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, ...word(60), ...word(80), 3]
  return base64(
    [0xff, 0xd8, 0xff, 0xe1],
    word(thumbnail.length + 2),
    thumbnail,
    [0xff, 0xff, 0xdb],
    word(4),
    [0, 0],
    [0xff, 0xc4],
    word(3),
    [1],
    [0xff, 0xc2],
    word(17),
    [8],
    word(height),
    word(width),
    [3],
  )
}

const webp = (kind: string, body: readonly number[]): string =>
  base64('RIFF', [0, 0, 0, 0], 'WEBP', kind, [0, 0, 0, 0], body)

describe('imageSize', () => {
  it.each([
    ['PNG', png(800, 600), 800, 600],
    ['GIF', gif(320, 200), 320, 200],
    ['JPEG', jpeg(4_000, 3_000), 4_000, 3_000],
    [
      'lossy WebP',
      webp('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, ...littleWord(0x4000 + 550), ...littleWord(368)]),
      550,
      368,
    ],
    ['extended WebP', webp('VP8X', [0, 0, 0, 0, 0x8f, 1, 0, 0x2c, 1, 0]), 400, 301],
    ['lossless WebP', webp('VP8L', [0x2f, 0x8f, 0x01, 0x4b, 0]), 400, 301],
  ])('reads the header of a %s', (_kind, image, width, height) => {
    expect(imageSize(image)).toEqual({ width, height })
    expect(imageSize(`${image}AAAA`)).toEqual({ width, height })
  })

  it('reads the URL-safe alphabet', () => {
    expect(imageSize(jpeg(4_000, 3_000).replaceAll('+', '-').replaceAll('/', '_'))).toEqual({
      width: 4_000,
      height: 3_000,
    })
  })

  it.each([
    ['a PNG', png(800, 600)],
    ['a GIF', gif(320, 200)],
    ['a JPEG', jpeg(40, 30)],
    ['a WebP', webp('VP8L', [0x2f, 0x8f, 1, 0x4b, 0])],
  ])('answers null for %s that breaks off', (_kind, image) => {
    expect(imageSize(image.slice(0, image.length - 8))).toBeNull()
  })

  it.each([
    ['nothing', ''],
    ['text', 'hello there, this is no image at all'],
    ['a PDF', base64('%PDF-1.4\n%more than enough bytes to look at')],
    ['a PNG without a size', png(0, 0)],
    ['a JPEG whose segments lead nowhere', base64([0xff, 0xd8, 0xff, 0xe1, 0, 0, 0, 0, 0, 0])],
    [
      'a JPEG of fill bytes',
      base64(
        [0xff, 0xd8],
        Array.from({ length: 100 }, () => 0xff),
      ),
    ],
  ])('answers null for %s', (_what, text) => {
    expect(imageSize(text)).toBeNull()
  })
})
