import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../engine/json.ts'
import { DogearError } from '../errors.ts'
import { parseTranscript } from './transcript.ts'

const weatherTool = { type: 'function', function: { name: 'forecast', parameters: { type: 'object' } } }

const chat = {
  model: 'gpt-4o',
  temperature: 0.2,
  tools: [weatherTool],
  messages: [
    { role: 'system', content: 'You plan picnics.' },
    { role: 'user', content: 'Is Sunday dry?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'forecast', arguments: '{"day":"Sunday"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'Dry until four.' },
    { role: 'assistant', content: 'Dry until four.' },
  ],
}

const messages = {
  model: 'claude-haiku-4-5',
  max_tokens: 400,
  system: 'You plan picnics.',
  messages: [
    { role: 'user', content: 'Is Sunday dry?' },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 't1', name: 'forecast', input: { day: 'Sunday' } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'Dry until four.' }] },
  ],
}

function formatOf(body: unknown): string {
  return parseTranscript(JSON.stringify(body)).format
}

function failure(text: string): DogearError {
  try {
    parseTranscript(text)
  } catch (error) {
    if (DogearError.isInstance(error)) return error
  }
  throw new Error('the text was read')
}

describe('request bodies', () => {
  it('reads an OpenAI Chat body with everything that is not a message', () => {
    const transcript = parseTranscript(JSON.stringify(chat))
    const { messages: list, ...request } = chat
    expect(transcript).toEqual({
      format: 'openai-chat',
      model: 'gpt-4o',
      request,
      messages: list,
      rounds: [2, 4],
    })
  })

  it('reads an Anthropic Messages body, and its last request has no answer yet', () => {
    const transcript = parseTranscript(JSON.stringify(messages))
    const { messages: list, ...request } = messages
    expect(transcript).toEqual({
      format: 'anthropic',
      model: 'claude-haiku-4-5',
      request,
      messages: list,
      rounds: [1, 3],
    })
  })

  it('tells the formats apart by what only one of them has', () => {
    const plain = [{ role: 'user', content: 'Hello' }]
    const block = (type: string) => [{ role: 'user', content: [{ type }] }]
    expect(formatOf({ messages: plain })).toBe('openai-chat')
    expect(formatOf({ messages: plain, model: 'anthropic/claude-haiku-4-5' })).toBe('openai-chat')
    expect(formatOf({ messages: plain, model: 'claude-haiku-4-5' })).toBe('anthropic')
    expect(formatOf({ messages: plain, system: '' })).toBe('anthropic')
    expect(formatOf({ messages: plain, anthropic_version: 'vertex-2023-10-16' })).toBe('anthropic')
    expect(formatOf({ messages: plain, tools: [{ name: 'forecast', input_schema: {} }] })).toBe('anthropic')
    expect(formatOf({ messages: plain, tools: [weatherTool], model: 'claude-haiku-4-5' })).toBe('openai-chat')
    expect(formatOf({ messages: block('tool_result') })).toBe('anthropic')
    expect(formatOf({ messages: block('image_url'), model: 'claude-haiku-4-5' })).toBe('openai-chat')
    expect(formatOf({ messages: [{ role: 'system', content: '' }, ...plain], model: 'claude-x' })).toBe(
      'openai-chat',
    )
  })

  it('keeps blocks, fields and roles that it does not know', () => {
    const strange = [
      { role: 'user', content: [{ type: 'hologram', depth: 3 }, 7, null], mood: 'curious' },
      { role: 'narrator', content: { nested: true } },
    ]
    expect(parseTranscript(JSON.stringify({ messages: strange })).messages).toEqual(strange)
  })

  it('keeps a result that answers no call, for the request to be judged with it', () => {
    const orphan = [
      { role: 'user', content: 'Hello' },
      { role: 'tool', tool_call_id: 'nobody', content: '42' },
    ]
    expect(parseTranscript(JSON.stringify({ messages: orphan }))).toMatchObject({
      messages: orphan,
      rounds: [2],
    })
  })

  it('reads a body after a byte order mark', () => {
    expect(parseTranscript(`\uFEFF${JSON.stringify(chat)}`).rounds).toEqual([2, 4])
  })
})

