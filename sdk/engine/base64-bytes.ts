/** Bytes of a base64 text by offset, without decoding the rest of it. A byte that is not there is NaN. */
export class Base64Bytes {
  readonly #text: string
  /** Number of bytes in the whole text. */
  readonly length: number

  constructor(text: string) {
    this.#text = text
    const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
    this.length = Math.floor((text.length * 3) / 4) - padding
  }

  byte(offset: number): number {
    const inGroup = offset % 3
    const first = Math.floor(offset / 3) * 4 + inGroup
    const bits = sextet(this.#text.charCodeAt(first)) * 64 + sextet(this.#text.charCodeAt(first + 1))
    // These twelve bits hold the byte, two bits further right with each byte of its group of three.
    return Number.isNaN(bits) ? bits : (bits >> (4 - 2 * inGroup)) & 0xff
  }

  bigEndian(offset: number, length: number): number {
    let value = 0
    for (let i = 0; i < length; i++) value = value * 256 + this.byte(offset + i)
    return value
  }

  littleEndian(offset: number, length: number): number {
    let value = 0
    for (let i = length - 1; i >= 0; i--) value = value * 256 + this.byte(offset + i)
    return value
  }

  startsWith(ascii: string, offset = 0): boolean {
    for (let i = 0; i < ascii.length; i++) if (this.byte(offset + i) !== ascii.charCodeAt(i)) return false
    return true
  }
}

function sextet(code: number): number {
  if (code >= 65 && code <= 90) return code - 65
  if (code >= 97 && code <= 122) return code - 71
  if (code >= 48 && code <= 57) return code + 4
  if (code === 43 || code === 45) return 62
  return code === 47 || code === 95 ? 63 : Number.NaN
}
