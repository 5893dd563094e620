import { describe, expect, it } from 'vitest'
import { cacheMarks } from '../wire/ai-sdk/marks.ts'
import type { EntryEnd } from './entry-end.ts'
import type { WireMessage } from './format.ts'
import type { KnownField } from './intake.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { type MarkedRequest, placeMarks } from './marks.ts'

const short = { anthropic: { cacheControl: { type: 'ephemeral' } } }
const long = { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } }

const system = (content: string, providerOptions?: JsonObject): JsonObject => ({
  role: 'system',
  content,
  ...(providerOptions && { providerOptions }),
})
const user = (text: string, providerOptions?: JsonObject): JsonObject => ({
  role: 'user',
  content: [{ type: 'text', text, ...(providerOptions && { providerOptions }) }],
})
const tool = (providerOptions?: JsonObject): JsonObject => ({
  type: 'function',
  name: 'look',
  ...(providerOptions && { providerOptions }),
})

function place(
  leading: readonly JsonValue[],
  list: readonly JsonObject[],
  options: { readonly tools?: JsonValue; readonly anchors?: readonly EntryEnd[] } = {},
): MarkedRequest {
  const { tools = [tool()], anchors = [] } = options
  const field: KnownField = {
    type: 'value',
    key: 'tools',
    part: 'tools',
    snapshot: tools,
    json: JSON.stringify(tools),
  }
  const messages = list.map(
    (snapshot, index): WireMessage => ({ native: snapshot, snapshot, indexes: [index] }),
  )
  return placeMarks({ marks: cacheMarks, fields: [field], leading, messages, anchors, endMark: null })
}

/** Where a request is marked, in the order of the prefix; `s` is a system message at the head of the list. */
function marksOf({ fields, leading, messages }: MarkedRequest): readonly string[] {
  const read = (name: string, value: JsonValue): readonly string[] =>
    cacheMarks.read(value).map(({ lifetime }) => `${name} ${lifetime}`)
  return [
    ...fields.flatMap((field) => (field.type === 'value' ? read('tools', field.snapshot) : [])),
    ...leading.flatMap((message, position) => read(`s${position}`, message)),
    ...messages.flatMap(({ snapshot }, position) => read(`${position}`, snapshot)),
  ]
}

const chat = ['a', 'b', 'c', 'd'].map((text) => user(text))

describe('marks of our own where the system stands at the head of the list', () => {
  it('[R274, R286] stand at the end of the last of it for an hour, and not on the tools', () => {
    const leading = [system('You look.'), system('You are kind.')]
    const placed = place(leading, chat, { anchors: [{ position: 1, draft: 0 }] })
    expect(marksOf(placed)).toEqual(['s1 1h', '1 5m', '3 5m'])
    expect(placed.leading[0]).toBe(leading[0])
    expect(placed.leading[1]).toEqual(system('You are kind.', long))
  })

  it('make one object of one system message, so that its count is known', () => {
    const leading = [system('You look.')]
    expect(place(leading, chat).leading[0]).toBe(place(leading, chat).leading[0])
  })

  it('stand on the tools where the last of it may hold none, or where there is no system', () => {
    expect(marksOf(place([system(' ')], chat))).toEqual(['tools 1h', '3 5m'])
    expect(marksOf(place([], chat))).toEqual(['tools 1h', '3 5m'])
    for (const odd of ['said', null]) expect(marksOf(place([odd], chat))).toEqual(['tools 1h', '3 5m'])
  })

  it("leave the place to the app's mark, which takes one slot and no more", () => {
    const leading = [system('You look.', short)]
    const list = [user('a', short), user('b', short), user('c'), user('d')]
    const placed = place(leading, list)
    expect(marksOf(placed)).toEqual(['s0 5m', '0 5m', '1 5m', '3 5m'])
    expect(placed.leading[0]).toBe(leading[0])
  })

  it('take one slot of four', () => {
    const list = [user('a', short), user('b', short), user('c'), user('d')]
    const placed = place([system('x')], list, { anchors: [{ position: 2, draft: 0 }] })
    expect(marksOf(placed)).toEqual(['s0 1h', '0 5m', '1 5m', '2 5m'])
  })

  it('are not placed where the app has set four', () => {
    const list = ['a', 'b', 'c', 'd', 'e'].map((text, position) =>
      position < 4 ? user(text, short) : user(text),
    )
    expect(marksOf(place([system('x')], list))).toEqual(['0 5m', '1 5m', '2 5m', '3 5m'])
  })

  it('are short after a short one further up, and messages come after all of it', () => {
    expect(marksOf(place([system('x', short), system('y')], chat))).toEqual(['s0 5m', 's1 5m', '3 5m'])
    expect(marksOf(place([system('x')], chat, { tools: [tool(short)] }))).toEqual([
      'tools 5m',
      's0 5m',
      '3 5m',
    ])
    const after = { anchors: [{ position: 0, draft: 0 }] }
    expect(marksOf(place([system('x'), system('y', long)], chat, after))).toEqual(['s1 1h', '0 5m', '3 5m'])
  })
})
