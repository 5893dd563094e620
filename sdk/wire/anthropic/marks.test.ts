import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../engine/json.ts'
import { anthropic } from './index.ts'
import { cacheMarks } from './marks.ts'
import { readRequest } from './read.ts'
import { lint } from './rules.ts'

const short = { type: 'ephemeral' }
const long = { type: 'ephemeral', ttl: '1h' }
const text = (said: string): JsonObject => ({ type: 'text', text: said })
const think: JsonObject = { type: 'thinking', thinking: 'hm', signature: 'c2ln' }
const call = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'look', input: {} })
const result = (id: string, content: JsonValue = 'ok'): JsonObject => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
})
const user = (...content: readonly JsonValue[]): JsonObject => ({ role: 'user', content })
const assistant = (...content: readonly JsonValue[]): JsonObject => ({ role: 'assistant', content })
const whole = { lifetime: '5m', upToDraft: 9 } as const

describe('the marks that a request holds', () => {
  it('are read in the order of the prefix, with the draft and the lifetime of each', () => {
    const message = user(
      { ...result('a', [{ ...text('x'), cache_control: long }, text('y')]), cache_control: short },
      result('b'),
      { ...text('go'), cache_control: { type: 'ephemeral', ttl: '5m' } },
    )
    expect(cacheMarks.read(message)).toEqual([
      { owner: 0, lifetime: '1h' },
      { owner: 0, lifetime: '5m' },
      { owner: 2, lifetime: '5m' },
    ])
    expect(cacheMarks.read([{ name: 'look' }, { name: 'run', cache_control: long }])).toEqual([
      { owner: 0, lifetime: '1h' },
    ])
    expect(cacheMarks.read('You look things up.')).toEqual([])
    expect(cacheMarks.read(user({ ...text('x'), cache_control: null }))).toEqual([])
  })

  it('are four at the most', () => {
    expect(anthropic.cacheMarks?.limit).toBe(4)
  })

  it('may have one for wherever the request ends', () => {
    const end = (cache_control?: JsonObject): JsonValue | undefined => {
      const outcome = readRequest({
        model: 'm',
        messages: [user(text('go'))],
        ...(cache_control && { cache_control }),
      })
      return outcome.type === 'read' ? outcome.request.endMark : 'fault'
    }
    expect([end(), end(short), end(long)]).toEqual([undefined, '5m', '1h'])
  })
})

describe('a mark at the end of system or tools', () => {
  it('stands on the last block, and text becomes one', () => {
    expect(cacheMarks.markValue('Look.', '1h')).toEqual([{ ...text('Look.'), cache_control: long }])
    expect(cacheMarks.markValue([text('Look.'), text('Well.')], '5m')).toEqual([
      text('Look.'),
      { ...text('Well.'), cache_control: short },
    ])
    expect(cacheMarks.markValue([{ name: 'look' }, { name: 'run' }], '1h')).toEqual([
      { name: 'look' },
      { name: 'run', cache_control: long },
    ])
  })

  it('never stands on empty text, nor on a tool that is loaded later', () => {
    for (const empty of ['', ' \n', [], [text(' ')], { type: 'text' }, null])
      expect(cacheMarks.markValue(empty, '1h')).toBeNull()
    expect(cacheMarks.markValue([text('Look.'), text('')], '1h')).toEqual([
      { ...text('Look.'), cache_control: long },
      text(''),
    ])
    const later = { name: 'run', defer_loading: true }
    expect(cacheMarks.markValue([{ name: 'look' }, later], '1h')).toEqual([
      { name: 'look', cache_control: long },
      later,
    ])
    expect(cacheMarks.markValue([later], '1h')).toBeNull()
  })

  it('is none where one is: the value stays the object that it is', () => {
    const system = [text('Look.'), { ...text('Well.'), cache_control: short }]
    expect(cacheMarks.markValue(system, '1h')).toBe(system)
  })
})

describe('a mark in a message', () => {
  it('stands on the last block, and content given as text becomes one', () => {
    expect(cacheMarks.markMessage({ role: 'user', content: 'go' }, whole)).toEqual(
      user({ ...text('go'), cache_control: short }),
    )
    expect(cacheMarks.markMessage(assistant(text('so'), call('a')), { ...whole, lifetime: '1h' })).toEqual(
      assistant(text('so'), { ...call('a'), cache_control: long }),
    )
  })

  it('[R274] ends with a draft where it is told to, whatever follows in the message', () => {
    const message = user(result('a'), result('b'), text('and now'))
    expect(cacheMarks.markMessage(message, { lifetime: '5m', upToDraft: 1 })).toEqual(
      user(result('a'), { ...result('b'), cache_control: short }, text('and now')),
    )
  })

  it.each<[string, JsonObject]>([
    ['thinking', think],
    ['thinking that is hidden', { type: 'redacted_thinking', data: 'AAAA' }],
    ['an empty text', text('')],
    ['a text of white space', text(' \n\t')],
    ['a block of a kind that nobody knows', { type: 'some_later_kind' }],
  ])('never stands on %s', (_what, block) => {
    expect(cacheMarks.markMessage(assistant(text('so'), block), whole)).toEqual(
      assistant({ ...text('so'), cache_control: short }, block),
    )
    expect(cacheMarks.markMessage(assistant(block), whole)).toBeNull()
  })

  it.each<[string, JsonObject]>([
    ['an image', { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } }],
    ['a document', { type: 'document', source: { type: 'text', data: 'x' } }],
    ['a search result', { type: 'search_result', source: 'x', title: 'x', content: [] }],
    [
      "a call of the provider's own tool",
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
    ],
    ['what came of it', { type: 'web_search_tool_result', tool_use_id: 's', content: [] }],
  ])('may stand on %s', (_what, block) => {
    expect(cacheMarks.markMessage(user(text('so'), block), whole)).toEqual(
      user(text('so'), { ...block, cache_control: short }),
    )
  })

  it('never stands in a system message among the others, nor in an empty one', () => {
    expect(cacheMarks.markMessage({ role: 'system', content: 'x' }, whole)).toBeNull()
    expect(cacheMarks.markMessage({ role: 'user', content: '' }, whole)).toBeNull()
    expect(cacheMarks.markMessage(user(), whole)).toBeNull()
  })

  it('is none where that very place is marked, by the block or by the last that it holds', () => {
    for (const message of [
      user({ ...text('go'), cache_control: long }),
      user(result('a', [text('x'), { ...text('y'), cache_control: short }])),
    ])
      expect(cacheMarks.markMessage(message, whole)).toBe(message)
    const early = user(result('a', [{ ...text('x'), cache_control: short }, text('y')]))
    expect(cacheMarks.markMessage(early, whole)).not.toBe(early)
  })
})

