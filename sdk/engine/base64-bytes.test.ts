import { describe, expect, it } from 'vitest'
import { Base64Bytes } from './base64-bytes.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function bytesOf(...bytes: readonly number[]): Base64Bytes {
  return new Base64Bytes(Buffer.from(bytes).toString('base64'))
}

describe('Base64Bytes', () => {
  it('reads every byte where a decoder finds it', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, value) => value)
    for (const length of [253, 254, 255, 256]) {
      const read = new Base64Bytes(Buffer.from(bytes.slice(0, length)).toString('base64'))
      expect(read.length).toBe(length)
      expect(Array.from({ length }, (_, offset) => read.byte(offset))).toEqual([...bytes.slice(0, length)])
      expect(read.byte(length)).toBeNaN()
    }
  })

  it('knows the characters of both alphabets and no other', () => {
    for (let code = 0; code < 0x180; code++) {
      const character = String.fromCharCode(code)
      const place = alphabet.indexOf(character === '-' ? '+' : character === '_' ? '/' : character)
      // The other character is an A, which stands for six bits of zero.
      expect(new Base64Bytes(`${character}A`).byte(0)).toBe(place < 0 ? Number.NaN : place << 2)
    }
  })

  it('knows its length with and without padding', () => {
    expect(new Base64Bytes('').length).toBe(0)
    for (const text of ['QQ', 'QQ==', 'QUI', 'QUI=', 'QUJD'])
      expect(new Base64Bytes(text).length).toBe(Buffer.from(text, 'base64').length)
  })

  it('reads numbers from either end', () => {
    const bytes = bytesOf(9, 1, 2, 3, 9)
    expect(bytes.bigEndian(1, 3)).toBe(0x01_02_03)
    expect(bytes.littleEndian(1, 3)).toBe(0x03_02_01)
    expect(bytes.bigEndian(3, 3)).toBeNaN()
    expect(bytes.littleEndian(3, 3)).toBeNaN()
  })

  it('finds ASCII at an offset, all of it', () => {
    const bytes = new Base64Bytes(Buffer.from('RIFF').toString('base64'))
    expect(bytes.startsWith('RIFF')).toBe(true)
    expect(bytes.startsWith('FF', 2)).toBe(true)
    expect(bytes.startsWith('RIFX')).toBe(false)
    expect(bytes.startsWith('FF')).toBe(false)
    expect(bytes.startsWith('RIFFS')).toBe(false)
  })
})
