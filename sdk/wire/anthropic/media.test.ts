import { describe, expect, it } from 'vitest'
import { mediaTokensFor } from './media.ts'

/** The header of a PNG of 2,560 by 1,440 pixels. */
const data = 'iVBORw0KGgoAAAANSUhEUgAACgAAAAWgCAYAAAC'
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }

describe('mediaTokensFor', () => {
  it.each([
    ['claude-3-5-haiku-20241022', 1_568],
    ['claude-sonnet-4-5', 1_568],
    ['claude-opus-4-6', 1_568],
    ['claude-opus-4-7', 4_784],
    ['claude-sonnet-5', 4_784],
    ['claude-haiku-5-5', 4_784],
    ['some-model', 4_784],
  ])('bills an image by the resolution that %s reads', (model, tokens) => {
    expect(mediaTokensFor(model)(image)).toBe(tokens)
    expect(mediaTokensFor(model)({ type: 'image', source: { type: 'url', url: 'https://x' } })).toBe(tokens)
  })

  it('bills a small image by its patches', () => {
    const small = { ...image, source: { ...image.source, data: 'iVBORw0KGgoAAAANSUhEUgAAAKYAAAEaAgMAAADm' } }
    expect(mediaTokensFor('claude-sonnet-4-5')(small)).toBe(66)
  })

  it('bills a PDF by the page, and a document in words by its words alone', () => {
    const bill = mediaTokensFor('claude-sonnet-4-5')
    const pdf = Buffer.alloc(40_000).toString('base64')
    expect(bill({ type: 'document', source: { type: 'base64', data: pdf } })).toBe(3 * 4_568)
    expect(bill({ type: 'document', source: { type: 'url', url: 'https://x' } })).toBe(4_568)
    expect(bill({ type: 'document', source: { type: 'file', file_id: 'f' } })).toBe(4_568)
    expect(bill({ type: 'document', source: { type: 'text', data: 'words' } })).toBe(0)
    expect(bill({ type: 'document', source: { type: 'content', content: [image] } })).toBe(0)
  })

  it.each([{}, { type: 'image' }, { type: 'text', text: 'x' }, image.source])(
    'bills nothing for %j',
    (block) => {
      expect(mediaTokensFor('claude-opus-4-7')(block)).toBe(0)
    },
  )
})
