import { describe, expect, it } from 'vitest'
import type { CompiledItem, NativeMessage } from '../../engine/format.ts'
import type { JsonObject } from '../../engine/json.ts'
import { readMessage } from './entries.ts'
import { compose, write } from './write.ts'

type MessageItem = CompiledItem & { readonly type: 'message' }

function whole(native: NativeMessage, first = 10): MessageItem {
  const kept = readMessage(native).drafts.map((_, ordinal) => ordinal)
  const indexes = kept.map((ordinal) => first + ordinal)
  return { type: 'message', native, snapshot: native, kept, indexes, whole: true, projection: null }
}

function cut(message: NativeMessage, kept: readonly number[]) {
  const item = { ...whole(message), kept, whole: false }
  const { messages, warnings } = compose([item], { model: undefined, changedFrom: 0 })
  const [written] = messages
  return { message: written?.native, indexes: written?.indexes, warnings: warnings.map(({ code }) => code) }
}

const reasoning = (id: string): JsonObject => ({
  type: 'reasoning',
  id,
  summary: [],
  encrypted_content: 'eA==',
})
const said = (id: string): JsonObject => ({
  type: 'message',
  id,
  role: 'assistant',
  phase: 'commentary',
  content: [{ type: 'output_text', text: id }],
})
const call = (id: string): JsonObject => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name: 'f',
  arguments: '{}',
})
const note: CompiledItem = { type: 'note', text: 'folded', index: 4 }
const notice: CompiledItem = { type: 'note', text: 'nearly full', index: null }

describe('compose', () => {
  const run = [reasoning('rs_1'), said('msg_1'), reasoning('rs_2'), call('a'), call('b')]

  it('takes reasoning out with the item that it led up to, and leaves the phase', () => {
    expect(cut(run, [0])).toEqual({ message: [run[0], run[1]], indexes: [10], warnings: [] })
  })

  it('keeps reasoning with a call whose answer went', () => {
    expect(cut(run, [1])).toEqual({ message: [run[2], run[3]], indexes: [10, 11], warnings: [] })
  })

  it('keeps the calls that stay', () => {
    expect(cut(run, [0, 1]).message).toEqual(run.slice(0, 4))
  })

  it('takes the name of an item whose reasoning went, and says so', () => {
    const { id: _, ...nameless } = call('b')
    expect(cut(run, [0, 2])).toEqual({
      message: [run[0], run[1], nameless],
      indexes: [10, 12],
      warnings: ['reasoning_dropped'],
    })
  })

  it('leaves the name of an item of a tool that must have one', () => {
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed' }
    expect(cut([reasoning('rs_1'), call('a'), search], [0]).message).toEqual(search)
  })

  it('takes several reasonings with the one item that follows them', () => {
    const both = [reasoning('rs_1'), reasoning('rs_2'), call('a'), said('msg_1')]
    expect(cut(both, [1]).message).toEqual(both.slice(0, 3))
    expect(cut([...both, reasoning('rs_3')], [1]).message).toEqual(both.slice(0, 3))
  })

  it('drops a run of which nothing but reasoning is left', () => {
    expect(cut([reasoning('rs_1'), call('a')], [0])).toEqual({
      message: undefined,
      indexes: undefined,
      warnings: [],
    })
  })

  it('writes a note as a message of the user', () => {
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'folded' }] }
    const { messages } = compose([note], { model: undefined, changedFrom: 0 })
    expect(messages).toEqual([{ native: item, snapshot: item, indexes: [4] }])
    expect(messages[0]?.native).not.toBe(messages[0]?.snapshot)
  })

  it('leaves text that is alone, and makes an item of it among others', () => {
    const natives = (items: readonly CompiledItem[]) =>
      compose(items, { model: undefined, changedFrom: null }).messages.map(({ native }) => native)
    expect(natives([whole('hi')])).toEqual(['hi'])
    expect(natives([whole('hi'), notice])[0]).toEqual({ role: 'user', content: 'hi' })
  })

  it('does not leave two updates of the configuration in a row, unless the app sent them so', () => {
    const [low, high] = ['low', 'high'].map((effort) => ({
      type: 'configuration_update',
      reasoning: { effort },
    }))
    const natives = (second: number, changedFrom: number) =>
      compose([whole(low ?? null, 3), whole(high ?? null, second)], {
        model: undefined,
        changedFrom,
      }).messages.map(({ native }) => native)
    expect(natives(9, 1)).toEqual([high])
    expect(natives(4, 0)).toEqual([low, high])
    expect(natives(9, 2)).toEqual([low, high])
  })

  it('says what it has to say ahead of a request to compact', () => {
    const trigger = { type: 'compaction_trigger' }
    const types = (items: readonly CompiledItem[]) =>
      compose(items, { model: undefined, changedFrom: 0 }).messages.map(({ snapshot }) =>
        JSON.stringify(snapshot).includes('nearly full') ? 'notice' : snapshot,
      )
    expect(types([whole(trigger), notice])).toEqual(['notice', trigger])
    const user = { role: 'user', content: 'x' }
    expect(types([whole(trigger), whole(user), notice])).toEqual([trigger, user, 'notice'])
  })
})

describe('write', () => {
  const read = {
    model: 'm',
    fields: [],
    leading: [{ role: 'system', content: 's' }],
    messages: [],
    tools: [],
  }

  it('replaces the list and nothing else, in the order of the keys', () => {
    const request = { model: 'm', input: [], tools: [{ type: 'function' }], store: false }
    const written = write(request, read, [{ role: 'user', content: 'u' }, [said('a'), call('b')]])
    expect(JSON.stringify(written)).toBe(
      JSON.stringify({
        ...request,
        input: [{ role: 'system', content: 's' }, { role: 'user', content: 'u' }, said('a'), call('b')],
      }),
    )
    expect(written.tools).toBe(request.tools)
  })

  it('leaves input that is text, and a request without any', () => {
    const none = { ...read, leading: [] }
    expect(write({ input: 'x', model: 'm' }, none, ['x'])).toEqual({ input: 'x', model: 'm' })
    expect(write({ previous_response_id: 'r' }, none, [])).toEqual({ previous_response_id: 'r' })
  })
})
