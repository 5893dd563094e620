import { describe, expect, it } from 'vitest'
import { withNote } from '../testing/made-entries.ts'
import { ask, call, lineOfMessages, say } from '../testing/stage-context.ts'
import { anthropic } from '../wire/anthropic/index.ts'
import { openAiChat } from '../wire/openai-chat/index.ts'
import { compileItems, firstChange, itemSignature } from './compile.ts'
import type { CompiledItem, WireFormat } from './format.ts'
import type { ProjectionRules } from './projection.ts'
import type { Entry, Line } from './record.ts'

type Message = Extract<CompiledItem, { type: 'message' }>

const plain: ProjectionRules = { contextTool: null }

/** The line with a note for some entries at a position of its view. */
function noted(line: Line, members: readonly number[], position: number): Line {
  const calls = [{ index: members.at(-1) ?? -1, function: 'read', arguments: '', outputChars: 5 }]
  return withNote(line, { members, calls }, position)
}

function compile(
  { line, sources }: ReturnType<typeof lineOfMessages>,
  changed: Line = line,
  rules: ProjectionRules = plain,
  wire: WireFormat = openAiChat,
): readonly CompiledItem[] {
  return compileItems({ line: changed, view: changed.view, sources, wire, rules }).items
}

/** `note`, or the record indexes that stay of a message. */
function shown(items: readonly CompiledItem[]): readonly (string | readonly number[])[] {
  return items.map((item) =>
    item.type === 'note' ? 'note' : item.kept.map((draft) => item.indexes[draft] ?? -1),
  )
}

// 0 ask, 1 answer with 2 and 3 its calls, 4 and 5 their results, 6 ask, 7 say.
const fan = lineOfMessages([
  ask('Go.'),
  ...call({ id: 'x', name: 'read', result: 'first' }, { id: 'y', name: 'read', result: 'other' }),
  ask('And?'),
  say('So.'),
])

const result = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content })

/** Two calls, then one message with both results and what the user said beside them, as entries 3, 4 and 5. */
const results = lineOfMessages(
  [
    {
      role: 'assistant',
      content: ['x', 'y'].map((id) => ({ type: 'tool_use', id, name: 'read', input: {} })),
    },
    {
      role: 'user',
      content: [result('x', 'short'), result('y', 'm'.repeat(3000)), { type: 'text', text: 'And?' }],
    },
  ],
  anthropic,
)

describe('what is sent of a view', () => {
  it('is every message of it, as the object that the app handed over', () => {
    const items = compile(fan)
    expect(shown(items)).toEqual([[0], [1, 2, 3], [4], [5], [6], [7]])
    expect(items[1]).toEqual({
      type: 'message',
      native: fan.sources.get(1)?.native,
      snapshot: fan.sources.get(1)?.known.snapshot,
      projection: null,
      kept: [0, 1, 2],
      indexes: [1, 2, 3],
      whole: true,
    })
  })

  it('is a part of a message where the view holds no more of it', () => {
    const view = [0, 2, 4, 6, 7]
    const items = compile(fan, { ...fan.line, view })
    expect(shown(items)).toEqual([[0], [2], [4], [6], [7]])
    expect(items[1]).toMatchObject({ kept: [1], indexes: [1, 2, 3], whole: false, projection: null })
  })

  it('is nothing of a slot, which the request carries by itself, and of what is not at hand', () => {
    const record = fan.line.record.map(
      (entry): Entry => (entry.index === 0 ? { ...entry, slot: true } : entry),
    )
    expect(shown(compile(fan, { ...fan.line, record }))[0]).toEqual([1, 2, 3])
    const sources = new Map([...fan.sources].filter(([first]) => first !== 6))
    expect(shown(compile({ ...fan, sources }))).toEqual([[0], [1, 2, 3], [4], [5], [7]])
  })

  it('[R188] names the results that no shortening brings under the bound', () => {
    const { line, sources } = results
    const rules = { contextTool: 'context', maxChars: 40 }
    expect(compileItems({ line, view: line.view, sources, wire: anthropic, rules }).unfit).toEqual([4])
    expect(compileItems({ line, view: line.view, sources, wire: anthropic, rules: plain }).unfit).toEqual([])
  })

  it('[R272] is named as before where a first round that it is no part of goes on with a bound of its own', () => {
    const list = ['x', 'y'].flatMap((id) => call({ id, name: 'read', result: id.repeat(5000) }))
    const long = lineOfMessages([ask('Go.'), ...list])
    const rules = { contextTool: 'context', maxChars: 1024 }
    const firstRound = {
      included: true,
      members: [0, 1, 2, 3],
      hash: 'h',
      ceiling: 1,
      budget: 1,
      counted: 1,
      scale: { reported: 1, counted: 1 },
      maxChars: 2048,
      projectionVersion: 1,
      at: 1,
      requestId: 'q',
    }
    const before = compile(long, long.line, rules).map(itemSignature)
    const after = compile(long, { ...long.line, firstRound }, rules).map(itemSignature)
    expect(after.with(2, '')).toEqual(before.with(2, ''))
    expect(after[2]).not.toBe(before[2])
  })

  it('names how a body is shortened, and is then not the object of the app', () => {
    const long = lineOfMessages([ask('Go.'), ...call({ id: 'x', name: 'read', result: 'm'.repeat(5000) })])
    const [, , cut] = compile(long, long.line, { contextTool: 'context', maxChars: 1024 })
    expect(cut).toMatchObject({ projection: expect.stringContaining('1024'), whole: true })
    expect((cut as Message).native).not.toBe(long.sources.get(3)?.native)
    expect((cut as Message).snapshot).toBe((cut as Message).native)
  })
})

