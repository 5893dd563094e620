import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import type { ThinkingMode } from '../claude-thinking.ts'
import { isReasoningPart } from './parts.ts'

/** What OpenAI's reasoning and Gemini's are known by; neither minds what became of what stood before it. */
const unboundKeys = ['itemId', 'reasoningEncryptedContent', 'thoughtSignature']

/**
 * Reasoning that its provider signed, which Anthropic does over all that stands before it. Whatever else says
 * something to a provider is taken for a signature of some later kind; reasoning that says nothing is only text.
 */
export function isSignedReasoning(part: JsonValue): part is JsonObject {
  if (!isReasoningPart(part) || !isObject(part.providerOptions)) return false
  const options = Object.values(part.providerOptions).filter(isObject)
  return options.some((own) => {
    const keys = Object.keys(own).filter((key) => own[key] !== undefined && own[key] !== null)
    return keys.length > 0 && !keys.some((key) => unboundKeys.includes(key))
  })
}

/**
 * Position of the first message whose signed reasoning must stay although the list changed before it: what
 * follows the last message of a person, where a model wants its turn to begin with its thinking. What a person
 * says beside results begins no turn.
 */
export function keptReasoningFrom(messages: readonly JsonValue[], mode: ThinkingMode): number {
  if (mode === 'preserved') return messages.length
  let from = 0
  let isAsked = false
  let follows: 'answer' | 'results' = 'answer'
  for (const [position, message] of messages.entries()) {
    const role = isObject(message) ? message.role : undefined
    if (role === 'tool') follows = 'results'
    if (role === 'user' && follows !== 'results') isAsked = true
    if (role !== 'assistant') continue
    if (isAsked) from = position
    isAsked = false
    follows = 'answer'
  }
  return isAsked ? messages.length : from
}
