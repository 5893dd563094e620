import { describe, expect, it } from 'vitest'
import { countedText } from './counted-text.ts'
import { redact } from './redact.ts'

const text = (value: Parameters<typeof redact>[0]): unknown => redact(value, () => 0).value

describe('redact', () => {
  it.each([
    [
      { type: 'base64', media_type: 'image/png', data: 'AAAA' },
      { type: 'base64', media_type: 'image/png', data: '' },
    ],
    [
      { type: 'redacted_thinking', data: 'AAAA' },
      { type: 'redacted_thinking', data: '' },
    ],
    [
      { type: 'reasoning.encrypted', data: 'AAAA' },
      { type: 'reasoning.encrypted', data: '' },
    ],
    [
      { type: 'thinking', thinking: 'hm', signature: 'AAAA' },
      { type: 'thinking', thinking: 'hm', signature: '' },
    ],
    [
      { encrypted_content: 'AAAA', url: 'https://x' },
      { encrypted_content: '', url: 'https://x' },
    ],
    [
      { thoughtSignature: 'AAAA', text: 'x' },
      { thoughtSignature: '', text: 'x' },
    ],
    [
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      { inlineData: { mimeType: 'image/png', data: '' } },
    ],
    [{ input_audio: { format: 'wav', data: 'AAAA' } }, { input_audio: { format: 'wav', data: '' } }],
    [{ image_url: { url: 'data:image/png;base64,AA' } }, { image_url: { url: '' } }],
    [
      { type: 'input_image', image_url: 'data:image/png;base64,AA' },
      { type: 'input_image', image_url: '' },
    ],
    [
      { type: 'file', mediaType: 'image/png', data: 'AAAA' },
      { type: 'file', mediaType: 'image/png', data: '' },
    ],
    [
      { type: 'file', mediaType: 'image/png', data: 'data:image/png;base64,AA' },
      { type: 'file', mediaType: 'image/png', data: '' },
    ],
    [
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: '' } },
    ],
    [
      {
        providerOptions: {
          anthropic: { redactedData: 'AAAA' },
          openai: { reasoningEncryptedContent: 'AAAA' },
        },
      },
      { providerOptions: { anthropic: { redactedData: '' }, openai: { reasoningEncryptedContent: '' } } },
    ],
    [{ file: { file_data: 'AAAA', filename: 'a' } }, { file: { file_data: '', filename: 'a' } }],
    [[[{ a: [{ signature: 'AAAA' }] }]], [[{ a: [{ signature: '' }] }]]],
  ])('leaves out of %j what is no text', (value, expected) => {
    expect(text(value)).toEqual(expected)
    expect(Object.keys(text(value) as object)).toEqual(Object.keys(value))
  })

  it.each([
    [{ type: 'text', text: 'data:image/png;base64,AAAA' }],
    [{ type: 'text', media_type: 'text/plain', data: 'a document in words' }],
    [{ type: 'tool_use', input: { signature: 'mine', data: 'AAAA', type: 'base64', url: 'data:,x' } }],
    [{ type: 'table', format: 'csv', data: 'a,b' }],
    [{ type: 'json', value: { signature: 'mine', type: 'data', data: 'AAAA' } }],
    [{ type: 'error-json', value: [{ url: 'data:,x' }] }],
    [{ type: 'file', mediaType: 'image/png', data: 'https://example.org/a.png' }],
    [{ inputSchema: { type: 'data', data: 'AAAA' }, inputExamples: [{ signature: 'mine' }] }],
    [{ function: { arguments: '{"signature":"mine"}' } }],
    [{ type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } }],
    [{ signature: '', content: 'data:,x' }],
    ['data:image/png;base64,AAAA'],
    [null],
  ])('keeps %j, and the very same value', (value) => {
    expect(text(value)).toBe(value)
  })

  it('adds up the media of all objects', () => {
    const value = [{ tokens: 3 }, { inner: [{ tokens: 4 }, { input: { tokens: 5 } }] }]
    const counted = countedText(value, ({ tokens }) => (typeof tokens === 'number' ? tokens : 0))
    expect(counted).toEqual({ text: JSON.stringify(value), media: 7 })
  })
})
