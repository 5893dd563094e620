import type { Branch, BranchOptions, BranchSummary } from './branch.ts'
import { Emitter } from './emitter.ts'
import type { Warning } from './engine/format.ts'
import type { ContextPolicy } from './engine/policy.ts'
import { closedError, DogearError } from './errors.ts'
import type { DogearEvent, EventBody } from './events.ts'
import type { ExportOptions } from './export-branches.ts'
import { chatFetch } from './fetch.ts'
import type { DogearFetchOptions } from './fetch-options.ts'
import type { ImportOptions } from './import-branches.ts'
import type { LiveBranches, LiveBranchesOptions } from './live-branches.ts'
import type { ModelEntry } from './models/model-entry.ts'
import { createModelLookup } from './models/model-lookup.ts'
import type { BranchRow, BranchStore, CountTokens, Summarize } from './ports.ts'
import { requireNoPolicyKeys, requirePolicy } from './require-policy.ts'
import { requireSummarize, requireWriter } from './require-summarize.ts'
import { persistStorage, type StorageStatus, storageStatus } from './storage-status.ts'
import { lazyStore } from './stores/lazy-store.ts'
import type { Tidied, TidyOptions } from './tidying.ts'
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
  /**
   * Writes branches, all where none are named, to one file that `import` reads, elsewhere or here. What could not be
   * stored yet is in it too. Rejects with `invalid_argument` for a branch that there is not.
   */
  export(ids?: readonly string[], options?: ExportOptions): Promise<Blob>
  /**
   * Stores the branches of such a file: all of them, or none where anything in it is not as it must be
   * (`import_unreadable`). A branch whose id is taken gets another one, which its summary names.
   */
  import(file: Blob, options?: ImportOptions): Promise<readonly BranchSummary[]>
  /** What the browser says of the storage that branches are kept in. */
  storage(): Promise<StorageStatus>
  /** Asks the browser to keep it though space runs out, which some ask the person about. False where it does not. */
  persist(): Promise<boolean>
  /** Deletes old branches, never one that is open in this tab or another, and bodies that nothing refers to. */
  tidy(options?: TidyOptions): Promise<Tidied>
  close(): Promise<void>
}

/** Creates the SDK. Does nothing by itself: the tokenizer, the store and the models load on first use. */
export function createDogear(options: DogearOptions = {}): Dogear {
  const { contextToolName = 'context', loadTimeoutMs = 5000 } = options
  requireNoPolicyKeys(options, 'createDogear(…)')
  const summarize = requireSummarize(options.summarize)
  const defaultPolicy = requireWriter(requirePolicy(options.policy ?? {}), summarize)
  const counter: CountTokens = createTokenizer(options.tokenizer)
  const events = new Emitter<DogearEvent>()
  const warn = (warning: Warning): void => events.emit(pageEvent({ type: 'warning', warning }))
  const store = options.store ?? defaultStore(warn)
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
      return (await store.branches()).map(summaryOf)
    },
    async export(ids, exportOptions = {}) {
      mustBeOpen()
      const named = ids ?? (await store.branches()).map(({ id }) => id)
      return (await branches.load()).export([...new Set(named)], exportOptions)
    },
    async import(file, importOptions = {}) {
      mustBeOpen()
      return (await (await branches.load()).import(file, importOptions)).map(summaryOf)
    },
    storage: storageStatus,
    persist: persistStorage,
    async tidy(tidyOptions = {}) {
      mustBeOpen()
      const [{ tidy }, live] = await Promise.all([import('./tidying.ts'), branches.load()])
      return tidy(store, { ...tidyOptions, isOpen: (id) => live.isOpen(id), now: Date.now() })
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

function summaryOf({ id, createdAt, updatedAt, entryCount, bytes, format, model }: BranchRow): BranchSummary {
  return {
    id,
    createdAt,
    updatedAt,
    entryCount,
    bytes,
    ...(format === undefined ? {} : { format }),
    ...(model === undefined ? {} : { model }),
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
function defaultStore(warn: (warning: Warning) => void): BranchStore {
  if (globalThis.indexedDB)
    return lazyStore(() =>
      import('./stores/default-store.ts').then(({ openDefaultStore }) =>
        openDefaultStore((cause) => warn(onlyInMemory(cause))),
      ),
    )
  return lazyStore(async () => {
    const { memoryStore } = await import('./stores/memory.ts')
    // A page expects its chats to be there again; a server does not.
    if (typeof document !== 'undefined') warn(onlyInMemory())
    return memoryStore()
  })
}

function onlyInMemory(cause?: unknown): Warning {
  const why = cause === undefined ? 'this browser has no IndexedDB' : reasonOf(cause)
  return {
    code: 'store_in_memory',
    message: `branches are kept in memory, and are gone with this page: ${why}`,
  }
}

/** An event of the page and of no branch. */
function pageEvent(event: EventBody): DogearEvent {
  return { ...event, v: 1, branchId: '', sequence: 0, at: Date.now() } as DogearEvent
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
}
