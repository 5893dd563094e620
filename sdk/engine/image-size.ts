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
  // What a header that breaks off gives is no number, and so not over 0 either.
  return size !== null && size.width > 0 && size.height > 0 ? size : null
}

function pngSize(bytes: Base64Bytes): ImageSize | null {
  if (!bytes.startsWith('PNG', 1) || !bytes.startsWith('IHDR', 12)) return null
  return { width: bytes.bigEndian(16, 4), height: bytes.bigEndian(20, 4) }
}

function gifSize(bytes: Base64Bytes): ImageSize | null {
  if (!bytes.startsWith('GIF8')) return null
  return { width: bytes.littleEndian(6, 2), height: bytes.littleEndian(8, 2) }
}

function webpSize(bytes: Base64Bytes): ImageSize | null {
  if (!bytes.startsWith('RIFF') || !bytes.startsWith('WEBP', 8)) return null
  if (bytes.startsWith('VP8 ', 12))
    return { width: bytes.littleEndian(26, 2) % 0x4000, height: bytes.littleEndian(28, 2) % 0x4000 }
  if (bytes.startsWith('VP8X', 12))
    return { width: bytes.littleEndian(24, 3) + 1, height: bytes.littleEndian(27, 3) + 1 }
  if (!bytes.startsWith('VP8L', 12)) return null
  // Lossless: 14 bits of width less one, then 14 bits of height less one.
  const bits = bytes.littleEndian(21, 4)
  return { width: (bits % 0x4000) + 1, height: (Math.floor(bits / 0x4000) % 0x4000) + 1 }
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
    if (isFrameStart(marker))
      return { width: bytes.bigEndian(offset + 7, 2), height: bytes.bigEndian(offset + 5, 2) }
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
