import { nextSafeCut } from '../engine/safe-cut.ts'
import { nextTask } from '../next-task.ts'
import { abortedBy, type CountBackend, closed, crashed } from './count-backend.ts'
import type { GivenRanks } from './given-ranks.ts'
import { type StartedScript, startScript } from './start-script.ts'
import type { TextCounter } from './text-counter.ts'
import type { WasmSource } from './wasm-counter.ts'

/** UTF-16 units counted in one go: under 5 ms with either engine. A longer stretch without a safe cut is one go. */
const SLICE_UNITS = 8192

/** Milliseconds after which the thread is given back before the next slice. */
const SLICE_MS = 3

/** Counts on this thread, in slices cut at safe cuts, and lets other work in between. */
export class InlineBackend implements CountBackend {
  readonly offThread = false
  readonly #started: StartedScript
  #counter: TextCounter
  #free = (): void => {}
  #closed = false

  constructor(ranks: GivenRanks) {
    this.#started = startScript(ranks)
    this.#counter = this.#started.script
  }

  async count(texts: readonly string[], signal?: AbortSignal): Promise<readonly number[]> {
    const tokens: number[] = []
    let started = performance.now()
    for (const text of texts) {
      let sum = 0
      for (const slice of slicesOf(text)) {
        if (performance.now() - started >= SLICE_MS) {
          await nextTask()
          started = performance.now()
        }
        if (this.#closed) throw closed()
        if (signal?.aborted) throw abortedBy(signal)
        sum += this.#count(slice)
      }
      tokens.push(sum)
    }
    return tokens
  }

  /** On this thread WASM is only built where the app asked for it alone, so it takes all texts. */
  async addWasm(wasm: WasmSource): Promise<void> {
    const { ranks, script } = this.#started
    const { createWasmCounter } = await import('./wasm-counter.ts')
    const counter = await createWasmCounter({ wasm, ranks, stretches: script })
    if (this.#closed) {
      counter.free()
      throw closed()
    }
    this.#counter = counter
    this.#free = () => counter.free()
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#free()
  }

  #count(slice: string): number {
    try {
      return this.#counter.count(slice)
    } catch (cause) {
      throw crashed(cause)
    }
  }
}

function* slicesOf(text: string): Generator<string> {
  let from = 0
  while (text.length - from > SLICE_UNITS) {
    const cut = nextSafeCut(text, from + SLICE_UNITS)
    if (cut === -1) break
    yield text.slice(from, cut)
    from = cut
  }
  yield text.slice(from)
}
