import { estimateTokens } from '../engine/byte-bound.ts'
import { DogearError, type DogearErrorCode } from '../errors.ts'
import type { TokenizerProgress } from '../ports.ts'
import { abortedBy, type CountBackend, closed } from './count-backend.ts'
import type { GivenRanks } from './given-ranks.ts'
import type { IdleWorker } from './idle-worker.ts'
import { engineOf, type TokenizerEngine, type TokenizerOptions } from './options.ts'
import { orUnavailable } from './or-unavailable.ts'
import { ranksFrom, wasmFrom } from './sources.ts'
import { unlessAborted } from './unless-aborted.ts'

export interface Fallback {
  readonly from: 'worker' | 'wasm' | 'script'
  readonly to: 'inline' | 'script' | 'estimate'
  readonly cause: unknown
}

/** Times that counting the same texts may crash before they go a rung lower. */
const CRASHES = 2

/**
 * One tokenizer with its rungs: WASM, the script counter, a flagged estimate; in a worker, or on this thread where
 * there can be none. A rung that fails says why, and its texts go to the next one. What could not be loaded is
 * loaded again on the next use; WASM that is blocked, or crashed twice, is given up.
 */
export class Ladder {
  readonly onProgress = new Set<(progress: TokenizerProgress) => void>()
  readonly onFallback = new Set<(fallback: Fallback) => void>()
  readonly #options: TokenizerOptions
  readonly #engine: TokenizerEngine
  #starting: Promise<CountBackend> | undefined
  #backend: CountBackend | undefined
  #ready = false
  #wasmAllowed: boolean
  #addingWasm: Promise<void> | undefined
  #buildCrashes = 0
  #workerTaken = false
  /** The rungs whose fall was told and that have not worked since. */
  readonly #fallen = new Set<Fallback['from']>()
  #exact = true
  #closed = false

  constructor(options: TokenizerOptions) {
    this.#options = options
    this.#engine = engineOf(options)
    this.#wasmAllowed = this.#engine !== 'script'
  }

  get ready(): boolean {
    return this.#ready
  }

  get exact(): boolean {
    return this.#exact
  }