describe('rounds', () => {
  const rounds = (...roles: string[]) =>
    parseTranscript(JSON.stringify({ messages: roles.map((role) => ({ role, content: 'x' })) })).rounds

  it('has one before every answer', () => {
    expect(rounds('user', 'assistant', 'user', 'assistant')).toEqual([1, 3])
  })

  it('has a last one where the record ends before its answer', () => {
    expect(rounds('user', 'assistant', 'tool', 'tool')).toEqual([1, 4])
  })

  it('makes no request of nothing, nor of system messages alone', () => {
    expect(rounds('assistant', 'user')).toEqual([2])
    expect(rounds('system', 'developer', 'assistant', 'user', 'assistant')).toEqual([4])
    expect(failure(JSON.stringify({ messages: [{ role: 'system', content: 'x' }] })).code).toBe(
      'transcript_unreadable',
    )
    expect(failure(JSON.stringify({ messages: [{ role: 'assistant', content: 'x' }] })).code).toBe(
      'transcript_unreadable',
    )
  })
})

describe('a text that is no transcript', () => {
  const secret = 'my grandmother was a spy'
  const unreadable: readonly [what: string, text: string, says: string][] = [
    ['an empty file', ' \n', 'an empty text'],
    ['prose', secret, 'text that is not JSON on line 1'],
    ['a cut body', `{"messages":[{"role":"user","content":"${secret}`, 'text that is not JSON on line 1'],
    ['a JSON text', `"${secret}"`, 'a JSON string'],
    ['null', 'null', 'a JSON null'],
    ['a list of something else', `["${secret}"]`, 'a JSON list'],
    ['another object', `{"input":"${secret}"}`, 'an object without messages'],
    ['messages of the wrong kind', `{"messages":"${secret}"}`, 'messages to be a list'],
    ['an empty list', '{"messages":[]}', 'an empty list'],
    ['a message of the wrong kind', `{"messages":[{"role":"user"},"${secret}"]}`, 'messages[1]'],
    ['a message without a role', `{"messages":[{"content":"${secret}"}]}`, 'a role that is missing'],
    ['a broken line in a log', `{"type":"user"}\n${secret}\n{"type":"user"}`, 'on line 2'],
    [
      'a log without messages',
      `{"type":"summary","summary":"${secret}","leafUuid":"l1"}`,
      '1 records without any',
    ],
  ]

  it.each(unreadable)('says so for %s', (_, text, says) => {
    const error = failure(text)
    expect(error.code).toBe('transcript_unreadable')
    expect(error.message).toContain(says)
    expect(error.message).toMatch(/^transcript cannot be read: expected .+, got .+; .+/)
    expect(JSON.stringify([error.message, error.fields, error.cause ?? null])).not.toContain(secret)
  })

  it('ends in good time on hostile text', () => {
    expect(failure('['.repeat(2_000_000)).code).toBe('transcript_unreadable')
    expect(failure('{}\n'.repeat(200_000)).code).toBe('transcript_unreadable')
    expect(failure('\n'.repeat(2_000_000)).code).toBe('transcript_unreadable')
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(parseTranscript(`{"messages":[{"role":"user","content":${deep}}]}`).rounds).toEqual([1])
    const piece = { type: 'assistant', message: { id: 'a', content: [{ type: 'tool_use', id: 'c' }] } }
    const answer = { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'c' }] } }
    const lines: JsonObject[] = Array.from({ length: 100_000 }, (_, at) => (at % 2 === 0 ? piece : answer))
    expect(parseTranscript(lines.map((line) => JSON.stringify(line)).join('\n')).messages).toHaveLength(2)
  }, 20_000)
})