describe('what a mark covers', () => {
  it('[R388] ends at the end of a draft, which is the end of a block', () => {
    const message = user(result('a'), result('b'), text('and now'))
    expect(cacheMarks.covered(message, 0)).toEqual(user(result('a')))
    expect(cacheMarks.covered(message, 1)).toEqual(user(result('a'), result('b')))
    expect(cacheMarks.covered(message, 2)).toEqual(message)
  })

  it('is the same with marks and without, as text and as a block', () => {
    const marked = user({
      ...result('a', [{ ...text('x'), cache_control: short }]),
      cache_control: long,
    })
    expect(cacheMarks.covered(marked, 0)).toEqual(user(result('a', [text('x')])))
    expect(cacheMarks.covered({ role: 'user', content: 'go' }, 0)).toEqual(user(text('go')))
  })

  it("leaves a tool's own arguments alone, whatever their keys", () => {
    const message = assistant({
      ...call('a'),
      input: { cache_control: 'x', content: [{ cache_control: 'y' }] },
    })
    expect(cacheMarks.covered(message, 1)).toEqual(message)
  })
})

describe('rules about marks', () => {
  const chat = (changed: JsonObject): JsonObject => ({
    model: 'claude-opus-4-8',
    messages: [user(text('go'))],
    ...changed,
  })
  const rules = (changed: JsonObject): readonly (readonly string[])[] =>
    lint(chat(changed)).map(({ rule, path }) => [rule, path])

  it.each<[string, JsonObject, string]>([
    [
      'a longer lifetime in the messages after a shorter one in the tools',
      {
        tools: [{ name: 'look', cache_control: short }],
        messages: [user({ ...text('go'), cache_control: long })],
      },
      'messages[0].content[0]',
    ],
    [
      'a longer one in the system after a shorter one in the tools',
      { tools: [{ name: 'look', cache_control: short }], system: [{ ...text('x'), cache_control: long }] },
      'system[0]',
    ],
    [
      'a longer one at the end of the request after a shorter one',
      { cache_control: long, messages: [user({ ...text('go'), cache_control: short })] },
      'cache_control',
    ],
  ])('find %s', (_what, changed, path) => {
    expect(rules(changed)).toEqual([['cache_mark_order', path]])
  })

  it('find a mark on thinking and on an empty text', () => {
    const messages = [
      user(text('go')),
      assistant({ ...think, cache_control: short }, text('so')),
      user({ ...text(' '), cache_control: short }),
    ]
    expect(rules({ messages }).filter(([rule]) => rule === 'cache_mark_on_block')).toEqual([
      ['cache_mark_on_block', 'messages[1].content[0]'],
      ['cache_mark_on_block', 'messages[2].content[0]'],
    ])
  })

  it('find nothing in marks that are in order', () => {
    expect(
      rules({
        tools: [{ name: 'look', cache_control: long }],
        system: [{ ...text('x'), cache_control: long }],
        messages: [user({ ...text('go'), cache_control: short })],
      }),
    ).toEqual([])
  })
})

describe('reasoning that is bound to what stands before it', () => {
  const binds = (model: string, changed: JsonObject): boolean => {
    const outcome = readRequest({ model, messages: [user(text('go'))], ...changed })
    return outcome.type === 'read' && outcome.request.bindsReasoning === true
  }
  const carried = { messages: [user(text('go')), assistant(think, text('so')), user(text('and'))] }

  it.each<[string, string, JsonObject, boolean]>([
    ['enabled thinking of a preserved family', 'claude-opus-5-5', { thinking: { type: 'adaptive' } }, true],
    ['carried thinking of a preserved family', 'claude-opus-5-5', carried, true],
    ['carried thinking of a family that nobody knows', 'some-model', carried, true],
    ['a preserved family without thinking', 'claude-opus-5-5', {}, false],
    ['a preserved family with thinking off', 'claude-opus-5-5', { thinking: { type: 'disabled' } }, false],
    [
      'a family with manual thinking',
      'claude-sonnet-4-5',
      { ...carried, thinking: { type: 'enabled' } },
      false,
    ],
  ])('is told of %s', (_what, model, changed, expected) => {
    expect(binds(model, changed)).toBe(expected)
  })
})
