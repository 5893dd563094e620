import type { JsonObject } from '../engine/json.ts'

/** A recorded conversation in its provider's own shape. */
export interface Conversation {
  readonly format: 'openai-chat' | 'anthropic'
  readonly model?: string
  /** The request body without its messages: system, tools, parameters. */
  readonly request: JsonObject
  /** The provider's own messages, to the end of the record. */
  readonly messages: readonly JsonObject[]
}
