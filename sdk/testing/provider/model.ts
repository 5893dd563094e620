/** In whose words a request is rejected for its length. */
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
  /** Whether it signs its reasoning for all that stands before it, or wants that of the newest tool turn back. */
  readonly thinking?: 'preserved' | 'manual'
  /** The format's own words where it is absent. */
  readonly overflow?: OverflowStyle
  /** Drops what is too long at the front without a word, as some servers do. */
  readonly truncatesSilently?: boolean
}