describe('the place of a note', () => {
  it('is before the message that its first member stood in', () => {
    expect(shown(compile(fan, noted(fan.line, [2, 4], 2)))).toEqual([[0], 'note', [1, 3], [5], [6], [7]])
  })

  it('is before the message that is open of the round of its first member', () => {
    expect(shown(compile(fan, noted(fan.line, [4, 5], 4)))).toEqual([[0], 'note', [1, 2, 3], [6], [7]])
    const first = lineOfMessages([...call({ id: 'x', name: 'read', result: 'so' }), say('Well.')])
    expect(shown(compile(first, noted(first.line, [2], 2)))).toEqual(['note', [0, 1], [3]])
  })

  it('is behind a message of another round, and behind one of no round at all', () => {
    expect(shown(compile(fan, noted(fan.line, [7], 7)))).toEqual([[0], [1, 2, 3], [4], [5], [6], 'note'])
    const said = lineOfMessages([ask('a'), ask('b'), ask('c')])
    expect(shown(compile(said, noted(said.line, [1], 1)))).toEqual([[0], 'note', [2]])
    const work = lineOfMessages([...call({ id: 'x', name: 'read', result: 'so' }), say('Well.'), say('So.')])
    expect(shown(compile(work, noted(work.line, [3], 3)))).toEqual([[0, 1], [2], 'note', [4]])
  })

  it('is ahead of everything where its first member was', () => {
    expect(shown(compile(fan, noted(fan.line, [0], 0)))[0]).toBe('note')
  })

  it('is before the message that its first member stood in, also of no round', () => {
    expect(shown(compile(results, noted(results.line, [5], 5), plain, anthropic))).toEqual([
      [0, 1, 2],
      'note',
      [3, 4],
    ])
  })

  it('[R125] says that a size is the stored one where bodies are bound', () => {
    const text = (rules: ProjectionRules): string =>
      compile(fan, noted(fan.line, [2, 4], 2), rules).flatMap((item) =>
        item.type === 'note' ? item.text : [],
      )[0] ?? ''
    expect(text(plain)).toContain('read() -> 5 characters')
    expect(text({ ...plain, maxChars: 1024 })).toContain('read() -> stored output 5 characters')
  })
})

const message = (change: Partial<Message> = {}): Message => ({
  type: 'message',
  native: {},
  snapshot: {},
  kept: [0],
  indexes: [3],
  whole: true,
  projection: null,
  ...change,
})
const note = (index: number, text: string): CompiledItem => ({ type: 'note', index, text })

describe('the signature of what is sent', () => {
  it('is the same for the same entries in the same form, whatever object holds them', () => {
    expect(itemSignature(message({ native: { other: true } }))).toBe(itemSignature(message()))
    expect(itemSignature(note(7, 'abc'))).toBe(itemSignature(note(7, 'abc')))
  })

  it('is another for other entries, another form, and a note that lists something else', () => {
    const items = [
      message(),
      message({ indexes: [4] }),
      message({ kept: [1] }),
      message({ kept: [1, 12] }),
      message({ kept: [11, 2] }),
      message({ projection: 'cut' }),
      message({ projection: 'cut shorter' }),
      note(7, 'abc'),
      note(7, 'xyz'),
      note(7, 'abcd'),
      note(8, 'abc'),
    ]
    expect(new Set(items.map(itemSignature)).size).toBe(items.length)
  })
})

describe("the first change to the app's list", () => {
  const list = [message({ indexes: [0] }), message({ indexes: [1, 2] }), message({ indexes: [3] })]
  const order = [0, 1, 3]
  const withSecond = (second: CompiledItem): readonly CompiledItem[] => list.with(1, second as Message)

  it('is none where every message stands whole in its place', () => {
    expect(firstChange(list, order)).toBeNull()
    expect(firstChange([], [])).toBeNull()
  })

  it.each<[string, readonly CompiledItem[], number]>([
    ['a note', withSecond(note(7, 'n')), 1],
    ['part of a message', withSecond(message({ indexes: [1, 2], whole: false })), 1],
    ['a shortened message', withSecond(message({ indexes: [1, 2], projection: 'cut' })), 1],
    ['another message', withSecond(message({ indexes: [3] })), 1],
    ['a note ahead of everything', [note(7, 'n'), ...list.slice(1)], 0],
    ['a message too few', list.slice(0, 2), 2],
  ])('is where %s stands', (_what, items, position) => {
    expect(firstChange(items, order)).toBe(position)
  })
})
