import type { JsonObject } from '../engine/json.ts'

/** Bodies that no provider would take, and that must be answered all the same. */
export const hostileRequests: readonly (readonly [what: string, request: JsonObject])[] = [
  ['an empty object', {}],
  ['an empty list', { messages: [] }],
  ['a list that is none', { messages: 'hello' }],
  ['messages that are none', { messages: [null, 3, 'x', [], true] }],
  ['roles that are none', { messages: [{ role: 3, content: {} }, { content: 'x' }] }],
  [
    'content that is none',
    {
      messages: [
        { role: 'user', content: 5 },
        { role: 'assistant', content: [[]] },
      ],
    },
  ],
  ['calls that are none', { messages: [{ role: 'assistant', content: [null], tool_calls: [null, 1] }] }],
  [
    'blocks without anything',
    { messages: [{ role: 'user', content: [{}, { type: 4 }, { type: 'tool_result' }] }] },
  ],
  ['tools that are none', { messages: [{ role: 'user', content: '' }], tools: [null, 'x', { function: 4 }] }],
  ['blocks without an end', { messages: [{ role: 'user', content: nested('content', 1_500) }] }],
  [
    'tools without an end',
    {
      messages: [{ role: 'user', content: 'x' }],
      tools: [{ function: { name: 'x', parameters: nested('anyOf', 1_500)[0] ?? {} } }],
    },
  ],
  ['a prototype key', JSON.parse('{"messages":[{"role":"user","content":[{"__proto__":{"type":"text"}}]}]}')],
]

function nested(key: string, depth: number): readonly JsonObject[] {
  let list: readonly JsonObject[] = []
  for (let level = 0; level < depth; level++) list = [{ type: 'search_result', [key]: list }]
  return list
}
