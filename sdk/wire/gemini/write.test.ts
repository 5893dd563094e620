import { describe, expect, it } from 'vitest'
import type { CompiledItem } from '../../engine/format.ts'
import type { JsonObject } from '../../engine/json.ts'
import { listRequest, withoutEntries } from '../contract-lists.ts'
import { readMessage } from './entries.ts'
import { gemini } from './index.ts'
import { compose } from './write.ts'

const call = (name: string, thoughtSignature?: string): JsonObject => ({
  functionCall: { name, args: {} },
  ...(thoughtSignature === undefined ? {} : { thoughtSignature }),
})
const result = (name: string): JsonObject => ({ functionResponse: { name, response: { output: name } } })
const user = (...parts: readonly JsonObject[]): JsonObject => ({ role: 'user', parts })
const model = (...parts: readonly JsonObject[]): JsonObject => ({ role: 'model', parts })
const sentinel = 'skip_thought_signature_validator'

function cut(content: JsonObject, kept: readonly number[], name?: string) {
  const indexes = readMessage(content).drafts.map((_, ordinal) => 10 + ordinal)
  const item: CompiledItem = {
    type: 'message',
    native: content,
    snapshot: content,
    kept,
    indexes,
    whole: false,
    projection: null,
  }
  const before: CompiledItem = { type: 'note', text: 'x', index: 1 }
  const { messages, warnings } = compose([before, item], { model: name, changedFrom: 0 })
  return { message: messages[1], warnings }
}

describe('a content that lost drafts', () => {
  const step = model(
    { text: 'hm', thought: true },
    { text: 'Let me see.' },
    call('a', 'c2ln'),
    call('b'),
    call('c'),
  )

  it('keeps its signature with the call that carries it, and needs no warning', () => {
    const { message, warnings } = cut(step, [0, 1, 3])
    expect(message?.native).toEqual(model(...(step.parts as JsonObject[]).filter((_, at) => at !== 3)))
    expect(message?.indexes).toEqual([10, 11, 13])
    expect(warnings).toEqual([])
  })

  it('gets the sentinel on the call that is now the first, and says so', () => {
    const { message, warnings } = cut(step, [0, 2, 3])
    expect(message?.native).toEqual(
      model({ text: 'hm', thought: true }, { text: 'Let me see.' }, call('b', sentinel), call('c')),
    )
    expect(message?.snapshot).toEqual(message?.native)
    expect(warnings).toMatchObject([{ code: 'reasoning_dropped', indexes: [10] }])
  })

  it.each([
    ['a model that asks for none', step, [2], 'gemini-2.5-pro'],
    ['a step that had none', model(call('a'), call('b')), [2], 'gemini-3-pro-preview'],
    ['a call with one of its own', model(call('a', 'c2ln'), call('b', 'b3du')), [2], 'gemini-3-pro-preview'],
    ['a text that is left without calls', step, [0], undefined],
  ])('adds no sentinel for %s', (_what, content, kept, name) => {
    const { message, warnings } = cut(content, kept, name)
    expect(JSON.stringify(message?.native)).not.toContain(sentinel)
    expect(warnings).toEqual([])
  })

  it('keeps the thought that led to the calls that stay, and never by itself', () => {
    expect(cut(step, [1]).message).toMatchObject({
      native: model({ text: 'hm', thought: true }, call('a', 'c2ln')),
      indexes: [10, 11],
    })
    expect(cut(model({ text: 'hm', thought: true }, call('a')), [0]).message).toBeUndefined()
  })

  it('of the user keeps what is said beside results that go, and goes with its last part', () => {
    const results = user(result('a'), { text: 'and?' }, result('b'))
    expect(cut(results, [1, 2]).message).toMatchObject({
      native: user({ text: 'and?' }, result('b')),
      indexes: [11, 12],
    })
    expect(cut(results, []).message).toBeUndefined()
  })
})

describe('compose', () => {
  const request = {
    contents: [
      user({ text: 'one' }),
      model({ text: 'first' }),
      user({ text: 'two' }),
      model({ text: 'reading' }, call('a', 'c2ln')),
      user(result('a')),
      model(call('b', 'b3du')),
      user(result('b')),
    ],
  }
  const list = listRequest(gemini, request)
  const without = (gone: readonly number[], note?: string) => {
    const { items, changedFrom } = withoutEntries(list, new Set(gone), note)
    return compose(items, { model: undefined, changedFrom }).messages
  }
  const gap = user({ text: '[Messages that stood here were left out by the app.]' })

  it('writes a note as a content of the user, before the round of what it stands for', () => {
    const contents = without([3, 4, 5], 'Read a.').map(({ native }) => native)
    expect(contents.slice(2)).toEqual([
      user({ text: 'two' }),
      user({ text: 'Read a.' }),
      ...request.contents.slice(5),
    ])
    expect(gemini.lint({ contents })).toEqual([])
  })

  it('says once that something is gone where calls would follow an answer, for no provider takes that', () => {
    const messages = without([2])
    expect(messages.map(({ native }) => native)).toEqual([
      ...request.contents.slice(0, 2),
      gap,
      ...request.contents.slice(3),
    ])
    expect(messages[2]).toEqual({ native: gap, snapshot: gap, indexes: [] })
    expect(gemini.lint({ contents: messages.map(({ native }) => native) })).toEqual([])
    expect(without([4, 5])[4]?.native).toEqual(gap)
    expect(without([0, 1, 2])[0]?.native).toEqual(gap)
  })

  it('says nothing where answers only follow one another, or the user spoke before', () => {
    expect(without([1]).map(({ native }) => native)).toEqual(request.contents.toSpliced(1, 1))
    expect(without([2, 4, 5, 6, 7, 8])).toHaveLength(3)
  })

  it('leaves calls that the app itself put first as they are', () => {
    const own = { contents: [model(call('a')), user(result('a')), ...request.contents] }
    const { items, changedFrom } = withoutEntries(listRequest(gemini, own), new Set([4]))
    const { messages } = compose(items, { model: undefined, changedFrom })
    expect(messages.map(({ native }) => native)).toEqual(own.contents.toSpliced(3, 1))
  })

  it('leaves what the app itself put side by side as it is', () => {
    const own = {
      contents: [
        user({ text: 'x' }),
        model({ text: 'y' }),
        user({ text: 'z' }),
        model({ text: 'a' }),
        model(call('b')),
        user(result('b')),
      ],
    }
    const { items, changedFrom } = withoutEntries(listRequest(gemini, own), new Set([1]))
    const { messages } = compose(items, { model: undefined, changedFrom })
    expect(messages.map(({ native }) => native)).toEqual(own.contents.toSpliced(1, 1))
  })
})
