import { describe, expect, it } from 'vitest'
import { formats } from '../wire/detect.ts'
import { type Digest, ownName } from './digest.ts'
import type { CountedField, WireFormat } from './format.ts'
import {
  type Intake,
  type KnownField,
  type KnownMessage,
  takeIn,
  takeInFields,
  understand,
} from './intake.ts'
import { asksNothing, resumed, runPlan } from './plan.ts'

const wire = formats.find(({ format }) => format === 'openai-chat') as WireFormat

/** Names a text by itself, so that what was digested can be seen. */
const digest: Digest = () => {
  const own = ownName()
  return { add: own.add, end: () => `#${own.end()}` }
}

function take(list: readonly unknown[], previous: readonly (KnownMessage | undefined)[] = []): Intake {
  return runPlan(takeIn({ list, previous, wire, digest, listKey: 'messages' }), asksNothing)
}

function taken(list: readonly unknown[], previous?: readonly (KnownMessage | undefined)[]) {
  const intake = take(list, previous)
  if (intake.type !== 'taken') throw new TypeError(intake.fault.path)
  return intake.messages
}

const hello = { role: 'user', content: 'hé😀' }
const call = {
  role: 'assistant',
  content: 'Looking.',
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }],
}

const cyclic: { role: string; content?: unknown } = { role: 'user' }
cyclic.content = cyclic

describe('takeIn', () => {
  it('names a message by its JSON text, and its drafts by what they say', () => {
    const [message, answer] = taken([hello, call])
    const json = JSON.stringify(hello)
    expect(message).toMatchObject({ hash: `#${json}`, json, snapshot: hello, chars: [3] })
    expect(message?.keys).toEqual(message?.reading.drafts.map(({ matchText }) => `#${matchText}`))
    expect(answer?.reading.drafts.map(({ kind }) => kind)).toEqual(['answer', 'call'])
    expect(answer?.keys).toHaveLength(2)
    expect(new Set(answer?.keys).size).toBe(2)
    expect(answer?.chars[0]).toBe('Looking.'.length)
  })

  it('keeps a copy of its own', () => {
    const native = structuredClone(call)
    const [message] = taken([native])
    native.content = 'Changed.'
    expect(message?.snapshot).toEqual(call)
  })

  it('copies what JSON makes of a value', () => {
    const at = new Date(0)
    expect(taken([{ ...hello, at }])[0]?.snapshot).toEqual({ ...hello, at: at.toJSON() })
  })

  it('takes over what stands in the same place as before, and reads what does not', () => {
    const before = taken([hello, call])
    const again = taken([{ ...hello }, { ...call, content: 'Else.' }, hello], before)
    expect(again[0]).toBe(before[0])
    expect(again[1]).not.toBe(before[1])
    expect(again[1]?.snapshot).toMatchObject({ content: 'Else.' })
    expect(again[2]).toEqual(before[0])
    expect(taken([hello], [undefined])[0]).toEqual(before[0])
  })

  it.each([
    ['a cycle', cyclic, 'an object that holds itself'],
    ['a BigInt', { role: 'user', content: 1n }, 'a BigInt'],
    ['nothing', undefined, 'undefined'],
  ])('names the place of %s, whatever stood there before', (_what, native, actual) => {
    const fault = { path: 'messages[1]', expected: 'a value that JSON can hold', actual }
    expect(take([hello, native])).toEqual({ type: 'fault', fault })
    expect(take([hello, native], taken([hello, hello]))).toEqual({ type: 'fault', fault })
  })

  it('does not throw for what throws while it is compared', () => {
    const throwing = {
      role: 'user',
      get content(): string {
        throw new TypeError('words of the conversation')
      },
    }
    const intake = take([throwing], taken([hello]))
    expect(intake).toMatchObject({ type: 'fault', fault: { path: 'messages[0]' } })
    expect(JSON.stringify(intake)).not.toContain('words')
  })

  it('offers a pause now and then, also over messages that are known', () => {
    const pauses = (list: readonly unknown[], previous: readonly KnownMessage[]): number => {
      const plan = takeIn({ list, previous, wire, digest, listKey: 'messages' })
      let count = 0
      for (let step = plan.next(); !step.done; step = plan.next(resumed)) count++
      return count
    }
    const list = Array.from({ length: 400 }, () => hello)
    expect(pauses(list, [])).toBeGreaterThan(3)
    expect(pauses(list, taken(list))).toBe(3)
    expect(pauses([hello], [])).toBe(0)
  })
})

describe('understand', () => {
  it('reads from its text what was taken in', () => {
    const [message] = taken([call])
    expect(understand(JSON.stringify(call), wire, digest)).toEqual(message)
  })
})

describe('takeInFields', () => {
  const tools: CountedField = { type: 'value', key: 'tools', part: 'tools', value: [{ name: 'look' }] }
  const list: CountedField = { type: 'messages', key: 'messages' }

  function fieldsOf(fields: readonly CountedField[], previous: readonly KnownField[] = []) {
    const intake = takeInFields(fields, previous)
    if (intake.type !== 'taken') throw new TypeError(intake.fault.path)
    return intake.fields
  }

  it('copies the value of each counted key, in order', () => {
    const value = [{ name: 'look' }]
    const fields = fieldsOf([list, { ...tools, value }])
    value.pop()
    expect(fields).toEqual([
      { type: 'messages', key: 'messages' },
      { type: 'value', key: 'tools', part: 'tools', snapshot: [{ name: 'look' }], json: '[{"name":"look"}]' },
    ])
  })

  it('takes over a value that stayed equal, by its key', () => {
    const before = fieldsOf([list, tools])
    const system: CountedField = { type: 'value', key: 'system', part: 'system', value: [{ name: 'look' }] }
    const again = fieldsOf([system, { ...tools, value: [{ name: 'look' }] }], before)
    expect(again[1]).toBe(before[1])
    expect(again[0]).toMatchObject({ key: 'system', part: 'system' })
    const changed = fieldsOf([{ ...tools, value: [] }], before)
    expect(changed[0]).toMatchObject({ snapshot: [], json: '[]' })
  })

  it('names the key that JSON cannot hold', () => {
    expect(takeInFields([{ ...tools, value: [1n] as never }], [])).toEqual({
      type: 'fault',
      fault: { path: 'tools', expected: 'a value that JSON can hold', actual: 'a BigInt' },
    })
  })
})
