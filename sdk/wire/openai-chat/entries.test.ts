import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../engine/json.ts'
import { readMessage } from './entries.ts'

const drafts = (message: JsonObject) =>
  readMessage(message).drafts.map(({ matchText: _matchText, ...draft }) => draft)

describe('readMessage', () => {
  it('reads an answer that only calls as an empty answer and its calls', () => {
    const message = {
      role: 'assistant',
      content: null,
      reasoning_content: 'which one?',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'look', arguments: '{"at": 1}' } },
        { id: 'b', type: 'custom', custom: { name: 'jot', input: 'words' } },
        { type: 'function', function: { name: 'go', arguments: { far: true } } },
        null,
      ],
    }
    expect(drafts(message)).toEqual([
      { kind: 'answer', text: '' },
      { kind: 'call', callId: 'a', name: 'look', arguments: '{"at": 1}', text: 'look({"at": 1})' },
      { kind: 'call', callId: 'b', name: 'jot', arguments: 'words', text: 'jot(words)' },
      { kind: 'call', name: 'go', arguments: '{"far":true}', text: 'go({"far":true})' },
      { kind: 'call', text: '()' },
    ])
  })

  it('tells calls without an id apart by their place', () => {
    const call = { function: { name: 'look', arguments: '{}' } }
    const { drafts: read } = readMessage({ role: 'assistant', content: null, tool_calls: [call, call] })
    expect(new Set(read.map((draft) => draft.matchText)).size).toBe(3)
  })

  it('reads a legacy call as a call without an id', () => {
    const message = { role: 'assistant', content: 'see', function_call: { name: 'look', arguments: '{}' } }
    expect(drafts(message)).toEqual([
      { kind: 'answer', text: 'see' },
      { kind: 'call', name: 'look', arguments: '{}', text: 'look({})' },
    ])
    expect(drafts({ role: 'function', name: 'look', content: '7' })).toEqual([
      { kind: 'result', name: 'look', text: '7' },
    ])
  })

  it('reads a result as the text that read_result pages over', () => {
    expect(drafts({ role: 'tool', tool_call_id: 'a', content: '{"sky":"clear","high":[1]}' })).toEqual([
      { kind: 'result', callId: 'a', text: 'sky: clear\nhigh: [1]' },
    ])
    const parts = [
      { type: 'text', text: '{"sky":"clear"}' },
      { type: 'text', text: 'and more' },
    ]
    expect(drafts({ role: 'tool', tool_call_id: 'a', content: parts })[0]?.text).toBe('sky: clear\nand more')
  })

  it('reads media as a placeholder and what it does not know as JSON without opaque fields', () => {
    const content = [
      { type: 'text', text: 'see' },
      { type: 'image_url', image_url: { url: 'https://x' } },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
      { type: 'file', file: { file_id: 'f' } },
      { type: 'hologram', signature: 'c2ln', at: 3 },
    ]
    expect(drafts({ role: 'user', content })[0]?.text).toBe(
      'see\n[image]\n[audio]\n[document]\n{"type":"hologram","signature":"","at":3}',
    )
  })

  it('lets only a user start a turn', () => {
    expect(drafts({ role: 'user', content: 'x' })).toEqual([
      { kind: 'instruction', text: 'x', startsTurn: true },
    ])
    expect(drafts({ role: 'narrator', content: 'x' })).toEqual([
      { kind: 'instruction', text: 'x', startsTurn: false },
    ])
    expect(drafts({ role: 'system', content: 'x' })).toEqual([{ kind: 'system', text: 'x' }])
  })

  it('joins what an answer says and what it declines', () => {
    expect(drafts({ role: 'assistant', content: 'half', refusal: 'no' })[0]?.text).toBe('half\nno')
    expect(drafts({ role: 'assistant', content: null, refusal: 'no' })[0]?.text).toBe('no')
  })

  it('gives each call its own stretch of the text, and the frame to the answer', () => {
    const call = (id: string): JsonObject => ({ id, function: { name: 'f', arguments: '{}' } })
    const message = { tool_calls: [call('a'), call('b')], role: 'assistant', content: 'x' }
    const { segments } = readMessage(message)
    expect(segments).toEqual([
      { owner: 0, text: '{"tool_calls":[' },
      { owner: 1, text: JSON.stringify(call('a')) },
      { owner: 2, text: `,${JSON.stringify(call('b'))}` },
      { owner: 0, text: '],"role":"assistant","content":"x"}' },
    ])
  })

  it('counts media by the rates of the model, apart from the text', () => {
    const url = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAABAAAAAQACAYAAAC'
    const message = { role: 'user', content: [{ type: 'image_url', image_url: { url } }] }
    const media = (model?: string) => readMessage(message, { model }).segments.map((segment) => segment.media)
    expect(media('gpt-4o')).toEqual([765])
    expect(media('openai/gpt-4.1-mini')).toEqual([1_659])
    expect(media()).toEqual([1_229])
  })
})
