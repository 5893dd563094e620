import type { GivenRanks } from './given-ranks.ts'
import type { WasmSource } from './wasm-counter.ts'

/** What the page tells the worker. */
export type ToWorker =
  /** Asks for `started`, which is lost where it was said before anyone listened. */
  | { readonly type: 'hello' }
  /** Answered by `ready` of the script engine. */
  | { readonly type: 'ranks'; readonly ranks: GivenRanks }
  /** Comes after `ranks`. Answered by `ready` of the WASM engine, or by `wasm-failed`. */
  | { readonly type: 'wasm'; readonly wasm: WasmSource; readonly use: WasmUse }
  /** Answered by `counted`. */
  | ({ readonly type: 'count'; readonly job: number } & Parcel)
  /** No further parcel of this job comes. */
  | { readonly type: 'drop'; readonly job: number }

/** `bulk`: built when nobody waits for a count, and given long texts only. */
export type WasmUse = 'bulk' | 'all'

/** Texts of one job, in order. `open`: the last of them goes on in the job's next parcel. */
export interface Parcel {
  readonly texts: readonly string[]
  readonly open: boolean
}

/** What the worker tells the page. Errors go as their message: an error object may not survive the way. */
export type FromWorker =
  | { readonly type: 'started' }
  | { readonly type: 'ready'; readonly engine: 'script' | 'wasm' }
  | { readonly type: 'wasm-failed'; readonly reason: string }
  /** Tokens of the texts that ended in the parcel, and the UTF-16 units of the open one that are not counted yet. */
  | {
      readonly type: 'counted'
      readonly job: number
      readonly tokens: readonly number[]
      readonly held: number
    }
  /** The worker must be replaced. */
  | { readonly type: 'crashed'; readonly reason: string }
