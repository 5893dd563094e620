import { describe, expect, it } from 'vitest'
import { assistant, long, marksOf, messagesOf, short, text, think, user } from '../testing/marked-messages.ts'
import { cacheMarks } from '../wire/anthropic/marks.ts'
import type { EntryEnd } from './entry-end.ts'
import type { CacheLifetime, WireMessage } from './format.ts'
import type { KnownField } from './intake.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { type MarkedRequest, placeMarks } from './marks.ts'

function fieldsOf(request: {
  readonly tools?: JsonValue
  readonly system?: JsonValue
}): readonly KnownField[] {
  const value = (key: 'system' | 'tools'): readonly KnownField[] => {
    const snapshot = request[key]
    return snapshot === undefined
      ? []
      : [{ type: 'value', key, part: key, snapshot, json: JSON.stringify(snapshot) }]
  }
  return [...value('system'), { type: 'messages', key: 'messages' }, ...value('tools')]
}

interface Asked {
  readonly tools?: JsonValue
  readonly system?: JsonValue
  readonly messages: readonly WireMessage[]
  readonly anchors?: readonly EntryEnd[]
  readonly endMark?: CacheLifetime
}

function place({ messages, anchors = [], endMark, ...request }: Asked): MarkedRequest {
  const fields = fieldsOf(request)
  return placeMarks({ marks: cacheMarks, fields, leading: [], messages, anchors, endMark: endMark ?? null })
}

const tools = [{ name: 'look' }, { name: 'run' }]
const chat = messagesOf(
  user(text('a')),
  assistant(text('b')),
  user(text('c')),
  assistant(text('d')),
  user(text('e')),
)
const round = { position: 1, draft: 0 }
const note = { position: 2, draft: 0 }

describe('marks of our own', () => {
  it('[R274, R286] stand at the end of the system for an hour, then of the first round, the newest note and the last message', () => {
    const placed = place({ tools, system: 'You look.', messages: chat, anchors: [round, note] })
    expect(marksOf(placed)).toEqual(['system 1h', '1 5m', '2 5m', '4 5m'])
  })

  it('stand at the end of the tools where there is no system, or an empty one', () => {
    expect(marksOf(place({ tools, messages: chat }))).toEqual(['tools 1h', '4 5m'])
    expect(marksOf(place({ tools, system: '', messages: chat }))).toEqual(['tools 1h', '4 5m'])
    expect(marksOf(place({ messages: chat }))).toEqual(['4 5m'])
  })

  it('[R274] leave out what there is none of', () => {
    expect(marksOf(place({ system: 'You look.', messages: chat, anchors: [note] }))).toEqual([
      'system 1h',
      '2 5m',
      '4 5m',
    ])
  })

  it('mark no block twice: a note or a round that is the last has one mark', () => {
    const last = { position: 4, draft: 0 }
    expect(marksOf(place({ system: 'x', messages: chat, anchors: [last, last] }))).toEqual([
      'system 1h',
      '4 5m',
    ])
  })

  it('stand before what is said once, which belongs to no entry', () => {
    const notice = user(text('The request is near its ceiling.'))
    const alone = [...chat, { native: notice, snapshot: notice, indexes: [] }]
    expect(marksOf(place({ messages: alone }))).toEqual(['4 5m'])
    const results = user({ type: 'tool_result', tool_use_id: 'x', content: 'ok' }, text('near'))
    const joined = [...chat, { native: results, snapshot: results, indexes: [5] }]
    const [marked] = place({ messages: joined }).messages.slice(-1)
    expect(marked?.snapshot).toEqual(
      user({ type: 'tool_result', tool_use_id: 'x', content: 'ok', cache_control: short }, text('near')),
    )
  })

  it('go back to the last block that may hold one', () => {
    const messages = messagesOf(user(text('a')), assistant(text('b')), { role: 'system', content: 'c' })
    expect(marksOf(place({ messages }))).toEqual(['1 5m'])
    expect(marksOf(place({ messages: messagesOf(user(text('a')), assistant(think)) }))).toEqual(['0 5m'])
    expect(marksOf(place({ messages: messagesOf(user(text(' '))) }))).toEqual([])
  })

  it('are not placed where nothing is sent, nor on what is no message', () => {
    expect(marksOf(place({ messages: [] }))).toEqual([])
    const odd = ['said', null].map((snapshot, index) => ({
      native: snapshot,
      snapshot,
      indexes: [index + 1],
    }))
    expect(marksOf(place({ system: null, messages: [...messagesOf(user(text('a'))), ...odd] }))).toEqual([
      '0 5m',
    ])
  })

  it('are handed over as what was measured', () => {
    const [marked] = place({ messages: messagesOf(user(text('a'))) }).messages
    expect(marked?.native).toBe(marked?.snapshot)
  })

  it('leave every other message and value as the object that it is', () => {
    const placed = place({ tools, system: 'x', messages: chat, anchors: [note] })
    for (const position of [0, 1, 3]) expect(placed.messages[position]).toBe(chat[position])
    expect(placed.fields.map((field) => (field.type === 'value' ? field.snapshot : null))[2]).toBe(tools)
  })

  it('make one object of one value, so that its count is known', () => {
    const fields = fieldsOf({ tools, system: 'x' })
    const again = (): MarkedRequest =>
      placeMarks({ marks: cacheMarks, fields, leading: [], messages: chat, anchors: [note], endMark: null })
    const [first, second] = [again(), again()]
    expect(second.fields.every((field, position) => field === first.fields[position])).toBe(true)
    expect(second.messages.every(({ snapshot }, at) => snapshot === first.messages[at]?.snapshot)).toBe(true)
    expect(first.fields[0]).not.toBe(fields[0])
  })
})

