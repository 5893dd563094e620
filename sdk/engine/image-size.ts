import { Base64Bytes } from './base64-bytes.ts'

export interface ImageSize {
  /** Pixels. */
  readonly width: number
  readonly height: number
}

/**
 * Size of a PNG, JPEG, GIF or WebP image from its own header, reading only the bytes it needs; null where
 * the text is not base64 of such an image.
 */
export function imageSize(base64: string): ImageSize | null {
  const bytes = new Base64Bytes(base64)
  const size = pngSize(bytes) ?? gifSize(bytes) ?? webpSize(bytes) ?? jpegSize(bytes)
  return size !== null && size.width > 0 && size.height > 0 ? size : null
}

function pngSize(bytes: Base64Bytes): ImageSize | null {
  if (!bytes.startsWith('PNG', 1) || !bytes.startsWith('IHDR', 12)) return null
  return readable(bytes.bigEndian(16, 4), bytes.bigEndian(20, 4))
}

function gifSize(bytes: Base64Bytes): ImageSize | null {
  return bytes.startsWith('GIF8') ? readable(bytes.littleEndian(6, 2), bytes.littleEndian(8, 2)) : null
}

function webpSize(bytes: Base64Bytes): ImageSize | null {
  if (!bytes.startsWith('RIFF') || !bytes.startsWith('WEBP', 8)) return null
  if (bytes.startsWith('VP8 ', 12))
    return readable(bytes.littleEndian(26, 2) % 0x4000, bytes.littleEndian(28, 2) % 0x4000)
  if (bytes.startsWith('VP8X', 12))
    return readable(bytes.littleEndian(24, 3) + 1, bytes.littleEndian(27, 3) + 1)
  if (!bytes.startsWith('VP8L', 12)) return null
  // Lossless: 14 bits of width less one, then 14 bits of height less one.
  const bits = bytes.littleEndian(21, 4)
  return readable((bits % 0x4000) + 1, (Math.floor(bits / 0x4000) % 0x4000) + 1)
}

function jpegSize(bytes: Base64Bytes): ImageSize | null {
  if (bytes.bigEndian(0, 2) !== 0xffd8) return null
  let offset = 2
  // A marker segment tells its own length, so a thumbnail inside one is never taken for the image.
  while (bytes.byte(offset) === 0xff) {
    const marker = bytes.byte(offset + 1)
    if (marker === 0xff) {
      offset++
      continue
    }
    if (isFrameStart(marker)) return readable(bytes.bigEndian(offset + 7, 2), bytes.bigEndian(offset + 5, 2))
    const length = bytes.bigEndian(offset + 2, 2)
    if (!(length >= 2)) return null
    offset += 2 + length
  }
  return null
}

/** SOF0 to SOF15, but for the three markers in that range that define tables. */
function isFrameStart(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

function readable(width: number, height: number): ImageSize | null {
  return Number.isNaN(width) || Number.isNaN(height) ? null : { width, height }
}
