import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../engine/json.ts'
import { mediaTokensFor } from './media.ts'

/** A PNG header of 1,000 by 700 pixels. */
const image = 'iVBORw0KGgoAAAANSUhEUgAAA+gAAAK8'
const page = 'JVBERi0xLjQK'
const file = (data: JsonValue, mediaType: string): JsonObject => ({ type: 'file', data, mediaType })

describe('mediaTokensFor', () => {
  it.each([
    ['claude-sonnet-4-5', 36 * 25],
    ['anthropic/claude-sonnet-4-5', 36 * 25],
    ['gpt-4o', 85 + 4 * 170],
    ['gemini-3-pro', 1_120],
    ['gemini-2.5-pro', 6 * 258],
    ['a-model-of-nobody', 1_120],
    [undefined, 1_120],
  ])('bills an image by the rates of %s', (model, tokens) => {
    const bill = mediaTokensFor(model)
    for (const part of [
      file(image, 'image/png'),
      file({ type: 'data', data: image }, 'image'),
      file(`data:image/png;base64,${image}`, 'image/*'),
      file({ type: 'url', url: `data:image/png;base64,${image}` }, 'image/png'),
      { type: 'image-data', data: image, mediaType: 'image/png' },
      { type: 'reasoning-file', data: { type: 'data', data: image }, mediaType: 'image/png' },
    ])
      expect(bill(part)).toBe(tokens)
  })

  it('takes the most that an image can cost where it is somewhere else', () => {
    const bill = mediaTokensFor('claude-opus-5-5')
    for (const part of [
      file('https://x.example/a.png', 'image/png'),
      file({ type: 'url', url: 'https://x.example/a.png' }, 'image'),
      file({ type: 'reference', reference: { anthropic: 'file_1' } }, 'image/png'),
      { type: 'image-url', url: 'https://x.example/a.png' },
      { type: 'image-file-id', fileId: 'file_1' },
    ])
      expect(bill(part)).toBe(4_784)
  })

  it('heeds the resolution that OpenAI is asked for', () => {
    const part = { ...file(image, 'image/png'), providerOptions: { openai: { imageDetail: 'low' } } }
    expect(mediaTokensFor('gpt-4o')(part)).toBe(85)
  })

  it.each([
    ['claude-sonnet-4-5', 4_568],
    ['gpt-5', 2_000],
    ['gemini-3-pro', 560],
    [undefined, 4_568],
  ])('bills a document by the rates of %s', (model, tokens) => {
    expect(mediaTokensFor(model)(file(page, 'application/pdf'))).toBe(tokens)
    expect(mediaTokensFor(model)({ type: 'file-id', fileId: 'file_1' })).toBe(tokens)
  })

  it('bills a recording, and a file of text by its bytes', () => {
    const second = file('AAAA'.repeat(4_000 / 3 + 1), 'audio/mp3')
    expect(mediaTokensFor('gpt-4o')(second)).toBe(11)
    expect(mediaTokensFor('gemini-3-pro')(second)).toBe(33)
    expect(mediaTokensFor('claude-sonnet-4-5')(file('AAAAAAAA', 'text/plain'))).toBe(2)
  })

  it('bills nothing for what is text, and for what is no file', () => {
    const bill = mediaTokensFor(undefined)
    expect(bill(file({ type: 'text', text: 'words' }, 'text/plain'))).toBe(0)
    expect(bill({ type: 'text', text: 'words' })).toBe(0)
    expect(bill({ type: 'file', mediaType: 'image/png' })).toBe(0)
  })
})
