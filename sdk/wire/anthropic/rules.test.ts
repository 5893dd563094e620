import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../engine/json.ts'
import { lint } from './rules.ts'

const text = (said: string): JsonObject => ({ type: 'text', text: said })
const think: JsonObject = { type: 'thinking', thinking: 'hm', signature: 'c2ln' }
const call = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'look', input: {} })
const result = (id: string): JsonObject => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })
const user = (...content: readonly JsonObject[]): JsonObject => ({ role: 'user', content })
const assistant = (...content: readonly JsonObject[]): JsonObject => ({ role: 'assistant', content })
const chat = (model: string, ...messages: readonly JsonObject[]): JsonObject => ({ model, messages })
const enabled: JsonObject = { thinking: { type: 'enabled', budget_tokens: 1_024 } }
const search: JsonObject = { type: 'server_tool_use', id: 'srv', name: 'web_search', input: {} }
const go = user(text('go'))

describe('lint', () => {
  it.each<[string, JsonObject]>([
    [
      'results that two messages of one turn share',
      chat('claude-opus-4-8', go, assistant(call('a'), call('b')), user(result('a')), user(result('b'))),
    ],
    [
      'an answer that two messages share',
      chat('claude-opus-4-8', go, assistant(text('x')), assistant(call('a')), user(result('a'))),
    ],
    [
      'words after results',
      chat('claude-opus-4-8', go, assistant(call('a')), user(result('a'), text('and'))),
    ],
    ['a last answer to go on with', chat('claude-opus-4-5', go, assistant(text('Once')))],
    ['an empty last answer', chat('claude-haiku-4-5', go, assistant())],
    ['a last answer for a model that nobody knows', chat('some-model', go, assistant(text('Once')))],
    ['a turn that the server has paused', chat('claude-opus-4-8', go, assistant(text('x'), search))],
    [
      'a history that the server has shortened',
      chat('claude-opus-4-8', assistant({ type: 'compaction', content: 'so far' }), go),
    ],
    [
      'thinking that leads a turn of several calls',
      {
        ...chat(
          'claude-sonnet-4-5',
          go,
          assistant(think, call('a')),
          user(result('a')),
          assistant(call('b')),
          user(result('b')),
        ),
        ...enabled,
      },
    ],
    [
      'a turn without thinking where thinking is off',
      chat('claude-sonnet-4-5', go, assistant(call('a')), user(result('a'))),
    ],
    [
      'an earlier turn without thinking',
      {
        ...chat('claude-sonnet-4-5', go, assistant(call('a')), user(result('a')), assistant(text('x')), go),
        ...enabled,
      },
    ],
    [
      'a turn without thinking for a model that thinks as it likes',
      { ...chat('claude-opus-5-5', go, assistant(call('a')), user(result('a'))), ...enabled },
    ],
    [
      'a system message after the user, and a second with it',
      chat(
        'claude-opus-4-8',
        go,
        { role: 'system', content: 'x' },
        { role: 'system', content: 'y' },
        assistant(call('a')),
        user(result('a')),
      ),
    ],
    [
      'a system message that adds a tool',
      chat('claude-opus-4-8', go, { role: 'system', content: [{ type: 'tool_addition', tool: {} }] }),
    ],
    [
      'a result of the server in a later answer than its call',
      chat(
        'claude-opus-4-8',
        go,
        assistant({ ...search, name: 'code_execution' }, call('a')),
        user(result('a')),
        assistant({ type: 'code_execution_tool_result', tool_use_id: 'srv', content: {} }, text('x')),
        go,
      ),
    ],
    [
      'four cache marks, and others that are null',
      {
        ...chat(
          'claude-opus-4-8',
          user(...[1, 2, 3, 4].map(() => ({ ...text('x'), cache_control: {} })), {
            ...text('y'),
            cache_control: null,
          }),
        ),
      },
    ],
    [
      'an empty result',
      chat('claude-opus-4-8', go, assistant(call('a')), user({ ...result('a'), content: '' })),
    ],
  ])('takes %s', (_what, request) => {
    expect(lint(request)).toEqual([])
  })

  it('says what is wrong without a word of the conversation', () => {
    const faults = lint(chat('claude-opus-4-8', assistant(call('secret')), user(text('private'))))
    expect(faults).toHaveLength(2)
    expect(JSON.stringify(faults)).not.toMatch(/secret|private/)
  })
})
