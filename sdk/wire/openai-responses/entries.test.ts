import { describe, expect, it } from 'vitest'
import type { NativeMessage } from '../../engine/format.ts'
import type { JsonObject } from '../../engine/json.ts'
import { readMessage } from './entries.ts'

function facts(message: NativeMessage) {
  return readMessage(message).drafts.map(({ matchText: _, ...draft }) => draft)
}

const said = (text: string): JsonObject => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
})

describe('readMessage', () => {
  it('reads a run as one answer and its calls', () => {
    const run = [
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }] },
      said('Let me look.'),
      { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'read', arguments: '{ "n": 1 }' },
      { type: 'custom_tool_call', id: 'ctc_1', call_id: 'b', name: 'valve', input: 'open' },
      said('And wait.'),
    ]
    expect(facts(run)).toEqual([
      { kind: 'answer', text: 'Let me look.\nAnd wait.' },
      { kind: 'call', callId: 'a', name: 'read', arguments: '{ "n": 1 }', text: 'read({ "n": 1 })' },
      { kind: 'call', callId: 'b', name: 'valve', arguments: 'open', text: 'valve(open)' },
    ])
    expect(readMessage(run).segments.map(({ owner }) => owner)).toEqual([0, 1, 2, 0])
  })

  it('reads a single call as an empty answer and the call', () => {
    expect(facts({ type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' })).toEqual([
      { kind: 'answer', text: '' },
      { kind: 'call', callId: 'a', name: 'f', arguments: '{}', text: 'f({})' },
    ])
  })

  it.each([
    [
      { type: 'computer_call', id: 'c', call_id: 'a', status: 'completed', action: { type: 'wait' } },
      'computer({"action":{"type":"wait"}})',
    ],
    [
      { type: 'local_shell_call', id: 'c', call_id: 'a', status: 'x', action: { command: ['ls'] } },
      'local_shell({"action":{"command":["ls"]}})',
    ],
    [
      { type: 'tool_search_call', call_id: 'a', execution: 'client', arguments: { goal: 'x' } },
      'tool_search({"goal":"x"})',
    ],
    [
      { type: 'mcp_approval_request', id: 'a', name: 'pay', server_label: 's', arguments: '{"sum":4}' },
      'pay({"sum":4})',
    ],
  ])('reads a call of a tool that the provider describes: %j', (item, text) => {
    expect(facts(item)[1]).toMatchObject({ kind: 'call', callId: 'a', text })
  })

  it.each([
    [{ type: 'function_call_output', call_id: 'a', output: '{"k":"v","n":2}' }, 'k: v\nn: 2'],
    [{ type: 'custom_tool_call_output', call_id: 'a', output: 'done' }, 'done'],
    [
      {
        type: 'function_call_output',
        call_id: 'a',
        output: [
          { type: 'input_text', text: 'see' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
        ],
      },
      'see\n[image]',
    ],
    [
      { type: 'computer_call_output', call_id: 'a', output: { type: 'computer_screenshot', file_id: 'f' } },
      '[image]',
    ],
    [{ type: 'local_shell_call_output', id: 'a', output: 'Monday' }, 'Monday'],
    [
      { type: 'mcp_approval_response', approval_request_id: 'a', approve: true },
      '{"approval_request_id":"a","approve":true}',
    ],
  ])('reads what the app answers: %j', (item, text) => {
    expect(facts(item)).toEqual([{ kind: 'result', callId: 'a', text }])
  })

  it.each([
    [{ type: 'apply_patch_call_output', call_id: 'a', status: 'failed', output: 'no' }, true],
    [{ type: 'function_call_output', call_id: 'a', output: 'Error: gone' }, true],
    [
      { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'Error: gone' }] },
      true,
    ],
    [{ type: 'function_call_output', call_id: 'a', output: 'fine' }, undefined],
  ])('knows a failed call from its result: %j', (item, failed) => {
    expect(facts(item)[0]?.failed).toBe(failed)
  })

  it('reads what a person said, in either form', () => {
    const instruction = { kind: 'instruction', text: 'go', startsTurn: true }
    expect(facts('go')).toEqual([instruction])
    expect(facts({ role: 'user', content: 'go' })).toEqual([instruction])
    expect(facts({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] })).toEqual([
      instruction,
    ])
  })

  it('does not take a role of some later time for a person', () => {
    expect(facts({ role: 'narrator', content: 'x' })[0]?.startsTurn).toBe(false)
  })

  it.each([
    [{ role: 'developer', content: 'Be brief.' }],
    [{ type: 'configuration_update', reasoning: { effort: 'low' } }],
    [{ type: 'compaction', encrypted_content: 'YQ==' }],
    [{ type: 'additional_tools', role: 'developer', tools: [] }],
    [{ type: 'hologram', depth: 3 }],
    [{ type: 'item_reference', id: 'fc_1' }],
    [{ type: 'program', call_id: 'p', code: 'x' }],
  ])('keeps %j where it is, whatever is folded', (item) => {
    expect(facts(item).map(({ kind }) => kind)).toEqual(['system'])
  })

  it('keeps what hangs on an item that only the provider holds with it', () => {
    const call = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' }
    const result = { type: 'function_call_output', call_id: 'a', output: 'x' }
    const byProgram = { ...call, caller: { type: 'program', caller_id: 'p' } }
    for (const run of [
      [{ id: 'fc_1' }, call, result],
      [byProgram, result],
    ])
      expect(facts(run).map(({ kind }) => kind)).toEqual(['system'])
  })

  it('takes what was said, and what was thought, for an answer where only the provider holds the words', () => {
    const call = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' }
    for (const id of ['msg_1', 'rs_1'])
      expect(facts([{ type: 'item_reference', id }, call]).map(({ kind }) => kind)).toEqual([
        'answer',
        'call',
      ])
  })

  it('never counts reasoning that is encrypted, or an image that was made', () => {
    const text = (message: NativeMessage) => readMessage(message).segments.map((segment) => segment.text)
    expect(text({ type: 'reasoning', encrypted_content: 'c2VjcmV0' }).join('')).not.toContain('c2VjcmV0')
    const image = { type: 'image_generation_call', id: 'ig_1', result: 'cGljdHVyZQ==' }
    expect(text(image).join('')).not.toContain('cGljdHVyZQ==')
    expect(readMessage(image).segments[0]?.media).toBeGreaterThan(0)
    expect(facts(image)[0]?.text).toBe('[image]')
  })
})