describe("marks of our own beside the app's", () => {
  const marked = (...positions: readonly number[]): readonly WireMessage[] =>
    messagesOf(
      ...chat.map(({ snapshot }, position) => {
        const { role, content } = snapshot as { role: string; content: readonly JsonObject[] }
        return {
          role,
          content: content.map((block) =>
            positions.includes(position) ? { ...block, cache_control: short } : block,
          ),
        }
      }),
    )

  it('fill the slots that are free, in their order, and never more than four', () => {
    const asked = { system: 'x', anchors: [round, note] }
    expect(marksOf(place({ ...asked, messages: marked(3) }))).toEqual(['system 1h', '1 5m', '2 5m', '3 5m'])
    expect(marksOf(place({ ...asked, messages: marked(0, 3) }))).toEqual([
      'system 1h',
      '0 5m',
      '1 5m',
      '3 5m',
    ])
    expect(marksOf(place({ ...asked, messages: marked(0, 2, 3) }))).toEqual([
      'system 1h',
      '0 5m',
      '2 5m',
      '3 5m',
    ])
    expect(marksOf(place({ ...asked, messages: marked(0, 1, 2, 3) }))).toEqual([
      '0 5m',
      '1 5m',
      '2 5m',
      '3 5m',
    ])
  })

  it('add none to a request that holds too many already', () => {
    const placed = place({ system: 'x', messages: marked(0, 1, 2, 3, 4) })
    expect(marksOf(placed)).toHaveLength(5)
  })

  it("leave a place to the app's mark, and its lifetime with it", () => {
    const system = [text('x', short)]
    const placed = place({ system, messages: marked(4), anchors: [note] })
    expect(marksOf(placed)).toEqual(['system 5m', '2 5m', '4 5m'])
  })

  it('take no slot and change nothing where the place is marked already', () => {
    const system = [text('x', short)]
    expect(marksOf(place({ system, messages: marked(0, 1) }))).toEqual(['system 5m', '0 5m', '1 5m', '4 5m'])
    expect(marksOf(place({ system: 'x', messages: marked(1, 2), anchors: [round, note] }))).toEqual([
      'system 1h',
      '1 5m',
      '2 5m',
      '4 5m',
    ])
    const fields = fieldsOf({ system })
    const messages = marked(2, 4)
    const placed = placeMarks({
      marks: cacheMarks,
      fields,
      leading: [],
      messages,
      anchors: [note],
      endMark: null,
    })
    expect(placed.fields[0]).toBe(fields[0])
    expect(placed.messages).toBe(messages)
  })

  it('do not mistake a value beside the prefix for one that is marked', () => {
    const snapshot = [0, 1, 2, 3].map((said) => text(`${said}`, short))
    const other: KnownField = { type: 'value', key: 'metadata', part: 'other', snapshot, json: '' }
    const placed = placeMarks({
      marks: cacheMarks,
      fields: [...fieldsOf({ system: 'x' }), other],
      leading: [],
      messages: chat,
      anchors: [],
      endMark: null,
    })
    expect(marksOf(placed)).toEqual(['system 1h', '4 5m'])
  })

  it('are short after a short one, for a longer one may not follow it', () => {
    const shortTools = [{ name: 'look', cache_control: short }]
    const placed = place({ tools: shortTools, system: 'x', messages: chat })
    expect(marksOf(placed)).toEqual(['tools 5m', 'system 5m', '4 5m'])
    expect(placed.messages.at(-1)?.snapshot).toEqual(user(text('e', short)))
  })

  it('are long before a long one, for a shorter one may not precede it', () => {
    const messages = [...chat.slice(0, 4), ...messagesOf(user(text('e', long)))]
    expect(marksOf(place({ system: 'x', messages, anchors: [note] }))).toEqual(['system 1h', '2 1h', '4 1h'])
  })

  it('stay away from where no lifetime would do', () => {
    const messages = messagesOf(
      user(text('a', short)),
      user(text('b')),
      user(text('c', long)),
      user(text('d')),
    )
    const placed = place({ messages, anchors: [{ position: 1, draft: 0 }] })
    expect(marksOf(placed)).toEqual(['0 5m', '2 1h', '3 5m'])
  })

  it('look at where a mark comes to stand, not at where it was wanted', () => {
    // The last message can hold none, and what stands before the long mark may not be short.
    const messages = messagesOf(user(text('a')), assistant(think), user(text('c', long)))
    const placed = place({ messages, anchors: [{ position: 1, draft: 0 }] })
    expect(marksOf(placed)).toEqual(['0 1h', '2 1h'])
  })

  it('leave the end of the request to the app that has it marked', () => {
    expect(marksOf(place({ system: 'x', messages: chat, anchors: [round, note], endMark: '5m' }))).toEqual([
      'system 1h',
      '1 5m',
      '2 5m',
    ])
    expect(marksOf(place({ system: 'x', messages: chat, anchors: [note], endMark: '1h' }))).toEqual([
      'system 1h',
      '2 1h',
    ])
    const three = marked(0, 1, 2)
    expect(marksOf(place({ system: 'x', messages: three, endMark: '5m' }))).toEqual(['0 5m', '1 5m', '2 5m'])
  })
})

