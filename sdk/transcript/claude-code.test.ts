import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../engine/json.ts'
import { DogearError } from '../errors.ts'
import { parseTranscript } from './transcript.ts'

let lines = 0

function user(content: unknown, more: object = {}) {
  return {
    type: 'user',
    uuid: `u${lines++}`,
    isSidechain: false,
    message: { role: 'user', content },
    ...more,
  }
}

function assistant(id: string, block: unknown, more: object = {}) {
  return {
    type: 'assistant',
    uuid: `a${lines++}`,
    isSidechain: false,
    message: {
      id,
      role: 'assistant',
      model: 'claude-haiku-4-5',
      content: [block],
      usage: { input_tokens: 9 },
    },
    ...more,
  }
}

const text = (value: string) => ({ type: 'text', text: value })
const call = (id: string) => ({ type: 'tool_use', id, name: 'read', input: { page: id } })
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: `page ${id}` })

function read(...log: unknown[]) {
  return parseTranscript(log.map((line) => JSON.stringify(line)).join('\n'))
}

describe('a Claude Code log', () => {
  it('is an Anthropic conversation with the model of its last answer', () => {
    const transcript = read(
      user('Read page one.'),
      assistant('m1', call('c1')),
      user([result('c1')], { toolUseResult: { file: 'one' } }),
      assistant('m2', text('Done.'), { requestId: 'r2' }),
    )
    expect(transcript).toEqual({
      format: 'anthropic',
      model: 'claude-haiku-4-5',
      request: { model: 'claude-haiku-4-5' },
      messages: [
        { role: 'user', content: 'Read page one.' },
        { role: 'assistant', content: [call('c1')] },
        { role: 'user', content: [result('c1')] },
        { role: 'assistant', content: [text('Done.')] },
      ],
      rounds: [1, 3],
    })
  })

  it('reads the same records from one JSON array, and one record alone', () => {
    const log = [user('Hello'), assistant('m1', text('Hi'))]
    expect(parseTranscript(JSON.stringify(log))).toEqual(read(...log))
    expect(read(log[0]).messages).toEqual([{ role: 'user', content: 'Hello' }])
  })

  it('joins the lines of one answer and the results of one fan', () => {
    const { messages } = read(
      user('Read both.'),
      assistant('m1', text('Reading.')),
      assistant('m1', call('c1')),
      assistant('m1', call('c2')),
      user([result('c1')]),
      user([result('c2')]),
    )
    expect(messages.slice(1)).toEqual([
      { role: 'assistant', content: [text('Reading.'), call('c1'), call('c2')] },
      { role: 'user', content: [result('c1'), result('c2')] },
    ])
  })

  it('joins a fan whose first result came before its last call', () => {
    const { messages, rounds } = read(
      user('Read both.'),
      assistant('m1', call('c1')),
      user([result('c1')]),
      assistant('m1', call('c2')),
      user([result('c2')]),
      assistant('m2', text('Both read.')),
    )
    expect(messages[1]).toEqual({ role: 'assistant', content: [call('c1'), call('c2')] })
    expect(messages[2]).toEqual({ role: 'user', content: [result('c1'), result('c2')] })
    expect(rounds).toEqual([1, 3])
  })

  it('puts a late result where its call waits for it, ahead of what was said there', () => {
    const { messages } = read(
      user('Read both.'),
      assistant('m1', call('c1')),
      user('Hurry up.'),
      assistant('m2', text('Still reading.')),
      user([result('c1')]),
    )
    expect(messages.slice(1)).toEqual([
      { role: 'assistant', content: [call('c1')] },
      { role: 'user', content: [result('c1'), text('Hurry up.')] },
      { role: 'assistant', content: [text('Still reading.')] },
    ])
  })

  it('alternates roles, whatever the log holds', () => {
    const { messages } = read(
      user('One.'),
      user([text('Two.'), { type: 'image', source: { type: 'url', url: 'https://example.test/a.png' } }]),
      assistant('m1', text('Three.')),
      assistant('m2', text('Four.')),
    )
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          text('One.'),
          text('Two.'),
          { type: 'image', source: { type: 'url', url: 'https://example.test/a.png' } },
        ],
      },
      { role: 'assistant', content: [text('Three.'), text('Four.')] },
    ])
  })

  it('leaves out what was never sent', () => {
    const { messages } = read(
      { type: 'file-history-snapshot', messageId: 'm0', snapshot: {} },
      { type: 'summary', summary: 'Greetings', leafUuid: 'a1' },
      { type: 'system', subtype: 'turn_duration', content: 'Took a while' },
      user('Hello'),
      { type: 'progress', data: { type: 'hook_progress' }, toolUseID: 'c1' },
      assistant('m1', text('Hi')),
      assistant('e1', text('The service is busy'), { isApiErrorMessage: true }),
      user('We greeted each other', { isCompactSummary: true }),
      user('Shown only', { isVisibleInTranscriptOnly: true }),
      { type: 'queue-operation', operation: 'enqueue', content: 'Bye' },
      user('Bye'),
    )
    expect(messages.map(({ content }) => content)).toEqual(['Hello', [text('Hi')], 'Bye'])
  })

  it('keeps what the client added to a user message, for the model read it', () => {
    expect(read(user('The folder has 3 files.', { isMeta: true }), user('Hello')).messages).toEqual([
      { role: 'user', content: [text('The folder has 3 files.'), text('Hello')] },
    ])
  })

  it('leaves out a sidechain, unless the log is one', () => {
    const side = [
      user('Find it', { isSidechain: true }),
      assistant('s1', text('Found'), { isSidechain: true }),
    ]
    expect(read(user('Hello'), ...side, assistant('m1', text('Hi'))).messages).toEqual([
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: [text('Hi')] },
    ])
    expect(read(...side).messages.map(({ content }) => content)).toEqual(['Find it', [text('Found')]])
  })

  it('takes a line or a result that stands there twice once', () => {
    const line = user('Hello')
    const { messages } = read(
      line,
      line,
      assistant('m1', call('c1')),
      user([result('c1')]),
      user([result('c1')]),
    )
    expect(messages).toEqual([
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: [call('c1')] },
      { role: 'user', content: [result('c1')] },
    ])
  })

  it('keeps every result that answers no call of the log', () => {
    const { messages } = read(user([{ type: 'tool_result' }, { type: 'tool_result' }, result('lost')]))
    expect(messages[0]?.content).toHaveLength(3)
  })

  it('passes over lines that say nothing, and ends where the log breaks off', () => {
    const broken: readonly JsonValue[] = [
      42,
      'noise',
      [1],
      null,
      { type: 'user', message: 'none' },
      { type: 'user' },
    ]
    const log = [...broken, user([]), user([7, null]), user('Hello'), user(['Plain'])]
    const source = `${log.map((line) => JSON.stringify(line)).join('\n')}\n{"type":"assistant","mess`
    expect(parseTranscript(source).messages).toEqual([
      { role: 'user', content: [text('Hello'), text('Plain')] },
    ])
  })

  it('names the model that answered last', () => {
    const other = { id: 'm2', model: 'claude-opus-4-6', content: [text('Bye')] }
    const log = [
      user('Hello'),
      assistant('m1', text('Hi')),
      user('Bye'),
      { type: 'assistant', message: other },
    ]
    expect(read(...log)).toMatchObject({ model: 'claude-opus-4-6', request: { model: 'claude-opus-4-6' } })
  })

  it('names no model where only the client answered', () => {
    const own = {
      type: 'assistant',
      message: { id: 's', model: '<synthetic>', content: [text('Nothing to do')] },
    }
    expect(read(user('Hello'), own)).toMatchObject({ request: {} })
    expect(read(user('Hello'), own)).not.toHaveProperty('model')
  })

  it('says what it looked for where nothing was said', () => {
    const empty = () =>
      read({ type: 'progress', sessionId: 's1' }, { type: 'user', sessionId: 's1', message: {} })
    expect(empty).toThrow(DogearError)
    expect(empty).toThrow(/2 records without any/)
  })
})
