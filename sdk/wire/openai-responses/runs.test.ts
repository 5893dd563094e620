import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../engine/json.ts'
import builtInTools from './fixtures/built-in-tools.json'
import parallelTools from './fixtures/parallel-tools.json'
import { itemsOf } from './items.ts'
import { messagesOf } from './runs.ts'

const user: JsonObject = { role: 'user', content: 'go' }
const said: JsonObject = { type: 'message', role: 'assistant', content: 'x' }
const reasoning: JsonObject = { type: 'reasoning', id: 'rs_1', summary: [] }
const reference: JsonObject = { type: 'item_reference', id: 'fc_1' }
const unknown: JsonObject = { type: 'hologram', id: 'hg_1' }
const call = (id: string): JsonObject => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' })
const result = (id: string): JsonObject => ({ type: 'function_call_output', call_id: id, output: 'ok' })

/** Numbers of the items of each message. */
function sizes(...items: readonly JsonObject[]): readonly number[] {
  return messagesOf(items).map((message) => itemsOf(message).length)
}

describe('messagesOf', () => {
  it('makes one message of what came in one response, and one of everything else', () => {
    expect(sizes(user, reasoning, said, call('a'), call('b'), result('b'), result('a'), said, user)).toEqual([
      1, 4, 1, 1, 1, 1,
    ])
  })

  it('hands on the very items, a single one as itself', () => {
    const [first, run] = messagesOf([user, reasoning, said])
    expect(first).toBe(user)
    expect(run).toEqual([reasoning, said])
    expect(itemsOf(run ?? null)[0]).toBe(reasoning)
  })

  it.each([
    ['of a search', { type: 'web_search_call', id: 'ws_1' }],
    ['of a server behind MCP', { type: 'mcp_call', id: 'mcp_1', output: 'x' }],
    ['of tools that were listed', { type: 'mcp_list_tools', id: 'mcpl_1' }],
    ['of tools that were found', { type: 'tool_search_output', call_id: null, execution: 'server' }],
    ['of a tool of some later time', { type: 'dream_call', id: 'dr_1' }],
    ['of an unknown kind', unknown],
  ])('leaves an item %s in the response that it came in', (_what, item) => {
    expect(sizes(user, reasoning, item, said, user)).toEqual([1, 3, 1])
  })

  it.each([
    ['reasoning', reasoning],
    ['a search', { type: 'web_search_call', id: 'ws_1' }],
    ['tools that were listed', { type: 'mcp_list_tools', id: 'mcpl_1' }],
    ['tools that were found', { type: 'tool_search_output', call_id: null, execution: 'server' }],
    ['what another agent said', { type: 'agent_message', role: 'assistant', content: 'x' }],
  ])('lets %s begin a response', (_what, item) => {
    expect(sizes(user, item, said, user)).toEqual([1, 2, 1])
  })

  it('keeps the calls of a program and their results together, response by response', () => {
    const program = { type: 'program', id: 'p_1', call_id: 'p', code: 'f()' }
    const caller = { type: 'program', caller_id: 'p' }
    const output = { type: 'program_output', id: 'po_1', call_id: 'p', result: 'x' }
    const items = [
      user,
      program,
      { ...call('a'), caller },
      result('a'),
      { ...call('b'), caller },
      result('b'),
    ]
    expect(sizes(...items, output, said)).toEqual([1, 3, 2, 2])
  })

  it('leaves the output of a shell that runs at the provider in its response, and no other', () => {
    const shell = (type: string): JsonObject => ({
      type: 'shell_call',
      call_id: 's',
      environment: { type },
      action: {},
    })
    const output = { type: 'shell_call_output', call_id: 's', output: [] }
    expect(sizes(shell('container_reference'), output, said)).toEqual([3])
    expect(sizes(shell('local'), output, said)).toEqual([1, 1, 1])
    expect(sizes(shell('container_reference'), { ...output, call_id: 't' }, said)).toEqual([1, 1, 1])
  })

  it('makes a message of what holds for all that follows', () => {
    const items = ['configuration_update', 'compaction', 'additional_tools', 'compaction_trigger']
    for (const type of items) expect(sizes(reasoning, said, { type }, said)).toEqual([2, 1, 1])
  })

  it('lets an unknown item begin no answer, for the app may have put it there', () => {
    expect(sizes(user, unknown, said)).toEqual([1, 1, 1])
  })

  it('keeps a reference and the results that may answer it together', () => {
    expect(sizes(user, reasoning, reference, result('a'), result('b'), said, user)).toEqual([1, 4, 1, 1])
  })

  it.each([
    ['of calls', parallelTools.input],
    ['of built-in tools', builtInTools.input],
    ['of references', [user, reference, result('a'), { id: 'msg_1' }, user, reference, result('b')]],
  ])('keeps the messages of a list %s when it goes on', (_what, input) => {
    const items: readonly JsonObject[] = input
    const all = messagesOf(items)
    // A request leaves behind what the app says, never in the middle of a response.
    const ends = all.flatMap((message, place) => {
      const last = itemsOf(message).at(-1)
      return last && /output|user|approval_response/.test(`${last.type} ${last.role}`) ? [place + 1] : []
    })
    expect(ends.length).toBeGreaterThan(2)
    for (const end of ends) {
      const length = all.slice(0, end).flatMap(itemsOf).length
      expect(messagesOf(items.slice(0, length))).toEqual(all.slice(0, end))
    }
  })
})
