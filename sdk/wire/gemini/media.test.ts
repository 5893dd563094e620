import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../engine/json.ts'
import { geminiMajor } from '../gemini-version.ts'
import { readMessage } from './entries.ts'

/** A PNG header of that size. */
function png(width: number, height: number): string {
  const bytes = new Uint8Array(24)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
  new DataView(bytes.buffer).setUint32(16, width)
  new DataView(bytes.buffer).setUint32(20, height)
  return btoa(String.fromCharCode(...bytes))
}

function tokens(part: JsonObject, model?: string): number {
  const { segments } = readMessage({ role: 'user', parts: [part] }, { model })
  return segments.reduce((sum, { media = 0 }) => sum + media, 0)
}

const inline = (mimeType: string, data: string): JsonObject => ({ inlineData: { mimeType, data } })
const linked = (mimeType: string): JsonObject => ({ fileData: { mimeType, fileUri: 'files/a' } })
/** Base64 of so many bytes. */
const bytes = (count: number): string => 'AAAA'.repeat(count / 3)

describe('tokens of an image', () => {
  it.each([
    [384, 384, 258],
    [385, 200, 516],
    [960, 540, 6 * 258],
    [768, 768, 4 * 258],
    [3_072, 3_072, 16 * 258],
    [6_144, 6_144, 16 * 258],
    [3_072, 384, 24 * 258],
    [9_000, 1, 12 * 258],
  ])('%d by %d are counted by tiles up to version 2', (width, height, expected) => {
    expect(tokens(inline('image/png', png(width, height)), 'gemini-2.5-flash')).toBe(expected)
  })

  it('are the most that can be where its size cannot be read', () => {
    expect(tokens(inline('image/png', 'AAAA'), 'gemini-2.0-flash')).toBe(24 * 258)
    expect(tokens(linked('image/jpeg'), 'gemini-2.0-flash')).toBe(24 * 258)
  })

  it('are a budget from version 3 on, and for a model that nobody knows', () => {
    expect(tokens(inline('image/png', png(10, 10)), 'gemini-3-pro-preview')).toBe(1_120)
    expect(tokens(inline('image/png', png(10, 10)))).toBe(1_120)
    const level = 'MEDIA_RESOLUTION_ULTRA_HIGH'
    expect(tokens({ ...linked('image/png'), mediaResolution: { level } })).toBe(2_240)
  })
})

describe('tokens of other media', () => {
  it.each([
    ['audio', inline('audio/mpeg', bytes(12_000)), 96, 96],
    ['audio somewhere else', linked('audio/mpeg'), 1_920, 1_920],
    ['video', inline('video/mp4', bytes(24_999)), 590, 204],
    ['video somewhere else', linked('video/mp4'), 17_700, 6_120],
    ['a document', inline('application/pdf', bytes(30_000)), 516, 1_120],
    ['a document somewhere else', linked('application/pdf'), 258, 560],
    ['a text', inline('text/plain', bytes(300)), 100, 100],
    ['a thing without a type', { inlineData: { data: bytes(300) } }, 258, 560],
    ['no media', { text: 'x' }, 0, 0],
  ])('%s', (_what, part, second, third) => {
    expect(tokens(part, 'gemini-2.5-pro')).toBe(second)
    expect(tokens(part, 'gemini-3-flash-preview')).toBe(third)
  })

  it('are counted beside a response, and never inside what a function gave back', () => {
    const image = inline('image/png', png(10, 10))
    expect(tokens({ functionResponse: { name: 'a', response: {}, parts: [image] } })).toBe(1_120)
    expect(tokens({ functionResponse: { name: 'a', response: image } })).toBe(0)
    expect(tokens({ inline_data: { mime_type: 'image/png', data: png(10, 10) } })).toBe(1_120)
  })
})

describe('geminiMajor', () => {
  it.each([
    ['gemini-2.5-flash', 2],
    ['models/gemini-3-pro-preview', 3],
    ['google/gemini-3.1-pro', 3],
    ['gemini-flash-latest', null],
    ['gemma-3-27b', null],
    [undefined, null],
  ])('of %s is %s', (model, major) => {
    expect(geminiMajor(model)).toBe(major)
  })
})
