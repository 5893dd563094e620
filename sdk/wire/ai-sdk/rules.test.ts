import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../engine/json.ts'
import { lint } from './rules.ts'

const call = (toolCallId: string, more: JsonObject = {}): JsonObject => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'look',
  input: {},
  ...more,
})
const result = (toolCallId: string): JsonObject => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'look',
  output: { type: 'text', value: 'ok' },
})
const user: JsonObject = { role: 'user', content: [{ type: 'text', text: 'go' }] }
const system: JsonObject = { role: 'system', content: 'go on' }
const answer = (...content: readonly JsonObject[]): JsonObject => ({ role: 'assistant', content })
const results = (...ids: readonly string[]): JsonObject => ({ role: 'tool', content: ids.map(result) })
const faultsOf = (...prompt: readonly JsonObject[]) => lint({ prompt }).map(({ rule, path }) => [rule, path])

describe('calls and results', () => {
  it.each([
    ['a person', user],
    ['the system', system],
  ])('must be together before %s speaks', (_who, message) => {
    expect(faultsOf(user, answer(call('a')), message, results('a'))).toEqual([
      ['call_without_result', 'prompt[1].content[0]'],
      ['result_not_adjacent', 'prompt[3].content[0]'],
    ])
  })

  it('may have answers and further messages of results between them', () => {
    expect(faultsOf(user, answer(call('a')), answer(call('b')), results('b'), results('a'), user)).toEqual([])
  })

  it('may use an id again once it is answered', () => {
    expect(faultsOf(user, answer(call('a')), results('a'), answer(call('a')), results('a'))).toEqual([])
    expect(faultsOf(user, answer(call('a')), results('a'), answer(call('a')))).toEqual([
      ['call_without_result', 'prompt[3].content[0]'],
    ])
  })

  it("are the provider's own affair where it runs the tool", () => {
    const search = call('s', { providerExecuted: true })
    expect(faultsOf(user, answer(search), user)).toEqual([])
    expect(faultsOf(user, answer(search), user, answer(result('s')))).toEqual([])
    expect(faultsOf(user, answer(search), results('s'))).toEqual([])
    expect(faultsOf(user, answer(result('s'), search))).toEqual([
      ['result_without_call', 'prompt[1].content[0]'],
    ])
  })
})
