import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'

/** Who leaves out the ids of calls: nobody, the app in what it gives back, or both, as before version 3. */
export type GeminiIds = 'both' | 'calls' | 'none'

/**
 * A request of Chat Completions as one of Gemini: the first call of a step signed, results in one content, in the
 * order of their names. Every part of a result is a line of its output.
 */
export function asGemini(request: JsonObject, ids: GeminiIds): JsonObject {
  const contents: JsonObject[] = []
  const names = new Map<JsonValue | undefined, JsonValue | undefined>()
  let results: JsonObject[] = []
  const flush = (): void => {
    if (results.length > 0) contents.push({ role: 'user', parts: results.sort(byName) })
    results = []
  }
  for (const message of objects(request.messages)) {
    if (message.role === 'tool') {
      const id = message.tool_call_id
      const own = ids === 'both' ? { id } : {}
      const response = responseOf(textOf(message.content))
      results.push({ functionResponse: { ...own, name: names.get(id), response } })
      continue
    }
    flush()
    if (message.role === 'user') contents.push({ role: 'user', parts: partsOf(message.content) })
    if (message.role === 'assistant') contents.push(answer(message))
  }
  flush()
  const functionDeclarations = objects(request.tools).map((tool) => tool.function ?? {})
  return {
    systemInstruction: { parts: [{ text: 'You keep a small archive of notes.' }] },
    contents,
    tools: [{ functionDeclarations }],
  }

  function answer(message: JsonObject): JsonObject {
    const calls = objects(message.tool_calls).map((call, position): JsonObject => {
      const { name, arguments: written } = isObject(call.function) ? call.function : {}
      names.set(call.id, name)
      const own = ids === 'none' ? {} : { id: call.id }
      const functionCall = { ...own, name, args: JSON.parse(String(written)) }
      return position === 0 ? { functionCall, thoughtSignature: `signed-${call.id}` } : { functionCall }
    })
    return { role: 'model', parts: [...partsOf(message.content), ...calls] }
  }
}

function partsOf(content: JsonValue | undefined): readonly JsonObject[] {
  if (typeof content === 'string') return [{ text: content }]
  return objects(content).map(({ text, image_url: image }) =>
    isObject(image)
      ? { inlineData: { mimeType: 'image/png', data: String(image.url).replace(/^data:[^,]*,/, '') } }
      : { text },
  )
}

function textOf(content: JsonValue | undefined): string {
  return partsOf(content)
    .map(({ text }) => String(text))
    .join('\n')
}

function responseOf(content: string): JsonObject {
  return content.startsWith('Error') ? { error: content } : { output: content, lines: content.length }
}

function byName(left: JsonObject, right: JsonObject): number {
  const [one, other] = [left, right].map(({ functionResponse }) =>
    isObject(functionResponse) ? String(functionResponse.name) : '',
  )
  return String(one).localeCompare(String(other))
}

function objects(list: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}
