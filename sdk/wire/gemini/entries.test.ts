import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../engine/json.ts'
import { replaceBodies, resultBodies } from './bodies.ts'
import { readMessage } from './entries.ts'

const call = (name: string, id?: string): JsonObject => ({
  functionCall: { name, args: { at: 1 }, ...(id === undefined ? {} : { id }) },
})
const result = (response: JsonObject, name = 'look', id?: string): JsonObject => ({
  functionResponse: { name, response, ...(id === undefined ? {} : { id }) },
})
const drafts = (content: JsonObject) => readMessage(content).drafts

describe('readMessage', () => {
  it('reads a content of the model as one answer and its calls, whatever their order', () => {
    const content = {
      role: 'model',
      parts: [
        { text: 'hm', thought: true },
        call('look'),
        { text: 'Let me see.' },
        { executableCode: { language: 'PYTHON', code: '1+1' }, thoughtSignature: 'c2ln' },
        call('find', 'f1'),
        { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      ],
    }
    expect(drafts(content)).toMatchObject([
      {
        kind: 'answer',
        text: 'Let me see.\n{"executableCode":{"language":"PYTHON","code":"1+1"}}\n[image]',
      },
      { kind: 'call', callId: 'look#0', name: 'look', arguments: '{"at":1}', text: 'look({"at":1})' },
      { kind: 'call', callId: 'f1', name: 'find' },
    ])
    expect(readMessage(content).segments.map(({ owner }) => owner)).toEqual([0, 1, 0, 2, 0])
  })

  it('names what has no id by its place among those of its name', () => {
    const ids = (role: string, parts: readonly JsonObject[]) =>
      drafts({ role, parts }).flatMap(({ callId }) => callId ?? [])
    expect(ids('model', [call('a'), call('b'), call('a'), call('a', 'x'), call('a', '')])).toEqual([
      'a#0',
      'b#0',
      'a#1',
      'x',
      'a#3',
    ])
    expect(ids('user', [result({}, 'b'), result({}, 'a'), result({}, 'a')])).toEqual(['b#0', 'a#0', 'a#1'])
  })

  it('matches a call that is left of several as the call that it was', () => {
    const whole = drafts({ role: 'model', parts: [call('a'), call('a')] })
    const left = drafts({ role: 'model', parts: [call('a')] })
    expect(left[1]?.matchText).toBe(whole[2]?.matchText)
  })

  it('reads results first, and what is said beside them as an instruction that starts no turn', () => {
    const content = { role: 'user', parts: [{ text: 'and now?' }, result({ output: 'ok' }, 'look', 'c1')] }
    expect(drafts(content)).toMatchObject([
      { kind: 'result', callId: 'c1', name: 'look', text: 'output: ok', pairsByName: true },
      { kind: 'instruction', text: 'and now?', startsTurn: false },
    ])
    expect(drafts({ role: 'user', parts: [result({})] })).toHaveLength(1)
  })

  it.each([
    [{ role: 'user', parts: [{ text: 'hi' }] }, true],
    [{ parts: [{ text: 'hi' }] }, true],
    [{ role: 'user', parts: [] }, true],
    [{ role: 'narrator', parts: [{ text: 'hi' }] }, false],
  ])('knows who may start a turn: %j', (content, startsTurn) => {
    expect(drafts(content)).toMatchObject([{ kind: 'instruction', startsTurn }])
  })

  it('reads a content that was cut short as an answer without words', () => {
    expect(readMessage({ role: 'model' })).toMatchObject({
      drafts: [{ kind: 'answer', text: '' }],
      segments: [{ owner: 0, text: '{"role":"model"}' }],
    })
  })

  it.each([
    [{ error: 'no such file' }, true],
    [{ success: false }, true],
    [{ output: 'Error: no such file' }, true],
    [{ output: 'Error: seen once', lines: 3 }, undefined],
    [{ error: '', output: 'fine' }, undefined],
    [{ output: 'fine' }, undefined],
    ['Error: no', true],
    [7, undefined],
  ])('tells whether a call failed: %j', (response, failed) => {
    const [draft] = drafts({ role: 'user', parts: [{ functionResponse: { name: 'a', response } }] })
    expect(draft?.failed).toBe(failed)
  })

  it.each([
    [{ a: 'x', b: { d: 1, c: [2] } }, 'a: x\nb: {"c":[2],"d":1}'],
    [{}, ''],
    ['plain', 'plain'],
    ['{"a":"x"}', 'a: x'],
    [[1, 2], '[1,2]'],
    [null, ''],
  ])('[R209] reads a response as its lines: %j', (response, text) => {
    const [draft] = drafts({ role: 'user', parts: [{ functionResponse: { name: 'a', response } }] })
    expect(draft?.text).toBe(text)
  })

  it('shows media beside a response by a placeholder', () => {
    const media = { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } }
    const functionResponse = { name: 'a', response: { output: 'ok' }, parts: [media] }
    expect(drafts({ role: 'user', parts: [{ functionResponse }] })[0]?.text).toBe('output: ok\n[audio]')
    const bare = {
      name: 'a',
      response: {},
      parts: [{ fileData: { mimeType: 'application/pdf', fileUri: 'x' } }],
    }
    expect(drafts({ role: 'user', parts: [{ functionResponse: bare }] })[0]?.text).toBe('[document]')
  })
})

describe('bodies of a response', () => {
  const content = {
    role: 'user',
    parts: [
      { text: 'look here' },
      result({ success: true, text: 'long text', rows: [1, 2], error: 'none' }),
      { function_response: { name: 'look', response: { page: 'second' } } },
    ],
  }

  it('[R129, R165] are the values of the object, each where it stands in the readable text', () => {
    const bodies = resultBodies(content)
    expect([...bodies.keys()]).toEqual([0, 1])
    expect(bodies.get(0)).toEqual([
      { source: 'long text', base: 20, label: '' },
      { source: '[1,2]', base: 36, label: '[JSON preview] ' },
    ])
    const text = readMessage(content).drafts[0]?.text ?? ''
    for (const { source, base } of bodies.get(0) ?? [])
      expect(text.slice(base, base + source.length)).toBe(source)
    expect(resultBodies({ role: 'model', parts: [result({ a: 'x' })] }).size).toBe(0)
  })

  it("[R132, R166] are written back in the object's own form, what says how the call ended untouched", () => {
    const written = replaceBodies(
      content,
      new Map([
        [0, new Map([[1, 'rows…']])],
        [1, new Map([[0, 's…']])],
      ]),
    )
    expect(JSON.stringify(written)).toBe(
      JSON.stringify({
        role: 'user',
        parts: [
          { text: 'look here' },
          result({ success: true, text: 'long text', rows: 'rows…', error: 'none' }),
          { function_response: { name: 'look', response: { page: 's…' } } },
        ],
      }),
    )
  })

  it('of a response that is no object are those of its text', () => {
    const odd = { role: 'user', parts: [{ functionResponse: { name: 'a', response: 'all of it' } }] }
    expect(resultBodies(odd).get(0)).toEqual([{ source: 'all of it', base: 0, label: '' }])
    expect(replaceBodies(odd, new Map([[0, new Map([[0, 'a…']])]]))).toEqual({
      role: 'user',
      parts: [{ functionResponse: { name: 'a', response: 'a…' } }],
    })
  })
})
