import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../engine/json.ts'
import { plainMessage, revivedMessage } from './native-files.ts'

const bytes = new Uint8Array([137, 80, 78, 71, 255, 0, 1])
const encoded = 'iVBOR/8AAQ=='
const address = 'https://x.example/a%20b.png'

const user = (data: unknown): unknown => ({
  role: 'user',
  content: [
    { type: 'text', text: 'see' },
    { type: 'file', data, mediaType: 'image/png' },
  ],
})
const result = (data: unknown): unknown => ({
  role: 'tool',
  content: [
    {
      type: 'tool-result',
      toolCallId: 'a',
      toolName: 'look',
      output: { type: 'content', value: [{ type: 'file', data, mediaType: 'image/png' }] },
    },
  ],
})

describe('plainMessage', () => {
  it.each([
    ['bytes', bytes, encoded],
    ['bytes of a part of a buffer', new Uint8Array([0, ...bytes, 0]).subarray(1, 8), encoded],
    ["Node's bytes", Buffer.from(bytes), encoded],
    ['a link', new URL(address), address],
    ['tagged bytes', { type: 'data', data: bytes }, { type: 'data', data: encoded }],
    [
      'a tagged link',
      { type: 'url', url: new URL(address), originalUrl: 'x:y' },
      { type: 'url', url: address, originalUrl: 'x:y' },
    ],
  ])('writes %s as the text that the specification takes as well', (_what, data, text) => {
    expect(plainMessage(user(data))).toEqual(user(text))
    expect(plainMessage(result(data))).toEqual(result(text))
  })

  it('encodes bytes of any length as they are', () => {
    for (const length of [0, 1, 2, 3, 0x5fff, 0x6000, 0x6001, 100_000]) {
      const long = Uint8Array.from({ length }, (_, at) => (at * 31) % 256)
      expect(plainMessage(user(long))).toEqual(user(Buffer.from(long).toString('base64')))
    }
  })

  it.each([
    ['text', user('AAAA')],
    ['tagged text', user({ type: 'text', text: 'x' })],
    ['a reference', user({ type: 'reference', reference: { openai: 'file-1' } })],
    ['no data', user(undefined)],
    ['no message', 'x'],
    ['no parts', { role: 'user', content: 'x' }],
    [
      'a result of text',
      { role: 'tool', content: [{ type: 'tool-result', output: { type: 'text', value: 'x' } }] },
    ],
  ])('hands back the very message where it holds %s', (_what, message) => {
    expect(plainMessage(message)).toBe(message)
  })

  it("leaves the app's message and all else in it alone", () => {
    const message = user(bytes) as { content: unknown[] }
    const plain = plainMessage(message) as { content: unknown[] }
    expect(message).toEqual(user(bytes))
    expect(plain.content[0]).toBe(message.content[0])
  })
})

describe('revivedMessage', () => {
  it('makes links URLs again, and leaves bytes the base64 that they may be', () => {
    const revived = (data: JsonValue): unknown => revivedMessage(user(data) as JsonValue)
    expect(revived(address)).toEqual(user(new URL(address)))
    expect(revived({ type: 'url', url: address })).toEqual(user({ type: 'url', url: new URL(address) }))
    expect(revivedMessage(result({ type: 'url', url: address }) as JsonValue)).toEqual(
      result({ type: 'url', url: new URL(address) }),
    )
    for (const data of [
      encoded,
      { type: 'data', data: encoded },
      'http://',
      { type: 'text', text: address },
    ]) {
      const message = user(data) as JsonValue
      expect(revivedMessage(message)).toBe(message)
    }
  })

  it('takes the links that are text in the specification for that', () => {
    const message = {
      role: 'tool',
      content: [
        { type: 'tool-result', output: { type: 'content', value: [{ type: 'file-url', url: address }] } },
      ],
    }
    expect(revivedMessage(message)).toBe(message)
  })
})
