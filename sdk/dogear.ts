import type { Branch, BranchOptions, BranchSummary } from './branch.ts'
import { Emitter } from './emitter.ts'
import type { Warning } from './engine/format.ts'
import type { ContextPolicy } from './engine/policy.ts'
import { closedError, DogearError } from './errors.ts'
import type { DogearEvent, EventBody } from './events.ts'
import { chatFetch } from './fetch.ts'
import type { DogearFetchOptions } from './fetch-options.ts'
import type { LiveBranches, LiveBranchesOptions } from './live-branches.ts'
import type { ModelEntry } from './models/model-entry.ts'
import { createModelLookup } from './models/model-lookup.ts'
import type { BranchStore, CountTokens, Summarize } from './ports.ts'
import { requireNoPolicyKeys, requirePolicy } from './require-policy.ts'
import { requireSummarize, requireWriter } from './require-summarize.ts'
import { lazyStore } from './stores/lazy-store.ts'
import { createTokenizer, type TokenizerOptions } from './tokenizer/tokenizer.ts'

export interface DogearOptions {
  /** Default for every branch. */
  readonly policy?: ContextPolicy
  /** IndexedDB in a browser, memory elsewhere. */
  readonly store?: BranchStore
  readonly tokenizer?: TokenizerOptions
  /** Adds to the shipped models, or overrides them. */
  readonly models?: readonly ModelEntry[]
  /**
   * Writes the summaries of what a fold sets aside, with whatever model the app likes. Without it a fold goes as
   * far as it can without a summary, and says so.
   */
  readonly summarize?: Summarize
  /** Name under which the app registers the context tool; `context`. */
  readonly contextToolName?: string
  /** How long a request may wait for the tokenizer before it is estimated; 5,000. */
  readonly loadTimeoutMs?: number
}

export interface Dogear {
  /** The branch of that name, from the store or new. A live one with another policy is refused (R109). */
  branch(id: string, options?: BranchOptions): Promise<Branch>
  branches(): Promise<readonly BranchSummary[]>
  /**
   * A `fetch` for the option of that name that clients have. Chat requests are prepared and settled, and their
   * responses pass through byte for byte; everything else goes through untouched. A request that is over the ceiling
   * is answered with a 400 in its provider's shape, with the code `input_ceiling_exceeded`.
   */
  fetch(options: DogearFetchOptions): typeof fetch
  /** Returns the unsubscribe. A listener hears what happens from now on. */
  subscribe(listener: (event: DogearEvent) => void): () => void
  /**
   * Loads the tokenizer now. Resolves as soon as requests are counted exactly: with `engine: 'auto'` by the script
   * counter, while WASM for long texts is still being built in the worker; with `'wasm'` once WASM counts, or is
   * known not to (a `tokenizer-fallback` event says why). Rejects with `tokenizer_unavailable` where not even the
   * ranks can be loaded; calling it again, or the next request, tries again.
   */
  warmUp(): Promise<void>
  close(): Promise<void>
}

/** Creates the SDK. Does nothing by itself: the tokenizer, the store and the models load on first use. */
export function createDogear(options: DogearOptions = {}): Dogear {
  const { contextToolName = 'context', loadTimeoutMs = 5000 } = options
  requireNoPolicyKeys(options, 'createDogear(…)')
  const summarize = requireSummarize(options.summarize)
  const defaultPolicy = requireWriter(requirePolicy(options.policy ?? {}), summarize)
  const store = options.store ?? defaultStore()
  const counter: CountTokens = createTokenizer(options.tokenizer)
  const events = new Emitter<DogearEvent>()
  const warn = (warning: Warning): void => events.emit(pageEvent({ type: 'warning', warning }))
  const findModel = createModelLookup(options.models ?? [], warn)
  const branches = lazyBranches({
    store,
    counter,
    findModel,
    defaultPolicy,
    summarize,
    contextToolName,
    loadTimeoutMs,
    emit: (event) => events.emit(event),
  })
  let closed = false
  const mustBeOpen = (): void => {
    if (closed) throw closedError()
  }

  counter.onProgress((progress) => events.emit(pageEvent({ type: 'tokenizer-progress', ...progress })))
  counter.onFallback(({ from, to, cause }) =>
    events.emit(pageEvent({ type: 'tokenizer-fallback', from, to, reason: reasonOf(cause) })),
  )

  async function openBranch(id: string, branchOptions: BranchOptions = {}): Promise<Branch> {
    mustBeOpen()
    const opened = await (await branches.load()).open(id, branchOptions)
    mustBeOpen()
    return opened
  }

  return {
    branch: openBranch,
    async branches() {
      mustBeOpen()
      const rows = await store.branches()
      return rows.map(({ id, createdAt, updatedAt, entryCount, bytes, format, model }) => ({
        id,
        createdAt,
        updatedAt,
        entryCount,
        bytes,
        ...(format === undefined ? {} : { format }),
        ...(model === undefined ? {} : { model }),
      }))
    },
    fetch: (fetchOptions) =>
      chatFetch(fetchOptions, {
        warn,
        async branches() {
          mustBeOpen()
          return branches.load()
        },
      }),
    subscribe: (listener) => events.subscribe(listener),
    async warmUp() {
      await Promise.all([branches.load(), counter.load()])
    },
    async close() {
      closed = true
      await branches.close()
      await counter.close()
      await store.close()
    },
  }
}

/** What a branch needs is a chunk of its own, so that a page which only imports dogear does not pay for it. */
function lazyBranches(options: LiveBranchesOptions): {
  load(): Promise<LiveBranches>
  close(): Promise<void>
} {
  let loading: Promise<LiveBranches> | null = null
  return {
    load() {
      loading ??= import('./live-branches.ts').then(
        ({ LiveBranches }) => new LiveBranches(options),
        (cause: unknown) => {
          loading = null
          throw new DogearError({
            code: 'chunk_unavailable',
            message:
              'the chunk that branches are made of could not be loaded; check that the build serves it, and try again',
            cause,
          })
        },
      )
      return loading
    },
    async close() {
      // Branches that were never opened have nothing to end.
      if (loading) await (await loading).close()
    },
  }
}

/** What the app does not choose costs it nothing until it is used. */
function defaultStore(): BranchStore {
  return globalThis.indexedDB
    ? lazyStore(() => import('./stores/idb.ts').then(({ indexedDbStore }) => indexedDbStore()))
    : lazyStore(() => import('./stores/memory.ts').then(({ memoryStore }) => memoryStore()))
}

/** An event of the page and of no branch. */
function pageEvent(event: EventBody): DogearEvent {
  return { ...event, v: 1, branchId: '', sequence: 0, at: Date.now() } as DogearEvent
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
}
