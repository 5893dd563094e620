import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../engine/json.ts'
import { codePoints } from '../../engine/text.ts'
import { replaceBodies, resultBodies } from './bodies.ts'
import { readMessage } from './entries.ts'

const result = (output: JsonValue): JsonObject => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'look', output }],
})
const read = (output: JsonValue) => readMessage(result(output)).drafts[0]

describe('readMessage', () => {
  it("takes an answer, its calls, and what the provider's own tools did", () => {
    const { drafts } = readMessage({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm' },
        { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: { at: 'x' } },
        { type: 'text', text: 'I look.' },
        { type: 'tool-call', toolCallId: 's', toolName: 'search', input: {}, providerExecuted: true },
        { type: 'file', data: 'AAAA', mediaType: 'image/png', providerOptions: { a: { b: 1 } } },
        { type: 'tool-call', toolCallId: 'b', toolName: 'look', input: '{"at":"y"}' },
      ],
    })
    expect(drafts.map(({ matchText: _, ...draft }) => draft)).toEqual([
      {
        kind: 'answer',
        text: 'I look.\n{"type":"tool-call","toolCallId":"s","toolName":"search","input":{},"providerExecuted":true}\n[image]',
      },
      { kind: 'call', callId: 'a', name: 'look', arguments: '{"at":"x"}', text: 'look({"at":"x"})' },
      { kind: 'call', callId: 'b', name: 'look', arguments: '{"at":"y"}', text: 'look({"at":"y"})' },
    ])
  })

  it('takes results, and what stands beside them, which starts no turn', () => {
    const { drafts } = readMessage({
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'a', toolName: 'look', output: { type: 'text', value: 'ok' } },
        { type: 'tool-approval-response', approvalId: 'x', approved: true },
      ],
    })
    expect(drafts).toMatchObject([
      { kind: 'result', callId: 'a', name: 'look', text: 'ok' },
      { kind: 'instruction', startsTurn: false },
    ])
  })

  it('takes what a person said, files by their kind', () => {
    const { drafts } = readMessage({
      role: 'user',
      content: [
        { type: 'text', text: 'see' },
        { type: 'file', data: { type: 'data', data: 'AAAA' }, mediaType: 'image/png' },
        { type: 'file', data: 'AAAA', mediaType: 'audio/wav' },
        { type: 'file', data: 'https://x.example/a.pdf', mediaType: 'application/pdf' },
        { type: 'file', data: { type: 'text', text: 'words of a file' }, mediaType: 'text/plain' },
      ],
    })
    expect(drafts).toMatchObject([
      { kind: 'instruction', startsTurn: true, text: 'see\n[image]\n[audio]\n[document]\nwords of a file' },
    ])
  })

  it.each<[JsonValue, string, true | undefined]>([
    [{ type: 'text', value: 'ok' }, 'ok', undefined],
    [{ type: 'text', value: 'Error: no such file' }, 'Error: no such file', true],
    [{ type: 'text', value: '{"a":1,"b":"x"}' }, 'a: 1\nb: x', undefined],
    [{ type: 'json', value: { a: [1, { c: 2, b: 1 }], t: 'x' } }, 'a: [1,{"b":1,"c":2}]\nt: x', undefined],
    [{ type: 'json', value: { success: false, why: 'x' } }, 'success: false\nwhy: x', true],
    [{ type: 'json', value: [1, 'x'] }, '[1,"x"]', undefined],
    [{ type: 'json', value: 'words' }, 'words', undefined],
    [{ type: 'json', value: null }, 'null', undefined],
    [{ type: 'error-text', value: 'no' }, 'no', true],
    [{ type: 'error-json', value: { code: 7 } }, 'code: 7', true],
    [{ type: 'execution-denied', reason: 'not now' }, 'not now', true],
    [{ type: 'execution-denied' }, '', true],
    [
      {
        type: 'content',
        value: [
          { type: 'text', text: 'a' },
          { type: 'image-data', data: 'AA' },
        ],
      },
      'a\n[image]',
      undefined,
    ],
    [{ type: 'content', value: [{ type: 'text', text: 'TypeError: no' }] }, 'TypeError: no', true],
    ['no output', '', undefined],
  ])('reads the output %j', (output, text, failed) => {
    expect(read(output)?.text).toBe(text)
    expect(read(output)?.failed).toBe(failed)
  })
})

