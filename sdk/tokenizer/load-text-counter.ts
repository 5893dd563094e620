import { closed } from './count-backend.ts'
import { mustBeText } from './must-be-text.ts'
import { engineOf, type TokenizerOptions } from './options.ts'
import { orUnavailable } from './or-unavailable.ts'
import { SharedByOptions } from './shared-by-options.ts'
import { ranksFrom, wasmFrom } from './sources.ts'
import type { TextCounter } from './text-counter.ts'

export interface LoadedCounter extends TextCounter {
  /** Gives the memory back when nobody else of the page uses it; counting afterwards throws. */
  dispose(): void
}

/** The counters of the page's own thread. */
const counters = new SharedByOptions(loadCounter, (loading) => {
  loading.then(({ free }) => free()).catch(() => undefined)
})

/**
 * Loads a counter for this thread: the script counter, or WASM where `engine` is `wasm`, which then takes this thread
 * a second to build. Rejects with `tokenizer_unavailable`, or with the browser's error where WASM is blocked; a
 * later call tries again.
 */
export async function loadTextCounter(options: TokenizerOptions = {}): Promise<LoadedCounter> {
  const loading = counters.take(options)
  let disposed = false
  const dispose = (): void => {
    if (!disposed) counters.release(loading)
    disposed = true
  }
  try {
    const { counter } = await loading
    return {
      count(text) {
        if (disposed) throw closed()
        mustBeText(text)
        return counter.count(text)
      },
      dispose,
    }
  } catch (cause) {
    dispose()
    throw cause
  }
}

interface Loaded {
  readonly counter: TextCounter
  readonly free: () => void
}

async function loadCounter(options: TokenizerOptions): Promise<Loaded> {
  const engine = engineOf(options)
  const [given, { startScript }] = await Promise.all([
    ranksFrom(options),
    orUnavailable('counter', import('./start-script.ts')),
  ])
  const { ranks, script } = startScript(given)
  if (engine !== 'wasm') return { counter: script, free: () => undefined }
  const [wasm, { createWasmCounter }] = await Promise.all([
    wasmFrom(options),
    orUnavailable('counter', import('./wasm-counter.ts')),
  ])
  const counter = await createWasmCounter({ wasm, ranks, stretches: script })
  return { counter, free: () => counter.free() }
}
