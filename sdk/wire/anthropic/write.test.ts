import { describe, expect, it } from 'vitest'
import type { CompiledItem, NativeMessage } from '../../engine/format.ts'
import type { JsonObject } from '../../engine/json.ts'
import { contentBlocks, readMessage } from './entries.ts'
import { compose } from './write.ts'

const text = (said: string): JsonObject => ({ type: 'text', text: said })
const think = (said: string): JsonObject => ({ type: 'thinking', thinking: said, signature: 'c2ln' })
const redacted: JsonObject = { type: 'redacted_thinking', data: 'eA==' }
const call = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'look', input: {} })
const result = (id: string): JsonObject => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })
const user = (...content: readonly JsonObject[]): JsonObject => ({ role: 'user', content })
const assistant = (...content: readonly JsonObject[]): JsonObject => ({ role: 'assistant', content })

/** Items of a list; a text stands for a note, a message with ordinals for what is left of it. */
function itemsOf(...list: readonly (JsonObject | string | readonly [JsonObject, readonly number[]])[]) {
  let index = 0
  return list.map((entry): CompiledItem => {
    if (typeof entry === 'string') return { type: 'note', text: entry, index: index++ }
    const [native, left] = Array.isArray(entry) ? entry : [entry, undefined]
    const indexes = readMessage(native).drafts.map(() => index++)
    const kept = left ?? indexes.map((_, ordinal) => ordinal)
    return {
      type: 'message',
      native,
      snapshot: native,
      kept,
      indexes,
      whole: left === undefined,
      projection: null,
    }
  })
}

function composed(items: readonly CompiledItem[], changedFrom: number | null, model?: string) {
  const { messages, warnings } = compose(items, { model, changedFrom })
  for (const { native, snapshot } of messages) expect(native).toEqual(snapshot)
  return {
    messages: messages.map((message): NativeMessage => message.native),
    indexes: messages.map((message) => message.indexes),
    warnings,
  }
}

