import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from '../engine/json.ts'
import { lintRequest } from '../lint-request.ts'
import { type ConversationOptions, makeConversation, requestAt } from './conversation.ts'

const seeds = Array.from({ length: 12 }, (_, position) => position + 1)
const kinds = [
  { format: 'openai-chat' },
  { format: 'anthropic' },
  { format: 'anthropic', thinking: 'manual' },
  { format: 'anthropic', thinking: 'preserved' },
] as const

function varied(options: Pick<ConversationOptions, 'seed' | 'format' | 'thinking'>) {
  return makeConversation({ ...options, rounds: 40, contextTool: true, shapes: 'varied' })
}

function blocksOf(message: JsonObject): readonly JsonObject[] {
  const content = Array.isArray(message.content) ? message.content.filter(isObject) : []
  return content.flatMap((block) => [block, ...blocksOf(block)])
}

describe.each(kinds)('a varied conversation of %o', (kind) => {
  const all = seeds.map((seed) => varied({ seed, ...kind }))

  it('is the same for the same seed and another for another', () => {
    expect(varied({ seed: 3, ...kind })).toEqual(all[2])
    expect(all[1]).not.toEqual(all[2])
  })

  it('asks in every request, and goes on from each to the next', () => {
    for (const conversation of all) {
      for (const length of conversation.requests) {
        const { messages } = requestAt(conversation, length)
        const last = Array.isArray(messages) ? messages.at(-1) : undefined
        expect(isObject(last) && last.role).toMatch(/^(user|tool)$/)
      }
      expect(conversation.requests).toEqual([...new Set(conversation.requests)].sort((a, b) => a - b))
      expect(requestAt(conversation, conversation.requests.at(-1) ?? 0)).toEqual(conversation.request)
    }
  })

  it('has no fault but calls that nobody answered and empty texts', () => {
    const rules = all.flatMap(({ request }) => lintRequest(kind.format, request).map(({ rule }) => rule))
    expect(rules).toContain('call_without_result')
    for (const rule of new Set(rules)) expect(rule).toMatch(/^(call_without_result|empty_text)$/)
  })

  it('holds every shape', () => {
    const messages = all.flatMap(({ request }) => request.messages)
    const blocks = new Set(messages.flatMap(blocksOf).map(({ type }) => type))
    expect(blocks).toContain(kind.format === 'anthropic' ? 'image' : 'image_url')
    expect(blocks.has('thinking')).toBe('thinking' in kind)
    expect(blocks.has('redacted_thinking')).toBe('thinking' in kind)
    const text = JSON.stringify(messages)
    for (const part of ['<|endoftext|>', 'read_result', '\\"success\\"', '안녕하세요', '🧭', '\\ud83d'])
      expect(text).toContain(part)
    const most = Math.max(...messages.map(({ tool_calls, content }) => calls(tool_calls ?? content)))
    expect(most).toBeGreaterThan(12)
    expect(most).toBeLessThanOrEqual(16)
  })
})

function calls(list: JsonObject[string]): number {
  return Array.isArray(list)
    ? list.filter((item) => isObject(item) && /^(function|tool_use)$/.test(String(item.type))).length
    : 0
}
