import type { RequestCount } from './count-request.ts'
import type { Format } from './engine/format.ts'
import { loadTextCounter } from './tokenizer/load-text-counter.ts'
import type { TokenizerOptions } from './tokenizer/options.ts'
import { orUnavailable } from './tokenizer/or-unavailable.ts'

export type { RequestCount } from './count-request.ts'
export type { CountTokens, TokenizerProgress } from './ports.ts'
export type { TokenizerEngine, TokenizerOptions } from './tokenizer/options.ts'
export { createTokenizer } from './tokenizer/tokenizer.ts'

/** The exact counter by itself, on the thread that calls it. */
export interface Tokenizer {
  /** Tokens of the whole text in o200k_base; text that looks like a special token is ordinary text. */
  count(text: string): number
  /** Tokens of a request body by part. Texts that were counted before are not counted again. */
  countRequest(request: unknown, format?: Format): RequestCount
  /** Gives the memory back when nothing else of the page uses it; counting afterwards throws. */
  dispose(): void
}

/**
 * Loads the exact counter for this thread. Rejects with `tokenizer_unavailable` where it cannot be loaded; the next
 * call tries again. To count off this thread use `createTokenizer`.
 */
export async function loadTokenizer(options?: TokenizerOptions): Promise<Tokenizer> {
  // A chunk of its own: whoever counts texts in a worker needs no request formats.
  const { createRequestCounter } = await orUnavailable('counter', import('./count-request.ts'))
  const { count, dispose } = await loadTextCounter(options)
  return { count, countRequest: createRequestCounter(count), dispose }
}
