import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../engine/json.ts'
import { lint } from './rules.ts'

const user: JsonObject = { role: 'user', content: 'go' }
const call: JsonObject = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' }
const result: JsonObject = { type: 'function_call_output', call_id: 'a', output: 'ok' }
const reasoning: JsonObject = { type: 'reasoning', id: 'rs_1', summary: [] }
const update: JsonObject = { type: 'configuration_update', reasoning: { effort: 'low' } }

describe('lint', () => {
  it.each([
    ['a result that is not next to its call', { input: [user, call, user, result] }],
    ['a result of a call that the provider holds', { previous_response_id: 'resp_1', input: [result] }],
    ['a result of a call in a conversation', { conversation: 'conv_1', input: [result] }],
    [
      'a result of a call that a reference may be',
      { input: [user, { type: 'item_reference', id: 'fc_1' }, result] },
    ],
    [
      'an approval that nobody gave',
      { input: [user, { type: 'mcp_approval_request', id: 'm', name: 'pay' }, user] },
    ],
    ['the output of a shell of the provider', { input: [user, ...shell(), user] }],
    ['reasoning before a reference', { input: [user, reasoning, { type: 'item_reference', id: 'msg_1' }] }],
    ['reasoning after reasoning', { input: [user, reasoning, reasoning, call, result] }],
    ['reasoning before what nobody knows', { input: [user, reasoning, { type: 'hologram' }, user] }],
    ['updates that something stands between', { input: [update, user, update, user] }],
    ['an update beside other edits', { input: [update, user], context_management: [{ type: 'other' }] }],
    ['a request to compact at the end', { input: [user, { type: 'compaction_trigger' }] }],
    [
      'results next to their calls for DeepSeek',
      { model: 'deepseek-chat', input: [user, call, result, user] },
    ],
    ['input that is text', { input: 'x' }],
    ['no input where something is continued', { previous_response_id: 'resp_1' }],
  ])('takes %s', (_what, request: JsonObject) => {
    expect(lint(request)).toEqual([])
  })

  it('faults a result of nothing once, whoever serves the model', () => {
    const rules = lint({ model: 'deepseek-chat', input: [user, result] }).map(({ rule }) => rule)
    expect(rules).toEqual(['result_without_call'])
  })
})

function shell(): readonly JsonObject[] {
  return [
    { type: 'shell_call', call_id: 's', environment: { type: 'container_reference' }, action: {} },
    { type: 'shell_call_output', call_id: 's', output: [] },
  ]
}
