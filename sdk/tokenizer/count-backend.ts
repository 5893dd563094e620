import { TokenizerError } from '../errors.ts'
import type { WasmUse } from './messages.ts'
import type { WasmSource } from './wasm-counter.ts'

/** Something that counts, in a worker or on this thread. It is ready from the start. */
export interface CountBackend {
  /** The page stays free while it counts, and while WASM is built. */
  readonly offThread: boolean
  /** Tokens of each text, in order. Rejects with `tokenizer_crashed` where it must be replaced, or with `aborted`. */
  count(texts: readonly string[], signal?: AbortSignal): Promise<readonly number[]>
  /** Resolves once WASM counts; rejects where it cannot. */
  addWasm(wasm: WasmSource, use: WasmUse): Promise<void>
  /** What is not counted yet rejects. */
  close(): void
}

export function crashed(cause: unknown): TokenizerError {
  return new TokenizerError({
    code: 'tokenizer_crashed',
    message: `the tokenizer stopped working (${cause instanceof Error ? cause.message : String(cause)}); count again`,
    cause,
  })
}

export function abortedBy(signal: AbortSignal): TokenizerError {
  return new TokenizerError({ code: 'aborted', message: 'the count was aborted', cause: signal.reason })
}

export function closed(): TokenizerError {
  return new TokenizerError({
    code: 'tokenizer_unavailable',
    message: 'the tokenizer was closed; create another one to count',
  })
}
