import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { isThinking } from './reasoning.ts'

/** How Anthropic begins to say that the signature of some reasoning is of another conversation. */
const boundElsewhere = /^messages\.\d+\.content\.\d+: Invalid `signature` in `(?:redacted_)?thinking` block/

/** Without all reasoning, and without answers that held nothing else; null where that is not what the error asks for. */
export function withoutReasoning(request: JsonObject, error: unknown): JsonObject | null {
  const said = isObject(error) && isObject(error.error) ? error.error : {}
  if (said.type !== 'invalid_request_error' || typeof said.message !== 'string') return null
  const { messages } = request
  if (!boundElsewhere.test(said.message) || !Array.isArray(messages)) return null
  const list: readonly JsonValue[] = messages
  const rest = list.flatMap((message): readonly JsonValue[] => {
    if (!isObject(message) || !Array.isArray(message.content)) return [message]
    const blocks: readonly JsonValue[] = message.content
    const kept = blocks.filter((block) => !isThinking(block))
    if (kept.length === blocks.length) return [message]
    return kept.length === 0 ? [] : [{ ...message, content: kept }]
  })
  return { ...request, messages: rest }
}