describe('bodies of an output', () => {
  const bodiesOf = (output: JsonValue) => resultBodies(result(output)).get(0) ?? []
  const replaced = (output: JsonValue, texts: readonly (readonly [number, string])[]): unknown => {
    const message = replaceBodies(result(output), new Map([[0, new Map(texts)]])) as JsonObject
    return (message.content as unknown as readonly JsonObject[])[0]?.output
  }

  it.each<[JsonValue, readonly string[]]>([
    [{ type: 'text', value: 'words' }, ['words']],
    [{ type: 'error-text', value: 'words' }, ['words']],
    [{ type: 'text', value: '{"a":"x","success":true,"b":[1]}' }, ['x', '[1]']],
    [
      { type: 'json', value: { a: 'x', success: true, error: 'y', b: { d: 1, c: 2 } } },
      ['x', '{"c":2,"d":1}'],
    ],
    [{ type: 'error-json', value: { error: 'y', a: 'x' } }, ['x']],
    [{ type: 'json', value: [{ a: 1 }] }, ['[{"a":1}]']],
    [{ type: 'json', value: 'words' }, ['words']],
    [
      {
        type: 'content',
        value: [
          { type: 'text', text: 'a' },
          { type: 'image-data', data: 'AA' },
          { type: 'text', text: 'b' },
        ],
      },
      ['a', 'b'],
    ],
    [{ type: 'execution-denied', reason: 'no' }, []],
    [null, []],
  ])('[R128, R129, R165] of %j are %j, each where it stands in the readable text', (output, sources) => {
    const bodies = bodiesOf(output)
    expect(bodies.map(({ source }) => source)).toEqual(sources)
    const text = [...(read(output)?.text ?? '')]
    for (const { source, base } of bodies)
      expect(text.slice(base, base + codePoints(source)).join('')).toBe(source)
  })

  it.each<[JsonValue, JsonValue]>([
    [
      { type: 'text', value: 'words', providerOptions: { a: {} } },
      { type: 'text', value: 'cut', providerOptions: { a: {} } },
    ],
    [
      { type: 'error-text', value: 'words' },
      { type: 'error-text', value: 'cut' },
    ],
    [
      { type: 'json', value: { success: true, b: [1], a: 'x' } },
      { type: 'json', value: { success: true, b: 'cut', a: 'x' } },
    ],
    [
      { type: 'text', value: '{"error":"","b":[1]}' },
      { type: 'text', value: '{"error":"","b":"cut"}' },
    ],
    [
      { type: 'json', value: [1, 2] },
      { type: 'json', value: 'cut' },
    ],
    [
      {
        type: 'content',
        value: [
          { type: 'file', data: { type: 'data', data: 'AA' } },
          { type: 'text', text: 'a' },
        ],
      },
      {
        type: 'content',
        value: [
          { type: 'file', data: { type: 'data', data: 'AA' } },
          { type: 'text', text: 'cut' },
        ],
      },
    ],
    [
      { type: 'execution-denied', reason: 'no' },
      { type: 'execution-denied', reason: 'no' },
    ],
  ])('[R166] of %j are replaced in its own form and order', (output, expected) => {
    expect(JSON.stringify(replaced(output, [[0, 'cut']]))).toBe(JSON.stringify(expected))
  })

  it("are none in what the provider's own tools found", () => {
    expect(resultBodies({ ...result({ type: 'text', value: 'x' }), role: 'assistant' }).size).toBe(0)
    expect(resultBodies({ role: 'user', content: 'x' }).size).toBe(0)
  })
})
