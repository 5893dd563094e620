import { describe, expect, it } from 'vitest'
import { mediaTokensFor } from './media.ts'

/** The header of a PNG of 1,024 by 1,024 pixels. */
const png = 'iVBORw0KGgoAAAANSUhEUgAABAAAAAQACAYAAAC'
const link = `data:image/png;base64,${png}`

describe('mediaTokensFor', () => {
  it.each([
    ['an image', { type: 'input_image', image_url: link }, 765],
    ['an image in low detail', { type: 'input_image', image_url: link, detail: 'low' }, 85],
    ['a screenshot', { type: 'computer_screenshot', image_url: link }, 765],
    ['an image that the model made', { type: 'image_generation_call', result: png }, 765],
    ['a file that lies elsewhere', { type: 'input_file', file_id: 'file_1' }, 2_000],
    ['a file', { type: 'input_file', file_data: 'JVBERi0xLjQK' }, 2_000],
    ['text', { type: 'input_text', text: link }, 0],
  ])('bills %s', (_what, part, tokens) => {
    expect(mediaTokensFor('gpt-4o')(part)).toBe(tokens)
  })

  it('bills an image that is not at hand by the most that it can cost', () => {
    const tokens = mediaTokensFor('gpt-4o')
    const most = tokens({ type: 'input_image', file_id: 'file_1' })
    expect(most).toBeGreaterThan(765)
    expect(tokens({ type: 'image_generation_call', result: null })).toBe(most)
  })

  it('bills a recording by its length', () => {
    const audio = { type: 'input_audio', input_audio: { format: 'mp3', data: 'A'.repeat(40_000) } }
    expect(mediaTokensFor('gpt-4o')(audio)).toBeGreaterThan(1)
    expect(mediaTokensFor('gpt-4o')({ type: 'input_audio' })).toBe(0)
  })
})
