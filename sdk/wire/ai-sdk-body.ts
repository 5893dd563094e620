import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'

/** How far into the list signs are looked for. */
const messagesLookedAt = 8

/** Lists of other endpoints; a body that has one of them keeps its history there. */
const foreignLists = ['messages', 'input', 'contents']

const roles: ReadonlySet<JsonValue | undefined> = new Set(['system', 'user', 'assistant', 'tool'])

/** Whether a body is the AI SDK's call options, which keep their history in `prompt`. */
export function isAiSdkBody(request: JsonObject): boolean {
  const { prompt } = request
  if (!Array.isArray(prompt) || prompt.length === 0) return false
  if (foreignLists.some((key) => request[key] !== undefined)) return false
  return prompt.slice(0, messagesLookedAt).every(isMessage)
}

/** Endpoints that complete a text take lists of texts or tokens there. */
function isMessage(message: JsonValue): boolean {
  return isObject(message) && roles.has(message.role)
}
