import type { JsonObject, JsonValue } from '../../engine/json.ts'
import type { Content, Part, Thinking } from './script.ts'
import { contextParameters, type Speaker, system } from './speaker.ts'

/** Messages: all results of an answer in one user message, with whatever is said beside them as its last block. */
export const anthropicSpeaker: Speaker = {
  ask: ({ content }) => [{ role: 'user', content: written(content) }],
  answer: ({ thinking, content, calls }) => [
    {
      role: 'assistant',
      content:
        typeof content === 'string' && thinking === null && calls.length === 0
          ? content
          : [
              ...(thinking === null ? [] : [thinkingBlock(thinking)]),
              ...blocksOf(content),
              ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
            ],
    },
  ],
  results: ({ calls, aside }) => {
    const blocks = [
      ...calls.flatMap(({ id, result }): readonly JsonObject[] =>
        result === null
          ? []
          : [
              {
                type: 'tool_result',
                tool_use_id: id,
                content: written(result.content),
                ...(result.failed ? { is_error: true } : {}),
              },
            ],
      ),
      ...(aside === null ? [] : [{ type: 'text', text: aside }]),
    ]
    return blocks.length === 0 ? [] : [{ role: 'user', content: blocks }]
  },
  request: (messages, { contextTool, thinking }) => ({
    model: thinking === undefined ? 'test-model' : models[thinking],
    max_tokens: 1024,
    ...(thinking === undefined ? {} : thinkingOf[thinking]),
    system,
    messages,
    tools: [
      { name: 'search', input_schema: { type: 'object' } },
      ...(contextTool ? [{ name: 'context', input_schema: contextParameters }] : []),
    ],
  }),
}

/** One of each family whose thinking stays valid in its own way. */
const models = { manual: 'claude-sonnet-4-5', preserved: 'claude-opus-5' } as const

const thinkingOf = {
  manual: { max_tokens: 4096, thinking: { type: 'enabled', budget_tokens: 1024 } },
  preserved: { thinking: { type: 'adaptive' } },
} as const

function written(content: Content): JsonValue {
  return typeof content === 'string' ? content : content.map(blockOf)
}

function blocksOf(content: Content | null): readonly JsonObject[] {
  if (content === null) return []
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content.map(blockOf)
}

function blockOf(part: Part): JsonObject {
  return part.type === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'image', source: { type: 'base64', media_type: 'image/png', data: part.data } }
}

function thinkingBlock(thinking: Thinking): JsonObject {
  return thinking.type === 'open'
    ? { type: 'thinking', thinking: thinking.text, signature: thinking.signature }
    : { type: 'redacted_thinking', data: thinking.data }
}
