import type { JsonObject, JsonValue } from '../../engine/json.ts'
import type { Content, Part } from './script.ts'
import { contextParameters, type Speaker, system } from './speaker.ts'

/** Chat Completions: one message per result, and whatever is said beside results after them. */
export const openAiChatSpeaker: Speaker = {
  ask: ({ content }) => [{ role: 'user', content: written(content) }],
  answer: ({ content, calls }) => [
    {
      role: 'assistant',
      content: content === null ? null : written(content),
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map(({ id, name, input }) => ({
              id,
              type: 'function',
              function: { name, arguments: JSON.stringify(input) },
            })),
          }),
    },
  ],
  results: ({ calls, aside }) => [
    ...calls.flatMap(({ id, result }): readonly JsonObject[] =>
      result === null ? [] : [{ role: 'tool', tool_call_id: id, content: written(result.content) }],
    ),
    ...(aside === null ? [] : [{ role: 'user', content: aside }]),
  ],
  request: (messages, { contextTool }) => ({
    model: 'test-model',
    messages: [{ role: 'system', content: system }, ...messages],
    tools: [
      { type: 'function', function: { name: 'search', parameters: { type: 'object' } } },
      ...(contextTool
        ? [{ type: 'function', function: { name: 'context', parameters: contextParameters } }]
        : []),
    ],
  }),
}

function written(content: Content): JsonValue {
  return typeof content === 'string' ? content : content.map(partOf)
}

function partOf(part: Part): JsonObject {
  return part.type === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'image_url', image_url: { url: `data:image/png;base64,${part.data}` } }
}
