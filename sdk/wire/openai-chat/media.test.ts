import { describe, expect, it } from 'vitest'
import { mediaTokensFor } from './media.ts'

/** The header of a PNG of 1,024 by 1,024 pixels. */
const url = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAABAAAAAQACAYAAAC'
const image = (detail?: string, link = url) => ({
  type: 'image_url',
  image_url: { url: link, ...(detail === undefined ? {} : { detail }) },
})

describe('mediaTokensFor', () => {
  it.each([
    ['gpt-4o', 765],
    ['gpt-4o-mini-2024-07-18', 2_833 + 4 * 5_667],
    ['gpt-4.1', 765],
    ['gpt-4.1-mini', 1_659],
    ['gpt-4.1-nano', 2_520],
    ['gpt-4.5-preview', 765],
    ['o1', 75 + 4 * 150],
    ['openai/o3', 75 + 4 * 150],
    ['o4-mini', 1_762],
    ['gpt-5', 70 + 4 * 140],
    ['gpt-5-2025-08-07', 70 + 4 * 140],
    ['gpt-5.1', 70 + 4 * 140],
    ['gpt-5-mini', 1_229],
    ['gpt-5-nano', 1_536],
    ['gpt-5.4-mini', 1_229],
    ['gpt-5.4', 1_229],
    ['gpt-5.10', 1_229],
    ['grok-4', 1_229],
  ])('bills an image by the rates of %s', (model, tokens) => {
    expect(mediaTokensFor(model)(image())).toBe(tokens)
  })

  it('heeds the detail that is asked for', () => {
    expect(mediaTokensFor('gpt-4o')(image('low'))).toBe(85)
    expect(mediaTokensFor('gpt-4o')(image('high'))).toBe(765)
    expect(mediaTokensFor('gpt-5.4')(image('low'))).toBe(308)
    expect(mediaTokensFor('gpt-5.4')(image('auto'))).toBe(1_229)
  })

  it('takes an image that it cannot see for the dearest', () => {
    const link = 'https://example.org/cat.png'
    expect(mediaTokensFor('gpt-4o')(image('high', link))).toBe(1_445)
    expect(mediaTokensFor('gpt-4o')(image('low', link))).toBe(85)
    expect(mediaTokensFor('gpt-4.1-mini')(image('high', link))).toBe(2_489)
    expect(mediaTokensFor('gpt-5.4')(image('high', link))).toBe(3_000)
    expect(mediaTokensFor('gpt-5.4-mini')(image('high', link))).toBe(1_844)
    expect(mediaTokensFor('gpt-5.4')(image('original', link))).toBe(12_000)
    expect(mediaTokensFor('gpt-4o')(image('high', 'data:image/svg+xml,%3Csvg%3E'))).toBe(1_445)
  })

  it('bills recordings by the second and files by the page', () => {
    const bill = mediaTokensFor('gpt-4o')
    const data = Buffer.alloc(8_000, 1).toString('base64')
    expect(bill({ type: 'input_audio', input_audio: { data, format: 'mp3' } })).toBe(20)
    expect(bill({ type: 'file', file: { file_id: 'f' } })).toBe(2_000)
    expect(bill({ type: 'file', file: { file_data: Buffer.alloc(40_000).toString('base64') } })).toBe(6_000)
    expect(
      bill({
        type: 'file',
        file: { file_data: `data:application/pdf;base64,${Buffer.alloc(40_000).toString('base64')}` },
      }),
    ).toBe(6_000)
  })

  it.each([
    {},
    { type: 'text', text: url },
    { type: 'input_audio' },
    { type: 'hologram', image_url: { url } },
  ])('bills nothing for %j', (part) => {
    expect(mediaTokensFor('gpt-4o')(part)).toBe(0)
  })
})
