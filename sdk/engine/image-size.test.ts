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

/** A JPEG whose frame, 40 by 30, stands behind one other segment. */
const jpegBehind = (marker: number, content: readonly number[], frame = 0xc0): string =>
  base64(
    [0xff, 0xd8, 0xff, marker],
    word(content.length + 2),
    content,
    [0xff, frame],
    [0, 17, 8, ...word(30), ...word(40), 3],
  )

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

  it.each([
    ['the first kind of frame', jpegBehind(0xe0, [1, 2], 0xc0)],
    ['the last kind of frame', jpegBehind(0xe0, [1, 2], 0xcf)],
    ['a segment without content', jpegBehind(0xe0, [])],
    ['a marker below those of frames', jpegBehind(0xbf, [0, 0, 9, 0, 9, 0, 9])],
    ['a marker above those of frames', jpegBehind(0xd0, [0, 0, 9, 0, 9, 0, 9])],
    ['Huffman tables', jpegBehind(0xc4, [0, 0, 9, 0, 9, 0, 9])],
    ['an extension', jpegBehind(0xc8, [0, 0, 9, 0, 9, 0, 9])],
    ['arithmetic conditions', jpegBehind(0xcc, [0, 0, 9, 0, 9, 0, 9])],
  ])('finds the frame of a JPEG: %s', (_what, image) => {
    expect(imageSize(image)).toEqual({ width: 40, height: 30 })
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
    ['a PNG without a width', png(0, 600)],
    ['a PNG without a height', png(800, 0)],
    ['a PNG whose first chunk is no header', base64([137], 'PNG    ', [0, 0, 0, 13], 'tEXt   1   1')],
    ['a header chunk in something else', base64([137], 'MNG    ', [0, 0, 0, 13], 'IHDR   1   1')],
    ['a RIFF file that is no picture', base64('RIFF    WAVEVP8X', ' '.repeat(20))],
    ['a WEBP chunk outside of RIFF', base64('RIFX    WEBPVP8X', ' '.repeat(20))],
    ['a WebP that starts with another chunk', base64('RIFF    WEBPICCP', ' '.repeat(20))],
    ['a frame without the start of a JPEG', jpegBehind(0xe0, []).replace('/9j/', '/9n/')],
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