describe('compose', () => {
  describe('a message in part', () => {
    const answer = assistant(think('hm'), text('look'), call('a'), call('b'))

    it('keeps the blocks of the drafts that stay', () => {
      const { messages, indexes } = composed(itemsOf([answer, [0, 2]]), null)
      expect(messages).toEqual([assistant(think('hm'), text('look'), call('b'))])
      expect(indexes).toEqual([[0, 2]])
    })

    it('keeps the thinking that leads up to a call, without its answer', () => {
      const { messages, indexes } = composed(itemsOf([answer, [1]]), null)
      expect(messages).toEqual([assistant(think('hm'), call('a'))])
      expect(indexes).toEqual([[0, 1]])
    })

    it('is dropped where nothing or only thinking is left', () => {
      expect(composed(itemsOf([answer, []]), null).messages).toEqual([])
      expect(composed(itemsOf([assistant(think('hm'), redacted, call('a')), [0]]), null).messages).toEqual([])
    })

    it('keeps results or the words beside them', () => {
      const message = user(result('a'), result('b'), text('hurry'))
      expect(composed(itemsOf([message, [1]]), null)).toMatchObject({
        messages: [user(result('b'))],
        indexes: [[1]],
      })
      expect(composed(itemsOf([message, [0, 2]]), null)).toMatchObject({
        messages: [user(result('a'), text('hurry'))],
        indexes: [[0, 2]],
      })
    })
  })

  describe('a note', () => {
    it('[R258] stands in a message of its own as its own block', () => {
      const { messages, indexes } = composed(itemsOf(user(text('go')), 'folded', assistant(text('yes'))), 1)
      expect(messages).toEqual([user(text('go')), user(text('folded')), assistant(text('yes'))])
      expect(indexes).toEqual([[0], [1], [2]])
    })

    it('joins results before it, whose blocks stay the very same', () => {
      const results = user(result('a'), result('b'))
      const { messages, indexes } = composed(itemsOf(results, 'folded'), 1)
      expect(messages).toEqual([user(result('a'), result('b'), text('folded'))])
      expect(indexes).toEqual([[0, 1, 2]])
      expect(results).toEqual(user(result('a'), result('b')))
      expect(contentBlocks(messages[0] ?? null)[0]).toBe(contentBlocks(results)[0])
    })

    it('joins results after it, so that it never parts them from their calls', () => {
      const { messages, indexes } = composed(itemsOf(assistant(call('a')), 'folded', user(result('a'))), 1)
      expect(messages).toEqual([assistant(call('a')), user(result('a'), text('folded'))])
      expect(indexes).toEqual([
        [0, 1],
        [3, 2],
      ])
    })

    it('is written over the copy of a message that writes itself', () => {
      const copy = user(result('a'))
      const [item, note] = itemsOf(copy, 'folded')
      const native = { toJSON: () => copy } as unknown as JsonObject
      const items = item?.type === 'message' && note ? [{ ...item, native }, note] : []
      expect(compose(items, { model: undefined, changedFrom: 1 }).messages[0]?.native).toEqual(
        user(result('a'), text('folded')),
      )
    })

    it('stays by itself beside results that share their message with words', () => {
      const { messages } = composed(itemsOf(user(result('a'), text('hurry')), 'folded'), 1)
      expect(messages).toEqual([user(result('a'), text('hurry')), user(text('folded'))])
    })

    it('does not join another note', () => {
      const { indexes } = composed(itemsOf(user(result('a')), 'one', 'two'), 1)
      expect(indexes).toEqual([[0, 1], [2]])
    })
  })

  describe('thinking after a change', () => {
    const items = itemsOf(
      user(text('first')),
      assistant(think('1'), text('one')),
      user(text('second')),
      'folded',
      assistant(think('2'), text('two')),
      user(text('third')),
      assistant(think('3'), redacted, call('a')),
      user(result('a')),
      assistant(think('4'), call('b')),
      user(result('b')),
    )
    const thoughts = (messages: readonly NativeMessage[]) =>
      [...JSON.stringify(messages).matchAll(/"thinking":"(.)"/g)].map(([, said]) => said)

    it.each([
      'claude-opus-5-5',
      'claude-fable-5-1',
      'claude-mythos-5-2',
      'claude-haiku-5-5',
      'some-model',
      undefined,
    ])('is all dropped for %s', (model) => {
      const { messages, warnings } = composed(items, 3, model)
      expect(thoughts(messages)).toEqual(['1'])
      expect(JSON.stringify(messages)).not.toContain('redacted_thinking')
      expect(warnings.map(({ code, indexes }) => [code, indexes])).toEqual([['reasoning_dropped', [4, 6, 9]]])
    })

    it.each([
      'claude-3-7-sonnet-latest',
      'claude-sonnet-4-20250514',
      'claude-opus-4-8',
      'anthropic/claude-haiku-4.5',
    ])('is kept in the last turn for %s', (model) => {
      const { messages, warnings } = composed(items, 3, model)
      expect(thoughts(messages)).toEqual(['1', '3', '4'])
      expect(JSON.stringify(messages)).toContain('redacted_thinking')
      expect(warnings.map(({ indexes }) => indexes)).toEqual([[4]])
    })

    it('of the last turn too is dropped once a new one has begun', () => {
      const next = itemsOf(assistant(text('done')), user(text('fourth')))
      const { messages } = composed([...items, ...next], 3, 'claude-sonnet-4-5')
      expect(thoughts(messages)).toEqual(['1'])
    })

    it('stays where nothing changed', () => {
      const { messages, warnings } = composed(items, null, 'claude-opus-5-5')
      expect(thoughts(messages)).toEqual(['1', '2', '3', '4'])
      expect(warnings).toEqual([])
    })

    it('leaves the very messages that hold none', () => {
      const { messages } = composed(items, 0, 'claude-opus-5-5')
      const natives = items.flatMap((item) => (item.type === 'message' ? [item.native] : []))
      expect(messages[0]).toBe(natives[0])
    })

    it('takes with it a message that it empties', () => {
      const { messages } = composed(itemsOf(user(text('go')), assistant(think('1')), user(text('on'))), 0)
      expect(messages).toEqual([user(text('go')), user(text('on'))])
    })

    it('takes words that stand apart from results before them for the same turn', () => {
      const list = itemsOf(
        user(text('go')),
        assistant(think('1'), call('a')),
        user(result('a')),
        user(text('hurry')),
        assistant(think('2'), call('b')),
        user(result('b')),
      )
      expect(thoughts(composed(list, 0, 'claude-sonnet-4-5').messages)).toEqual(['1', '2'])
    })
  })

  describe('a system message in the list', () => {
    const system: JsonObject = { role: 'system', content: 'be brief' }

    it('moves behind what the user says where its answer has gone', () => {
      const { messages, indexes } = composed(
        itemsOf(user(text('one')), system, user(text('two')), assistant(text('yes'))),
        2,
      )
      expect(messages).toEqual([user(text('one')), user(text('two')), system, assistant(text('yes'))])
      expect(indexes).toEqual([[0], [2], [1], [3]])
    })

    it('moves behind a note', () => {
      const { messages } = composed(itemsOf(user(text('one')), system, 'folded'), 2)
      expect(messages).toEqual([user(text('one')), user(text('folded')), system])
    })

    it('waits for a user message where the results before it have gone', () => {
      const { messages } = composed(
        itemsOf(assistant(text('a')), system, assistant(text('b')), user(text('c')), assistant(text('d'))),
        0,
      )
      expect(messages.map((message) => (message as JsonObject).content)).toEqual([
        [text('a')],
        [text('b')],
        [text('c')],
        'be brief',
        [text('d')],
      ])
    })

    it('stays after an answer that the server has paused', () => {
      const paused = assistant({ type: 'server_tool_use', id: 's', name: 'web_search', input: {} })
      const list = itemsOf(user(text('go')), paused, system, assistant(text('b')))
      expect(composed(list, 0).messages).toEqual([user(text('go')), paused, system, assistant(text('b'))])
    })

    it('stays where it is before the change', () => {
      const list = itemsOf(user(text('one')), system, user(text('two')), 'folded')
      expect(composed(list, 3).messages[1]).toBe(system)
    })
  })

  it('drops a result of the server whose call has gone with an earlier answer', () => {
    const ran = { type: 'code_execution_tool_result', tool_use_id: 's', content: {} }
    const list = itemsOf(user(text('go')), 'folded', assistant(ran, text('done')), assistant(ran))
    expect(composed(list, 1).messages).toEqual([
      user(text('go')),
      user(text('folded')),
      assistant(text('done')),
    ])
    expect(composed(list, 1).warnings).toEqual([])
  })
})
