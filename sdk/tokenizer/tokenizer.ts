import type { CountTokens, TokenizerProgress } from '../ports.ts'
import { closed } from './count-backend.ts'
import { type Fallback, Ladder } from './ladder.ts'
import { mustBeText } from './must-be-text.ts'
import type { TokenizerOptions } from './options.ts'
import { SharedByOptions } from './shared-by-options.ts'
import { unlessAborted } from './unless-aborted.ts'

export type { TokenizerEngine, TokenizerOptions } from './options.ts'

/** The one thing in dogear that is shared by a page: its tokenizers, each with its worker. */
const pageTokenizers = new SharedByOptions(
  (options) => new Ladder(options),
  (ladder) => ladder.close(),
)

/**
 * Counts in a worker where there can be one, else on this thread in short slices. Loads nothing until it is asked to,
 * and shares what it loads with every tokenizer of the page that was made with the same options.
 */
export function createTokenizer(options: TokenizerOptions = {}): CountTokens {
  return new PageTokenizer(options)
}

class PageTokenizer implements CountTokens {
  readonly #ladder: Ladder
  readonly #end = new AbortController()

  constructor(options: TokenizerOptions) {
    this.#ladder = pageTokenizers.take(options)
  }

  get ready(): boolean {
    return !this.#end.signal.aborted && this.#ladder.ready
  }

  get exact(): boolean {
    return this.#ladder.exact
  }

  async load(): Promise<void> {
    this.#mustBeOpen()
    await this.#ladder.load()
  }

  async count(texts: readonly string[], signal?: AbortSignal): Promise<readonly number[]> {
    this.#mustBeOpen()
    texts.forEach(mustBeText)
    try {
      return await unlessAborted(this.#ladder.count(texts, signal), this.#end.signal)
    } catch (cause) {
      throw this.#end.signal.aborted ? closed() : cause
    }
  }

  onProgress(listener: (progress: TokenizerProgress) => void): () => void {
    return this.#listen(this.#ladder.onProgress, listener)
  }

  onFallback(listener: (fallback: Fallback) => void): () => void {
    return this.#listen(this.#ladder.onFallback, listener)
  }

  async close(): Promise<void> {
    if (this.#end.signal.aborted) return
    this.#end.abort()
    pageTokenizers.release(this.#ladder)
  }

  #listen<Value>(listeners: Set<(value: Value) => void>, listener: (value: Value) => void): () => void {
    // A function of its own: the ladder is shared, and so may the app's listener be.
    const own = (value: Value): void => listener(value)
    const stop = (): void => void listeners.delete(own)
    listeners.add(own)
    this.#end.signal.addEventListener('abort', stop)
    return stop
  }

  #mustBeOpen(): void {
    if (this.#end.signal.aborted) throw closed()
  }
}
