import type { TokenizerError } from '../errors.ts'
import { abortedBy, type CountBackend, closed, crashed } from './count-backend.ts'
import type { GivenRanks } from './given-ranks.ts'
import type { FromWorker, Parcel, ToWorker, WasmUse } from './messages.ts'
import { parcelsOf } from './parcels.ts'
import type { WasmSource } from './wasm-counter.ts'
import { type Patience, Watchdog } from './watchdog.ts'

const PATIENCE: Patience = { ticks: 15, tickMs: 1000 }

/** UTF-16 units for which the worker is given one more tick: a tenth of what the slowest engine counts in one. */
const UNITS_PER_TICK = 100_000

/** Parcels of one job that are on their way at once: one that is counted, one that waits. */
const WINDOW = 2

interface Job {
  readonly parcels: Iterator<Parcel>
  readonly tokens: number[]
  /** Sizes of the parcels that are not answered yet. */
  readonly sent: number[]
  /** Units of an open text that the worker has not counted yet. */
  held: number
  readonly resolve: (tokens: readonly number[]) => void
  readonly reject: (cause: unknown) => void
}

interface Waiting {
  readonly resolve: () => void
  readonly reject: (cause: unknown) => void
}

/**
 * Counts in a worker. A worker that says it crashed, throws, or is silent for too long while something is asked of
 * it is terminated, and all that was asked rejects with `tokenizer_crashed`.
 */
export class WorkerBackend implements CountBackend {
  readonly offThread = true
  readonly #worker: Worker
  readonly #jobs = new Map<number, Job>()
  readonly #watchdog: Watchdog
  #lastJob = 0
  #building: Waiting | undefined
  #end: TokenizerError | undefined

  /** Resolves once the worker counts. */
  static async start(worker: Worker, ranks: GivenRanks, patience = PATIENCE): Promise<WorkerBackend> {
    const backend = new WorkerBackend(worker, patience)
    await backend.#build({ type: 'ranks', ranks })
    return backend
  }

  private constructor(worker: Worker, patience: Patience) {
    this.#worker = worker
    this.#watchdog = new Watchdog({
      patience,
      onSilence: () => this.#crash('the worker did not answer'),
      extraTicks: () => this.#unitsAsked() / UNITS_PER_TICK,
    })
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#receive(data)
    worker.onmessageerror = () => this.#crash('a message of the worker could not be read')
    worker.onerror = (event) => {
      event.preventDefault()
      this.#crash(event.message)
    }
  }

  async count(texts: readonly string[], signal?: AbortSignal): Promise<readonly number[]> {
    if (this.#end) throw this.#end
    if (signal?.aborted) throw abortedBy(signal)
    const id = ++this.#lastJob
    const onAbort = (): void => this.#drop(id)
    signal?.addEventListener('abort', onAbort)
    try {
      return await new Promise<readonly number[]>((resolve, reject) => {
        const job: Job = { parcels: parcelsOf(texts), tokens: [], sent: [], held: 0, resolve, reject }
        this.#jobs.set(id, job)
        this.#advance(id, job)
      })
    } catch (cause) {
      throw signal?.aborted ? abortedBy(signal) : cause
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }

  addWasm(wasm: WasmSource, use: WasmUse): Promise<void> {
    return this.#build({ type: 'wasm', wasm, use })
  }

  close(): void {
    this.#finish(closed())
  }

  #build(message: ToWorker): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#end) throw this.#end
      this.#building = { resolve, reject }
      this.#ask(message)
    })
  }

  /** Sends what there is room for; the job is done when nothing is left to send and all was answered. */
  #advance(id: number, job: Job): void {
    while (job.sent.length < WINDOW) {
      const next = job.parcels.next()
      if (next.done) break
      job.sent.push(next.value.texts.reduce((units, text) => units + text.length, 0))
      this.#ask({ type: 'count', job: id, ...next.value })
    }
    if (job.sent.length > 0) return
    this.#jobs.delete(id)
    job.resolve(job.tokens)
  }

  #drop(id: number): void {
    const job = this.#jobs.get(id)
    if (!job) return
    this.#jobs.delete(id)
    this.#worker.postMessage({ type: 'drop', job: id } satisfies ToWorker)
    job.reject(undefined)
    this.#rest()
  }

  #ask(message: ToWorker): void {
    this.#watchdog.watch()
    this.#worker.postMessage(message)
  }

  #receive(message: FromWorker): void {
    this.#watchdog.heard()
    switch (message.type) {
      case 'ready':
        this.#building?.resolve()
        this.#building = undefined
        break
      case 'wasm-failed':
        this.#building?.reject(new Error(message.reason))
        this.#building = undefined
        break
      case 'crashed':
        this.#crash(message.reason)
        break
      case 'counted': {
        const job = this.#jobs.get(message.job)
        if (!job) break
        job.sent.shift()
        job.held = message.held
        job.tokens.push(...message.tokens)
        this.#advance(message.job, job)
      }
    }
    this.#rest()
  }

  /** Nobody is watched while nothing is asked of him. */
  #rest(): void {
    if (this.#jobs.size === 0 && !this.#building) this.#watchdog.stop()
  }

  #unitsAsked(): number {
    let units = 0
    for (const job of this.#jobs.values()) units += job.sent.reduce((sum, size) => sum + size, job.held)
    return units
  }

  #crash(reason: string): void {
    this.#finish(crashed(new Error(reason)))
  }

  #finish(end: TokenizerError): void {
    if (this.#end) return
    this.#end = end
    this.#watchdog.stop()
    this.#worker.terminate()
    this.#building?.reject(end)
    for (const job of this.#jobs.values()) job.reject(end)
    this.#jobs.clear()
  }
}
