import type { JsonObject, JsonValue } from '../../../engine/json.ts'
import type { Rejection } from '../dialect.ts'

export const text = (said: string): JsonObject => ({ type: 'text', text: said })
export const message = (role: string, ...content: readonly JsonObject[]): JsonObject => ({ role, content })
export const user = { role: 'user', content: 'go' }
export const said = message('assistant', text('yes'))
export const system = { role: 'system', content: 'Be short.' }
export const call = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'look', input: {} })
export const result = (id: string): JsonObject => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })
export const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's' }
export const serverCall = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }
export const serverResult = { type: 'web_search_tool_result', tool_use_id: 's', content: [] }
export const marked = (block: JsonObject, ttl: '5m' | '1h' = '5m'): JsonObject => ({
  ...block,
  cache_control: { type: 'ephemeral', ttl },
})
export const claude = (model: string, ...messages: readonly JsonValue[]): JsonObject => ({
  model,
  max_tokens: 9,
  messages,
})
export const older = (...messages: readonly JsonValue[]): JsonObject =>
  claude('claude-haiku-4-5', ...messages)
export const newer = (...messages: readonly JsonValue[]): JsonObject => claude('claude-opus-5', ...messages)
export const manual = (...messages: readonly JsonObject[]): JsonObject => ({
  ...older(...messages),
  thinking: { type: 'enabled', budget_tokens: 1024 },
})

export function rejected(message: string): Rejection {
  return { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } }
}
