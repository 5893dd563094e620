import { describe, expect, it } from 'vitest'
import { DecidedChat } from '../testing/decided-chat.ts'
import { madeNote } from '../testing/made-entries.ts'
import { aiSdk } from '../wire/ai-sdk/index.ts'
import { compileRequest } from './compile-request.ts'
import type { DecidedRequest } from './decide.ts'
import type { JsonObject } from './json.ts'
import { MeasureMemory } from './measure.ts'
import { answerCounts, runPlan } from './plan.ts'
import { emptyLine } from './record.ts'

const text = (said: string, cache_control?: JsonObject): JsonObject => ({
  type: 'text',
  text: said,
  ...(cache_control && { cache_control }),
})
const short = { type: 'ephemeral' }
const long = { type: 'ephemeral', ttl: '1h' }
const ask = (...content: readonly JsonObject[]): JsonObject => ({ role: 'user', content })
const say = (...content: readonly JsonObject[]): JsonObject => ({ role: 'assistant', content })

/** Record indexes of the last entries of the messages that are marked. */
function marked({ messages }: DecidedRequest): readonly number[] {
  return messages.flatMap(({ snapshot, indexes }) =>
    JSON.stringify(snapshot).includes('cache_control') ? [indexes.at(-1) ?? -1] : [],
  )
}

const list = [ask(text('a')), say(text('b')), ask(text('c'))]
const off = { policy: { promptCaching: false } }

describe('a request that is compiled from a line', () => {
  it("[R15] is the app's own where nothing is changed and nothing marked", () => {
    const decided = new DecidedChat().send(list, { system: 'You look.', ...off })
    expect(decided.changed).toBe(false)
    expect([decided.fields.size, decided.leading.size]).toEqual([0, 0])
    expect(marked(decided)).toEqual([])
  })

  it('[R286] carries the marked system in place of its own, and nothing else of it', () => {
    const decided = new DecidedChat().send(list, { system: 'You look.' })
    expect([...decided.fields]).toEqual([['system', [text('You look.', long)]]])
    expect(decided.changed).toBe(true)
    // The first round is included, and its end is marked beside the last message's.
    expect(marked(decided)).toEqual([1, 2])
  })

  it('is changed by a mark on a message alone', () => {
    const decided = new DecidedChat().send(list)
    expect(decided.fields.size).toBe(0)
    expect(decided.changed).toBe(true)
  })

  it('is changed by a mark on the system alone', () => {
    const decided = new DecidedChat().send([ask(text('a', short))], { system: 'You look.' })
    expect(decided.changed).toBe(true)
    expect(marked(decided)).toEqual([0])
  })

  it('is changed where the view holds less than the list', () => {
    const chat = new DecidedChat()
    chat.decide(list, off)
    chat.line = { ...chat.line, view: [0, 2] }
    expect(chat.decide(list, off)).toMatchObject({ changed: true, messages: { length: 2 } })
  })

  it('[R286] carries the marked system of a format that keeps it at the head of the list', () => {
    const system = { role: 'system', content: 'You look.' }
    const kind = { role: 'system', content: 'You are kind.' }
    const decide = (leading: readonly JsonObject[]) =>
      runPlan(
        compileRequest(
          {
            wire: aiSdk,
            model: undefined,
            fields: [{ type: 'messages', key: 'prompt' }],
            leading,
            sources: new Map(),
            order: [],
            rules: { contextTool: null },
            placesMarks: true,
            endMark: null,
            memory: new MeasureMemory(),
          },
          emptyLine('line'),
        ),
        answerCounts((texts) => texts.map(({ length }) => length)),
      )
    const marked = { ...kind, providerOptions: { anthropic: { cacheControl: long } } }
    const decided = decide([system, kind])
    expect([...decided.leading]).toEqual([[1, marked]])
    expect(decided.changed).toBe(true)
    expect(decide([system, marked])).toMatchObject({ changed: false, leading: { size: 0 } })
  })

  it("moves the app's marks where what bore them is out of the view, with and without marks of our own", () => {
    const app = [ask(text('a')), say(text('b')), ask(text('c', long)), say(text('d')), ask(text('e'))]
    for (const [options, expected] of [
      [off, [1]],
      [{}, [1, 4]],
    ] as const) {
      const chat = new DecidedChat()
      chat.decide(app, options)
      chat.line = { ...chat.line, view: [0, 1, 3, 4] }
      const decided = chat.send(app, options)
      expect(marked(decided)).toEqual(expected)
      expect(JSON.stringify(decided.messages[1]?.snapshot)).toContain('"1h"')
    }
  })

  it('[R274] marks the end of the newest note of the view', () => {
    const chat = new DecidedChat()
    const longer = [...list, say(text('d')), ask(text('e')), say(text('f')), ask(text('g'))]
    chat.decide(longer, off)
    const record = [...chat.line.record, madeNote(7, { members: [3] }), madeNote(8, { members: [5] })]
    chat.line = { ...chat.line, record, view: [0, 1, 2, 7, 4, 8, 6] }
    const decided = chat.decide(longer, { ceiling: null })
    const ends = decided.messages.flatMap(({ snapshot }) => {
      const blocks = (snapshot as { content: readonly JsonObject[] }).content
      return blocks.filter((block) => block.cache_control).map((block) => String(block.text).slice(0, 7))
    })
    expect(ends).toEqual(['[Record', 'g'])
  })
})
