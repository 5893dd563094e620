import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../engine/json.ts'
import { cacheMarks } from './marks.ts'

const short = { anthropic: { cacheControl: { type: 'ephemeral' } } }
const long = { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } }
const text = (words: string, providerOptions?: JsonObject): JsonObject => ({
  type: 'text',
  text: words,
  ...(providerOptions ? { providerOptions } : {}),
})
const call: JsonObject = { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: {} }
const result = (toolCallId: string, more: JsonObject = {}, output: JsonObject = {}): JsonObject => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'f',
  output: { type: 'text', value: 'ok', ...output },
  ...more,
})
const message = (role: string, content: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  role,
  content,
  ...more,
})
const marksOf = (snapshot: Parameters<typeof cacheMarks.read>[0]): readonly string[] =>
  cacheMarks.read(snapshot).map(({ owner, lifetime }) => `${owner} ${lifetime}`)

describe('the marks of an AI SDK message', () => {
  it.each([
    ['parts', message('user', [text('x', short), text('y', long)]), ['0 5m', '0 1h']],
    ['the other spelling', message('user', [text('x', { anthropic: { cache_control: {} } })]), ['0 5m']],
    [
      'a message, which means its last part',
      message('assistant', [text('x'), call], { providerOptions: long }),
      ['1 1h'],
    ],
    [
      'a message whose last part has its own',
      message('user', [text('x', short)], { providerOptions: long }),
      ['0 5m'],
    ],
    [
      'a message that ends in what holds none',
      message('assistant', [text('x'), { type: 'reasoning', text: 'hm', providerOptions: short }], {
        providerOptions: short,
      }),
      [],
    ],
    ['a message given as text', { role: 'user', content: 'x', providerOptions: short }, ['0 5m']],
    ['results', message('tool', [result('a', { providerOptions: short }), result('b')]), ['0 5m']],
    ['outputs', message('tool', [result('a'), result('b', {}, { providerOptions: long })]), ['1 1h']],
    [
      'the first options in an output of parts',
      message('tool', [
        result('a', {}, { type: 'content', value: [text('x'), text('y', short), text('z', long)] }),
      ]),
      ['0 5m'],
    ],
    ['a system message', { role: 'system', content: 'x', providerOptions: long }, ['0 1h']],
    [
      'tools',
      [
        { type: 'function', name: 'f', providerOptions: short },
        { type: 'provider', name: 'g' },
      ],
      ['0 5m'],
    ],
    ['what another provider is told', message('user', [text('x', { other: { cacheControl: {} } })]), []],
    ['no message', 'x', []],
  ] as const)('are read from %s', (_what, snapshot, marks) => {
    expect(marksOf(snapshot as JsonObject)).toEqual(marks)
  })

  it('are set on the last part that may hold one, beside what providers are told', () => {
    const holder = { other: { a: 1 }, anthropic: { citations: true } }
    const own = message('user', [text('x'), text('y', holder), text('  '), { type: 'other' }])
    expect(cacheMarks.markMessage(own, { lifetime: '1h', upToDraft: 0 })).toEqual(
      message('user', [
        text('x'),
        text('y', { other: { a: 1 }, anthropic: { citations: true, ...long.anthropic } }),
        text('  '),
        { type: 'other' },
      ]),
    )
    expect(own).toEqual(message('user', [text('x'), text('y', holder), text('  '), { type: 'other' }]))
  })

  it('are set up to the end of a draft', () => {
    const results = message('tool', [result('a'), result('b')])
    expect(cacheMarks.markMessage(results, { lifetime: '5m', upToDraft: 0 })).toEqual(
      message('tool', [result('a', { providerOptions: short }), result('b')]),
    )
    const answer = message('assistant', [text('x'), call])
    expect(cacheMarks.markMessage(answer, { lifetime: '5m', upToDraft: 0 })).toEqual(
      message('assistant', [text('x', short), call]),
    )
  })

  it('are set on text given as such, as one part', () => {
    expect(cacheMarks.markMessage({ role: 'user', content: 'x' }, { lifetime: '5m', upToDraft: 0 })).toEqual(
      message('user', [text('x', short)]),
    )
  })

  it.each([
    ['a part', message('user', [text('x', long)])],
    ['the message', message('user', [text('x')], { providerOptions: short })],
    ['an output', message('tool', [result('a', {}, { providerOptions: short })])],
  ])('are not set twice where %s bears one', (_what, own) => {
    expect(cacheMarks.markMessage(own, { lifetime: '5m', upToDraft: 0 })).toBe(own)
  })

  it.each([
    ['reasoning alone', message('assistant', [{ type: 'reasoning', text: 'hm' }])],
    ['an empty text', message('user', [text(' ')])],
    ['a system message among others', { role: 'system', content: 'x' }],
    ['no message', 'x'],
  ])('are not set on %s', (_what, own) => {
    expect(cacheMarks.markMessage(own, { lifetime: '5m', upToDraft: 0 })).toBeNull()
  })

  it('are set at the end of the tools that stand in the prefix', () => {
    const tool = (name: string, providerOptions?: JsonObject): JsonObject => ({
      type: 'function',
      name,
      ...(providerOptions ? { providerOptions } : {}),
    })
    const later = tool('later', { anthropic: { deferLoading: true } })
    const tools = [tool('f'), later, { type: 'provider', id: 'x.y', name: 'y', args: {} }]
    expect(cacheMarks.markValue(tools, '1h')).toEqual([tool('f', long), ...tools.slice(1)])
    const own = [tool('f', short)]
    expect(cacheMarks.markValue(own, '1h')).toBe(own)
    expect(cacheMarks.markValue([later], '1h')).toBeNull()
    expect(cacheMarks.markValue([], '1h')).toBeNull()
    expect(cacheMarks.markValue('x', '1h')).toBeNull()
  })

  it('are set on a system message at the head of the list', () => {
    const system = { role: 'system', content: 'x' }
    expect(cacheMarks.markValue(system, '1h')).toEqual({ ...system, providerOptions: long })
    const own = { ...system, providerOptions: short }
    expect(cacheMarks.markValue(own, '1h')).toBe(own)
    expect(cacheMarks.markValue({ role: 'system', content: ' ' }, '1h')).toBeNull()
    expect(cacheMarks.markValue(message('user', [text('x')]), '1h')).toBeNull()
  })

  it('make no difference to what they cover', () => {
    const plain = message('tool', [result('a'), result('b', {}, { type: 'content', value: [text('x')] })])
    const marked = message(
      'tool',
      [
        result('a', { providerOptions: short }, { providerOptions: long }),
        result('b', {}, { type: 'content', value: [text('x', short)] }),
      ],
      { providerOptions: short },
    )
    const all = Number.POSITIVE_INFINITY
    expect(cacheMarks.covered(marked, all)).toEqual(plain)
    expect(cacheMarks.covered(plain, all)).toEqual(plain)
    expect(cacheMarks.covered(plain, 0)).toEqual(message('tool', [result('a')]))
    expect(cacheMarks.covered({ role: 'user', content: 'x' }, all)).toEqual(message('user', [text('x')]))
    const told = text('x', { anthropic: { ...short.anthropic, citations: true }, other: { a: 1 } })
    expect(cacheMarks.covered(message('user', [told]), all)).toEqual(
      message('user', [text('x', { other: { a: 1 }, anthropic: { citations: true } })]),
    )
    const system = { role: 'system', content: 'x' }
    expect(cacheMarks.covered({ ...system, providerOptions: short }, all)).toEqual(system)
  })
})
