/** In whose words a request is rejected for its length. `without-numbers`: Gemini still tells its limit. */
export type OverflowStyle =
  | 'openai'
  | 'openai-classic'
  | 'responses'
  | 'responses-in-stream'
  | 'openrouter-in-stream'
  | 'llama.cpp'
  | 'anthropic'
  | 'anthropic-with-output'
  | 'gemini'
  | 'without-numbers'

/** What one model of the provider can do. */
export interface ProviderModel {
  /** Largest input, in its own tokens. */
  readonly window: number
  /** Its own tokens for each one of o200k_base; 1. */
  readonly factor?: number
  /** Whose server it is, where that has words and rules of its own; OpenAI's where absent. */
  readonly server?: 'deepseek'
  /** Whether it signs its reasoning for all that stands before it, or wants that of the newest tool turn back. */
  readonly thinking?: 'preserved' | 'manual'
  /** Goes on with an answer that the request begins, as Claude did before 4.6. */
  readonly takesPrefill?: true
  /** Takes no system message among the others, as Claude did not before Opus 4.8. */
  readonly refusesSystemMessages?: true
  /** The format's own words where it is absent. */
  readonly overflow?: OverflowStyle
  /** Drops what is too long at the front without a word, as some servers do. */
  readonly truncatesSilently?: boolean
}
