import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../engine/json.ts'
import { readMessage } from './entries.ts'

const drafts = (message: JsonObject) =>
  readMessage(message).drafts.map(({ matchText: _matchText, ...draft }) => draft)
const text = (said: string): JsonObject => ({ type: 'text', text: said })
const result = (id: string, content: string): JsonObject => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
})

describe('readMessage', () => {
  it('reads an answer and its calls, the tools of the server inside the answer', () => {
    const content = [
      { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
      text('One moment.'),
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 's',
        content: [{ url: 'u', encrypted_content: 'eA==' }],
      },
      { type: 'tool_use', id: 'a', name: 'look', input: { z: 1, a: 2 } },
      text('Two.'),
      { type: 'tool_use', id: 'b', name: 'go', input: {} },
    ]
    expect(drafts({ role: 'assistant', content })).toEqual([
      {
        kind: 'answer',
        text: [
          'One moment.',
          '{"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"x"}}',
          '{"type":"web_search_tool_result","tool_use_id":"s","content":[{"url":"u","encrypted_content":""}]}',
          'Two.',
        ].join('\n'),
      },
      { kind: 'call', callId: 'a', name: 'look', arguments: '{"z":1,"a":2}', text: 'look({"z":1,"a":2})' },
      { kind: 'call', callId: 'b', name: 'go', arguments: '{}', text: 'go({})' },
    ])
    const owners = readMessage({ role: 'assistant', content }).segments.map((segment) => segment.owner)
    expect(owners).toEqual([0, 1, 0, 2, 0])
  })

  it('reads an answer that only calls as empty', () => {
    const content = [{ type: 'tool_use', id: 'a', name: 'look', input: {} }]
    expect(drafts({ role: 'assistant', content })[0]).toEqual({ kind: 'answer', text: '' })
  })

  it('reads results first, and what else is in their message as one instruction that starts no turn', () => {
    const content = [result('a', '{"sky":"clear"}'), text('and'), result('b', 'ok'), text('hurry')]
    expect(drafts({ role: 'user', content })).toEqual([
      { kind: 'result', callId: 'a', text: 'sky: clear' },
      { kind: 'result', callId: 'b', text: 'ok' },
      { kind: 'instruction', text: 'and\nhurry', startsTurn: false },
    ])
    const { segments } = readMessage({ role: 'user', content })
    expect(segments.map((segment) => segment.owner)).toEqual([2, 0, 2, 1, 2])
  })

  it('gives the frame of results alone to the first', () => {
    const { drafts: read, segments } = readMessage({
      role: 'user',
      content: [result('a', 'x'), result('b', 'y')],
    })
    expect(read.map((draft) => draft.kind)).toEqual(['result', 'result'])
    expect(segments.map((segment) => segment.owner)).toEqual([0, 1, 0])
  })

  it('reads a result of several blocks as their texts, media as a placeholder', () => {
    const content = [
      {
        type: 'tool_result',
        tool_use_id: 'a',
        content: [
          text('{"n":1}'),
          { type: 'image', source: { type: 'url', url: 'https://x' } },
          { type: 'search_result', source: 's', title: 't', content: [text('found')] },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'leaflet' } },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' } },
          { type: 'tool_reference', tool_name: 'look' },
        ],
      },
    ]
    expect(drafts({ role: 'user', content })[0]?.text).toBe(
      'n: 1\n[image]\nfound\nleaflet\n[document]\n{"type":"tool_reference","tool_name":"look"}',
    )
  })

  it('lets only a user without results start a turn', () => {
    expect(drafts({ role: 'user', content: '' })).toEqual([
      { kind: 'instruction', text: '', startsTurn: true },
    ])
    expect(drafts({ role: 'user', content: [] })).toEqual([
      { kind: 'instruction', text: '', startsTurn: true },
    ])
    expect(drafts({ role: 'system', content: 'x' })).toEqual([{ kind: 'system', text: 'x' }])
    expect(drafts({ role: 'narrator', content: 'x' })).toEqual([
      { kind: 'instruction', text: 'x', startsTurn: false },
    ])
  })

  it('counts media by the rates of the model, with the result that holds it', () => {
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUgAACgAAAAWgCAYAAAC' },
    }
    const message = {
      role: 'user',
      content: [result('a', 'x'), { ...result('b', ''), content: [image, image] }],
    }
    const media = (model?: string) =>
      readMessage(message, { model }).segments.flatMap(({ owner, media }) => (media ? [[owner, media]] : []))
    expect(media('claude-sonnet-4-5')).toEqual([[1, 2 * 1_568]])
    expect(media('claude-opus-4-7')).toEqual([[1, 2 * 4_784]])
    expect(media()).toEqual([[1, 2 * 4_784]])
  })
})
