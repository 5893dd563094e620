import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../engine/json.ts'
import { readMessage } from './entries.ts'
import { compose, write } from './write.ts'

function cut(message: JsonObject, kept: readonly number[]) {
  const indexes = readMessage(message).drafts.map((_, ordinal) => 10 + ordinal)
  const item = {
    type: 'message',
    native: message,
    snapshot: message,
    kept,
    indexes,
    whole: false,
    projection: null,
  } as const
  const [written] = compose([item]).messages
  return written && { message: written.native, indexes: written.indexes }
}

const call = (id: string): JsonObject => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })

describe('compose', () => {
  const message = {
    role: 'assistant',
    reasoning_content: 'hm',
    tool_calls: [call('a'), call('b')],
    content: 'let me see',
  }

  it('keeps the calls that stay, in their place among the keys', () => {
    expect(cut(message, [0, 2])).toEqual({
      message: { ...message, tool_calls: [call('b')] },
      indexes: [10, 12],
    })
    expect(JSON.stringify(cut(message, [0, 2])?.message)).toBe(
      JSON.stringify({ ...message, tool_calls: [call('b')] }),
    )
  })

  it('leaves out the key of calls of which none stays', () => {
    const { tool_calls: _calls, ...rest } = message
    expect(cut(message, [0])).toEqual({ message: rest, indexes: [10] })
    expect(cut(message, [0])?.message).not.toHaveProperty('tool_calls')
  })

  it('writes calls without their answer, reasoning kept', () => {
    expect(cut({ ...message, audio: { id: 'x' }, annotations: [] }, [1])).toEqual({
      message: { role: 'assistant', reasoning_content: 'hm', tool_calls: [call('a')], content: '' },
      indexes: [10, 11],
    })
  })

  it('drops a message of which nothing is left', () => {
    expect(cut(message, [])).toBeUndefined()
    expect(cut({ ...message, content: null }, [0])).toBeUndefined()
    expect(cut({ ...message, content: '' }, [0])).toBeUndefined()
    expect(cut({ ...message, content: [] }, [0])).toBeUndefined()
  })

  it.each([
    ['a refusal', { refusal: 'no' }],
    ['speech', { audio: { id: 'audio_1' } }],
    ['images', { images: [{ type: 'image_url' }] }],
  ])('keeps a message that still has %s', (_what, payload) => {
    expect(cut({ ...message, content: null, ...payload }, [0])?.message).toMatchObject(payload)
  })

  it('keeps or drops a legacy call', () => {
    const legacy = { role: 'assistant', content: 'see', function_call: { name: 'f', arguments: '{}' } }
    expect(cut(legacy, [0])?.message).toEqual({ role: 'assistant', content: 'see' })
    expect(cut(legacy, [1])).toEqual({ message: { ...legacy, content: '' }, indexes: [10, 11] })
  })

  it('writes a note as a user message', () => {
    const { messages, warnings } = compose([{ type: 'note', text: 'folded', index: 4 }])
    expect(messages).toEqual([
      {
        native: { role: 'user', content: 'folded' },
        snapshot: { role: 'user', content: 'folded' },
        indexes: [4],
      },
    ])
    expect(messages[0]?.native).not.toBe(messages[0]?.snapshot)
    expect(warnings).toEqual([])
  })
})

describe('write', () => {
  it('replaces the list and nothing else, in the order of the keys', () => {
    const request = { model: 'm', messages: [], tools: [{ type: 'function' }], n: 1 }
    const read = {
      model: 'm',
      fields: [],
      leading: [{ role: 'system', content: 's' }],
      messages: [],
      tools: [],
    }
    const written = write(request, read, [{ role: 'user', content: 'u' }])
    expect(JSON.stringify(written)).toBe(
      '{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"u"}],"tools":[{"type":"function"}],"n":1}',
    )
    expect(written.tools).toBe(request.tools)
    expect(request.messages).toEqual([])
  })
})
