import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../engine/json.ts'
import { pieceOf } from './pieces.ts'

const data = 'iVBORw0KGgo='

const media: readonly (readonly [what: string, part: JsonObject])[] = [
  ['an image of Chat Completions', { image_url: { url: `data:image/png;base64,${data}` } }],
  ['an image of Responses', { type: 'input_image', image_url: `data:image/png;base64,${data}` }],
  ['a recording', { type: 'input_audio', input_audio: { format: 'mp3', data } }],
  ['a file', { type: 'file', file: { file_data: `data:application/pdf;base64,${data}` } }],
  ['a document of Anthropic', { source: { type: 'base64', media_type: 'application/pdf', data } }],
  ['a part of Gemini', { inlineData: { mimeType: 'image/png', data } }],
]

describe('a piece of a request', () => {
  it.each(media)('holds %s beside its text', (_, part) => {
    const piece = pieceOf(part)
    expect(piece.media).toEqual([expect.stringContaining(data)])
    expect(piece.text).not.toContain(data)
  })

  it.each(['signature', 'thoughtSignature', 'encrypted_content'])('has nothing of a %s', (key) => {
    expect(pieceOf({ type: 'part', [key]: data })).toEqual({ text: '{"type":"part"}' })
  })

  it('has nothing of redacted thinking', () => {
    expect(pieceOf({ type: 'redacted_thinking', data })).toEqual({ text: '{"type":"redacted_thinking"}' })
  })

  it('has all else as it is written, what a tool is called with and addresses of images as well', () => {
    for (const part of [
      { type: 'tool_use', id: 'a', name: 'save', input: { data, format: 'csv' } },
      { image_url: { url: 'https://example.test/a.png' } },
      { role: 'user', content: 'data:text/plain,go' },
    ])
      expect(pieceOf(part)).toEqual({ text: JSON.stringify(part) })
  })
})