  /** Rejects where the ranks cannot be loaded, which leaves estimates until they can. */
  async load(): Promise<void> {
    try {
      await this.#use()
    } catch (cause) {
      if (hasCode(cause, 'tokenizer_unavailable') && !this.#closed) this.#fallToEstimates(cause)
      throw cause
    }
  }

  /** Rejects with `aborted`, or after `close`; every other failure ends on a lower rung. */
  async count(texts: readonly string[], signal?: AbortSignal): Promise<readonly number[]> {
    if (texts.length === 0) return []
    for (let crashes = 1; ; crashes++) {
      const withWasm = this.#wasmAllowed
      const outcome = await this.#attempt(texts, signal)
      if (outcome.type === 'counted') {
        this.#exact = true
        return outcome.tokens
      }
      if (outcome.type === 'unavailable') return this.#estimate(texts, outcome.cause)
      if (crashes % CRASHES !== 0) continue
      if (!withWasm) return this.#estimate(texts, outcome.cause)
      this.#giveUpWasm(outcome.cause)
    }
  }

  close(): void {
    this.#closed = true
    this.#ready = false
    this.#backend?.close()
  }

  async #attempt(texts: readonly string[], signal: AbortSignal | undefined): Promise<Outcome> {
    if (signal?.aborted) throw abortedBy(signal)
    let backend: CountBackend
    try {
      backend = await unlessAborted(this.#use(), signal)
    } catch (cause) {
      if (this.#closed || hasCode(cause, 'aborted')) throw cause
      return { type: hasCode(cause, 'tokenizer_crashed') ? 'crashed' : 'unavailable', cause }
    }
    try {
      return { type: 'counted', tokens: await backend.count(texts, signal) }
    } catch (cause) {
      if (this.#closed || hasCode(cause, 'aborted')) throw cause
      this.#discard(backend)
      return { type: 'crashed', cause }
    }
  }

  /** What counts now: started where there is nothing yet, and given WASM, again where it could not be loaded before. */
  async #use(): Promise<CountBackend> {
    if (this.#closed) throw closed()
    this.#starting ??= this.#start()
    const backend = await this.#starting
    // On this thread WASM would cost the page a second in one piece, so there it is for the app to ask.
    if (this.#wasmAllowed && (this.#engine === 'wasm' || backend.offThread)) {
      this.#addingWasm ??= this.#addWasm(backend)
      if (this.#engine === 'wasm' && !this.#ready) await this.#addingWasm
      // It crashed meanwhile: there will be another one, in the end without WASM.
      if (this.#backend !== backend) return this.#use()
    }
    this.#ready = true
    return backend
  }

  async #start(): Promise<CountBackend> {
    const starting = this.#startWorker()
    try {
      const ranks = await ranksFrom(this.#options)
      this.#report({ phase: 'ranks', engine: 'script' })
      const worker = await starting
      const backend = worker ? await worker.begin(ranks) : await startInline(ranks)
      if (this.#closed) {
        backend.close()
        throw closed()
      }
      this.#backend = backend
      this.#exact = true
      this.#fallen.delete('script')
      this.#report({ phase: 'ready', engine: 'script' })
      return backend
    } catch (cause) {
      this.#starting = undefined
      void starting.then((worker) => worker?.terminate())
      throw cause
    }
  }

  async #startWorker(): Promise<IdleWorker | undefined> {
    const { worker } = this.#options
    if (worker === undefined && typeof Worker !== 'function') return undefined
    try {
      if (this.#workerTaken && typeof worker === 'object') {
        throw new Error('the given worker stopped working; give a function to have it replaced')
      }
      this.#workerTaken = true
      const { startIdleWorker } = await import('./idle-worker.ts')
      return await startIdleWorker(worker)
    } catch (cause) {
      this.#fall({ from: 'worker', to: 'inline', cause })
      return undefined
    }
  }

  async #addWasm(backend: CountBackend): Promise<void> {
    try {
      const wasm = await wasmFrom(this.#options)
      this.#report({ phase: 'wasm', engine: 'wasm' })
      await backend.addWasm(wasm, this.#engine === 'wasm' ? 'all' : 'bulk')
      this.#fallen.delete('wasm')
      this.#report({ phase: 'ready', engine: 'wasm' })
    } catch (cause) {
      // A backend that was discarded meanwhile has told its end to those who count.
      if (this.#backend !== backend) return
      if (hasCode(cause, 'tokenizer_unavailable')) {
        this.#addingWasm = undefined
        this.#fall({ from: 'wasm', to: 'script', cause })
      } else if (hasCode(cause, 'tokenizer_crashed')) {
        this.#discard(backend)
        this.#buildCrashes += 1
        if (this.#buildCrashes === CRASHES) this.#giveUpWasm(cause)
      } else {
        this.#giveUpWasm(cause)
      }
    }
  }

  #giveUpWasm(cause: unknown): void {
    this.#wasmAllowed = false
    this.#fall({ from: 'wasm', to: 'script', cause })
  }

  /** The next use starts another one. */
  #discard(backend: CountBackend): void {
    if (this.#backend !== backend) return
    backend.close()
    this.#backend = undefined
    this.#ready = false
    this.#starting = undefined
    this.#addingWasm = undefined
  }

  #estimate(texts: readonly string[], cause: unknown): readonly number[] {
    this.#fallToEstimates(cause)
    return texts.map(estimateTokens)
  }

  #fallToEstimates(cause: unknown): void {
    this.#exact = false
    this.#fall({ from: 'script', to: 'estimate', cause })
  }

  #report(progress: TokenizerProgress): void {
    tell(this.onProgress, progress)
  }

  #fall(fallback: Fallback): void {
    if (this.#fallen.has(fallback.from)) return
    this.#fallen.add(fallback.from)
    tell(this.onFallback, fallback)
  }
}

type Outcome =
  | { readonly type: 'counted'; readonly tokens: readonly number[] }
  | { readonly type: 'crashed' | 'unavailable'; readonly cause: unknown }

/** In a microtask each, so that a listener that throws reaches the page's handlers and nobody else. */
function tell<Value>(listeners: ReadonlySet<(value: Value) => void>, value: Value): void {
  for (const listener of listeners) queueMicrotask(() => listener(value))
}

async function startInline(ranks: GivenRanks): Promise<CountBackend> {
  const { InlineBackend } = await orUnavailable('counter', import('./inline-backend.ts'))
  return new InlineBackend(ranks)
}

function hasCode(error: unknown, code: DogearErrorCode): boolean {
  return DogearError.isInstance(error) && error.code === code
}
