import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'

/** A Chat Completions body as a Responses body, in which every answer was thought about. */
export function asResponses({ messages, tools, ...request }: JsonObject): JsonObject {
  const list = objects(messages)
  return {
    ...request,
    reasoning: { effort: 'low' },
    input: list.flatMap((message, position) => itemsOf(message, position)),
    tools: objects(tools).map((tool) => ({
      type: 'function',
      ...(isObject(tool.function) ? tool.function : {}),
    })),
  }
}

function itemsOf(message: JsonObject, position: number): readonly JsonObject[] {
  const { role, content } = message
  if (role === 'tool')
    return [
      { type: 'function_call_output', call_id: message.tool_call_id, output: partsOf(content, 'input_text') },
    ]
  if (role !== 'assistant') return [{ role, content: partsOf(content, 'input_text') }]
  const says = typeof content === 'string' ? content !== '' : Array.isArray(content)
  const calls = objects(message.tool_calls)
  if (!says && calls.length === 0) return []
  return [
    { type: 'reasoning', id: `rs_${position}`, summary: [], encrypted_content: `cmVhc29uaW5n${position}` },
    ...(says
      ? [
          {
            type: 'message',
            id: `msg_${position}`,
            role: 'assistant',
            status: 'completed',
            content: Array.isArray(content)
              ? partsOf(content, 'output_text')
              : [{ type: 'output_text', text: content, annotations: [] }],
          },
        ]
      : []),
    ...calls.map((call, order) => ({
      type: 'function_call',
      id: `fc_${position}_${order}`,
      call_id: call.id,
      ...(isObject(call.function) ? call.function : {}),
    })),
  ]
}

function partsOf(content: JsonValue | undefined, textType: string): JsonValue | undefined {
  if (!Array.isArray(content)) return content
  return objects(content).map((part) =>
    part.type === 'image_url' && isObject(part.image_url)
      ? { type: 'input_image', image_url: part.image_url.url }
      : { type: textType, text: part.text },
  )
}

function objects(list: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}
