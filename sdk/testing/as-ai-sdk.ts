import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'

/**
 * A Chat Completions body as the AI SDK's call options, as its middleware sees them: results of one round in one
 * message, JSON as values, images as bytes or, every second one, behind a URL; every answer is signed.
 */
export function asAiSdk({ messages, tools }: JsonObject): JsonObject {
  const prompt: JsonObject[] = []
  for (const [position, message] of objects(messages).entries()) {
    const last = prompt.at(-1)
    const next = messageOf(message, position)
    if (next.role === 'tool' && last?.role === 'tool')
      prompt[prompt.length - 1] = { ...last, content: [...objects(last.content), ...objects(next.content)] }
    else prompt.push(next)
  }
  return {
    prompt,
    tools: objects(tools).map(({ function: declared }) => {
      const { name, description, parameters } = isObject(declared) ? declared : {}
      return { type: 'function', name, description, inputSchema: parameters }
    }),
    providerOptions: undefined,
  }
}

function messageOf(message: JsonObject, position: number): JsonObject {
  const { role, content } = message
  if (role === 'system') return { role, content, providerOptions: undefined }
  if (role === 'tool') return { role, content: [resultOf(message)], providerOptions: undefined }
  const parts = partsOf(content, position)
  if (role !== 'assistant') return { role, content: parts, providerOptions: undefined }
  const reasoning = {
    type: 'reasoning',
    text: `Step ${position}.`,
    providerOptions: { anthropic: { signature: `c2lnbmVk${position}` } },
  }
  return { role, content: [reasoning, ...parts, ...objects(message.tool_calls).map(callOf)] }
}

function partsOf(content: JsonValue | undefined, position: number): readonly JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return objects(content).map((part, order) => {
    if (part.type !== 'image_url' || !isObject(part.image_url)) return { type: 'text', text: part.text }
    return { type: 'file', mediaType: 'image/png', data: imageOf(part.image_url.url, position + order) }
  })
}

/** What JSON cannot hold, as the specification wants it. */
function imageOf(url: JsonValue | undefined, count: number): JsonObject {
  const [, base64 = ''] = String(url).split(',')
  const bytes: unknown = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  const link: unknown = new URL(`https://pictures.example/${count}.png`)
  if (count % 2 === 1 && isObject(link)) return { type: 'url', url: link }
  return { type: 'data', ...(isObject(bytes) ? { data: bytes } : {}) }
}

function callOf({ id, function: called }: JsonObject): JsonObject {
  const { name, arguments: written } = isObject(called) ? called : {}
  return {
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: parsed(written),
    providerExecuted: undefined,
    providerOptions: undefined,
  }
}

function resultOf({ tool_call_id, content }: JsonObject): JsonObject {
  const value = typeof content === 'string' ? parsed(content) : content
  const output =
    typeof value === 'string'
      ? { type: 'text', value }
      : Array.isArray(content)
        ? { type: 'content', value: partsOf(content, 0) }
        : { type: 'json', value }
  return { type: 'tool-result', toolCallId: tool_call_id, toolName: 'unknown', output }
}

function parsed(text: JsonValue | undefined): JsonValue | undefined {
  if (typeof text !== 'string' || !text.startsWith('{')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function objects(list: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}
