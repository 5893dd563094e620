import { describe, expect, it } from 'vitest'
import { anthropic } from '../wire/anthropic/index.ts'
import { openAiResponses } from '../wire/openai-responses/index.ts'
import type { NativeMessage, WireFormat } from './format.ts'
import type { KnownField } from './intake.ts'
import type { JsonValue } from './json.ts'
import { countMessage, MeasureMemory, measureRequest } from './measure.ts'
import { measureChange } from './measure-change.ts'
import { answerCounts, type Plan, runPlan } from './plan.ts'
import type { Entry } from './record.ts'

/** Counts how often one sign stands in what is counted. */
function countSign<Result>(plan: Plan<Result>, sign: string): Result {
  return runPlan(
    plan,
    answerCounts((texts) => texts.map((text) => text.split(sign).length - 1)),
  )
}

const field = (key: string, part: 'system' | 'tools', snapshot: JsonValue): KnownField => ({
  type: 'value',
  key,
  part,
  snapshot,
  json: JSON.stringify(snapshot),
})

interface Asked {
  readonly wire: WireFormat
  readonly fields: readonly KnownField[]
  readonly leading?: readonly NativeMessage[]
  readonly list: readonly NativeMessage[]
}

function measure({ wire, fields, leading = [], list }: Asked, sign: string, memory = new MeasureMemory()) {
  const record = list.map((_, index): Entry => ({ index, kind: 'instruction', key: '', round: -1, chars: 1 }))
  const messages = list.map((snapshot, index) => ({ native: snapshot, snapshot, indexes: [index] }))
  const plan = measureRequest({ wire, model: undefined, fields, leading, messages, record, memory, held: 0 })
  return countSign(plan, sign)
}

const said = ['a', 'b', 'c'].map((content) => ({ role: 'user', content }))
const tools = [{ name: 'look', input_schema: {} }]
const messages: KnownField = { type: 'messages', key: 'messages' }
const input: KnownField = { type: 'messages', key: 'input' }
const system = { role: 'system', content: 's' }

describe('[R23, R28] the text that a request is counted by', () => {
  it.each<[string, Asked, JsonValue]>([
    [
      'fields and a list in their order',
      {
        wire: anthropic,
        fields: [field('system', 'system', 'You look.'), messages, field('tools', 'tools', tools)],
        list: said,
      },
      { system: 'You look.', messages: said, tools },
    ],
    ['the list alone', { wire: anthropic, fields: [messages], list: said }, { messages: said }],
    ['an empty list', { wire: anthropic, fields: [messages], list: [] }, { messages: [] }],
    [
      'one message',
      { wire: anthropic, fields: [messages], list: said.slice(0, 1) },
      { messages: said.slice(0, 1) },
    ],
    [
      'system messages ahead of the list',
      { wire: anthropic, fields: [messages], leading: [system], list: said },
      { messages: [system, ...said] },
    ],
    [
      'nothing but a system message',
      { wire: anthropic, fields: [messages], leading: [system], list: [] },
      { messages: [system] },
    ],
    [
      'a text in the place of a list',
      { wire: openAiResponses, fields: [input], list: ['Go on.'] },
      { input: 'Go on.' },
    ],
    [
      'a text as the only one of a list with a system message',
      { wire: openAiResponses, fields: [input], leading: [system], list: ['Go on.'] },
      { input: [system, 'Go on.'] },
    ],
  ])('is, sign by sign, the JSON of %s', (_what, asked, whole) => {
    const text = JSON.stringify(whole)
    for (const sign of new Set(`${text}[]{},:"`))
      expect([sign, measure(asked, sign).counted]).toEqual([sign, text.split(sign).length - 1])
  })

  it('is the same where the list was measured before under another head, another order or other indexes', () => {
    const memory = new MeasureMemory()
    const lists = [said, [...said].reverse(), said.slice(0, 2), said]
    for (const leading of [[], [system], []])
      for (const list of lists) {
        const asked = { wire: anthropic, fields: [messages], leading, list }
        const whole = JSON.stringify({ messages: [...leading, ...list] })
        expect(measure(asked, '"', memory).counted).toBe(whole.split('"').length - 1)
        expect(measure(asked, '"', memory).parts).toEqual(measure(asked, '"').parts)
      }
  })
})

describe('the difference that one message makes', () => {
  const change = (before: NativeMessage, after: NativeMessage, memory = new MeasureMemory()): number | null =>
    countSign(measureChange({ wire: anthropic, model: undefined, memory, before, after }), 'x')
  const user = (content: string): NativeMessage => ({ role: 'user', content })

  it('[R193] is that of the whole request, where both begin and end alike', () => {
    expect(change(user('one x here'), user('two x x here'))).toBe(1)
    expect(change(user('two x x here'), user('one x here'))).toBe(-1)
    const same = user('one x here')
    expect(change(same, same)).toBe(0)
  })

  it('is not known where they do not, nor of a message that has nothing between its ends', () => {
    expect(change(user('one x here'), { content: 'one x here', role: 'user' })).toBeNull()
    expect(change(user('one x here'), { role: 'user', content: 'one x here', weight: 7 })).toBeNull()
    expect(change('x', user('one x here'))).toBeNull()
    expect(change(user('one x here'), 'x')).toBeNull()
    expect(change('x', 'x')).toBeNull()
  })

  it('is remembered by the message: one that was counted is not asked for again', () => {
    const memory = new MeasureMemory()
    const message = user('one x here')
    const counted = countSign(countMessage(message, { wire: anthropic, model: undefined, memory }), 'x')
    expect(countSign(countMessage(message, { wire: anthropic, model: undefined, memory }), 'e')).toBe(counted)
    const text = countSign(countMessage('x y', { wire: anthropic, model: undefined, memory }), 'x')
    expect(text.media).toEqual([])
  })
})
