import { describeValue } from '../engine/describe-value.ts'
import { TokenizerError } from '../errors.ts'
import type { WorkerGiven } from './start-worker.ts'

const ENGINES = ['auto', 'wasm', 'script'] as const

export type TokenizerEngine = (typeof ENGINES)[number]

export interface TokenizerOptions {
  /**
   * `auto`, the default: the script counter, and in a worker WASM for long texts as soon as it is built. `wasm`: WASM
   * for all texts. `script`: no WASM. The counts are the same.
   */
  readonly engine?: TokenizerEngine
  /** The WASM of @dqbd/tiktoken's lite build, or where to fetch it, in place of the chunk that dogear ships. */
  readonly wasm?: URL | string | BufferSource | WebAssembly.Module
  /**
   * The vocabulary as @dqbd/tiktoken ships it, with its ranks in `bpe_ranks`, or where to fetch it as JSON, in place
   * of the chunk that dogear ships, which is smaller and ready sooner.
   */
  readonly ranks?: URL | string | object
  /**
   * A worker that runs `dogear/tokenizer/worker`, which dogear takes over and terminates; a function may be called
   * again to replace a worker that stopped working.
   */
  readonly worker?: WorkerGiven
}

/** Throws `invalid_argument` for an engine that is none. */
export function engineOf({ engine = 'auto' }: TokenizerOptions): TokenizerEngine {
  if (ENGINES.includes(engine)) return engine
  throw new TokenizerError({
    code: 'invalid_argument',
    message: `tokenizer.engine must be one of ${ENGINES.join(', ')}, not ${describeValue(engine)}`,
  })
}