describe('the order of marks inside of one message', () => {
  /** Three results as one message, marked for so long, then what was said next. */
  function fan(lifetimes: readonly (CacheLifetime | null)[], ...next: readonly JsonObject[]) {
    const results = lifetimes.map((lifetime, draft) => ({
      type: 'tool_result',
      tool_use_id: `${draft}`,
      content: 'ok',
      ...(lifetime && { cache_control: lifetime === '1h' ? long : short }),
    }))
    const whole = { native: user(...results), snapshot: user(...results), indexes: [0, 1, 2] }
    return [
      whole,
      ...next.map((snapshot, at) => ({ native: snapshot, snapshot, indexes: [3 + at] })),
    ] satisfies readonly WireMessage[]
  }
  const at = (position: number, draft: number) => ({ anchors: [{ position, draft }] })

  it('is that of its entries: long before a long one, short after one', () => {
    expect(marksOf(place({ messages: fan([null, null, '1h']), ...at(0, 0) }))).toEqual(['0 1h', '0 1h'])
    expect(marksOf(place({ messages: fan(['1h', null, null]), ...at(0, 2) }))).toEqual(['0 1h', '0 5m'])
  })

  it('counts before that of its entries: a later message is after every entry of an earlier one', () => {
    const messages = fan([null, null, '1h'], assistant(text('so')))
    expect(marksOf(place({ messages, ...at(1, 0) }))).toEqual(['0 1h', '1 5m'])
  })

  it('lets none stand behind a short one of the same entry and before a long one', () => {
    const messages = messagesOf(user(text('a', short), text('b')), user(text('c', long)))
    expect(marksOf(place({ messages, ...at(0, 0) }))).toEqual(['0 5m', '1 1h'])
  })
})
