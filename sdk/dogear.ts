import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Branch, BranchSummary } from './branch.ts'
import { BranchHandle } from './branch-handle.ts'
import type { BranchState } from './branch-state.ts'
import { createBreathing } from './breathing.ts'
import { cloneChange } from './cloning.ts'
import { Emitter } from './emitter.ts'
import type { Digest } from './engine/digest.ts'
import { sortedJson } from './engine/json.ts'
import { MeasureMemory } from './engine/measure.ts'
import { type ContextPolicy, resumePolicy } from './engine/policy.ts'
import { DogearError } from './errors.ts'
import type { DogearEvent, EventBody } from './events.ts'
import type { ModelEntry } from './models/model-entry.ts'
import { createModelLookup } from './models/model-lookup.ts'
import { newId } from './new-id.ts'
import { nextTask } from './next-task.ts'
import type { BranchStore, CountTokens, Summarize } from './ports.ts'
import { requirePolicy, requireStoredPolicy } from './require-policy.ts'
import { Session } from './session.ts'
import { lazyStore } from './stores/lazy-store.ts'
import { requireSummarize, requireWriter } from './summarizing.ts'
import { createTokenizer, type TokenizerOptions } from './tokenizer/tokenizer.ts'
import { formatNames, loadFormat, recogniseFormat } from './wire/load-format.ts'

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

export interface BranchOptions {
  readonly policy?: ContextPolicy
  /** Where the requests do not name one. */
  readonly model?: string
  readonly provider?: string
}

export interface Dogear {
  /** The branch of that name, from the store or new. A live one with another policy is refused (R109). */
  branch(id: string, options?: BranchOptions): Promise<Branch>
  branches(): Promise<readonly BranchSummary[]>
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
  const summarize = requireSummarize(options.summarize)
  const defaultPolicy = requireWriter(requirePolicy(options.policy ?? {}), summarize)
  const store = options.store ?? defaultStore()
  const counter: CountTokens = createTokenizer(options.tokenizer)
  const events = new Emitter<DogearEvent>()
  const memory = new MeasureMemory()
  const breathe = createBreathing({ now: () => performance.now(), nextTask })
  const findModel = createModelLookup(options.models ?? [], (warning) =>
    events.emit(pageEvent({ type: 'warning', warning })),
  )
  const live = new Map<string, LiveBranch>()
  /** Ids of clones that are being stored. */
  const cloning = new Set<string>()
  let closed = false

  counter.onProgress((progress) => events.emit(pageEvent({ type: 'tokenizer-progress', ...progress })))
  counter.onFallback(({ from, to, cause }) =>
    events.emit(pageEvent({ type: 'tokenizer-fallback', from, to, reason: reasonOf(cause) })),
  )

  function open(id: string, branchOptions: BranchOptions, policy: ContextPolicy): LiveBranch {
    let sequence = 0
    const emit = (event: EventBody): void =>
      events.emit({ ...event, v: 1, branchId: id, sequence: sequence++, at: Date.now() } as DogearEvent)
    const session = new Session(
      {
        branchId: id,
        store,
        counter,
        findModel,
        memory,
        formats: { names: formatNames, recognise: recogniseFormat, load: loadFormat },
        contextToolName: options.contextToolName ?? 'context',
        loadTimeoutMs: options.loadTimeoutMs ?? 5000,
        clock: Date.now,
        newId,
        digest: sha256Digest,
        breathe,
        emit,
        onStoreFailure: (error) => emit({ type: 'store-failed', code: error.code, message: error.message }),
        ...(summarize ? { summarize } : {}),
        ...(branchOptions.model === undefined ? {} : { model: branchOptions.model }),
        ...(branchOptions.provider === undefined ? {} : { provider: branchOptions.provider }),
      },
      policy,
    )
    const deleteBranch = async (): Promise<void> => {
      await store.delete(id)
      session.end(branchDeleted(id))
      live.delete(id)
    }
    const cloneBranch = (state: BranchState, cloneId: unknown): Promise<Branch> =>
      openClone(state, { id: cloneId, policy: session.policy, branchOptions })
    return { session, handle: new BranchHandle({ id, session, emit, deleteBranch, cloneBranch }) }
  }

  async function openClone(
    state: BranchState,
    clone: { readonly id: unknown; readonly policy: ContextPolicy; readonly branchOptions: BranchOptions },
  ): Promise<Branch> {
    const { id = newId(), policy, branchOptions } = clone
    if (typeof id !== 'string' || id === '') throw invalidId(id)
    if (live.has(id) || cloning.has(id)) throw idTaken(id)
    cloning.add(id)
    try {
      if ((await store.load(id)) !== null) throw idTaken(id)
      await store.commit(cloneChange(state, { id, policy, at: Date.now() }))
    } finally {
      cloning.delete(id)
    }
    const { policy: _, ...model } = branchOptions
    return openBranch(id, model)
  }

  async function openBranch(id: string, branchOptions: BranchOptions = {}): Promise<Branch> {
    if (closed) throw closedError()
    if (typeof id !== 'string' || id === '') throw invalidId(id)
    const asked =
      branchOptions.policy === undefined
        ? undefined
        : requireWriter(requirePolicy(branchOptions.policy), summarize)
    const known = live.get(id)
    if (known) {
      const { policy } = known.session
      if (sortedJson(resumePolicy(policy, asked)) !== sortedJson(policy)) throw policyDisagrees(id)
      return known.handle
    }
    const stored = (await store.load(id))?.branch.policy
    if (closed) throw closedError()
    // Somebody else may have opened it meanwhile.
    if (live.has(id)) return openBranch(id, branchOptions)
    const policy =
      stored === undefined ? (asked ?? defaultPolicy) : resumePolicy(requireStoredPolicy(stored), asked)
    const opened = open(id, branchOptions, policy)
    live.set(id, opened)
    opened.session.setPolicy(policy)
    return opened.handle
  }

  return {
    branch: openBranch,
    async branches() {
      if (closed) throw closedError()
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
    subscribe: (listener) => events.subscribe(listener),
    warmUp: () => counter.load(),
    async close() {
      closed = true
      const sessions = [...live.values()].map(({ session }) => session)
      await Promise.all(sessions.map((session) => session.idle()))
      for (const session of sessions) session.end(closedError())
      live.clear()
      await counter.close()
      await store.close()
    },
  }
}

/** What the app does not choose costs it nothing until it is used. */
function defaultStore(): BranchStore {
  return globalThis.indexedDB
    ? lazyStore(() => import('./stores/idb.ts').then(({ indexedDbStore }) => indexedDbStore()))
    : lazyStore(() => import('./stores/memory.ts').then(({ memoryStore }) => memoryStore()))
}

const sha256Digest: Digest = () => {
  const hash = sha256.create()
  return { add: (part) => void hash.update(utf8ToBytes(part)), end: () => bytesToHex(hash.digest()) }
}

interface LiveBranch {
  readonly session: Session
  readonly handle: BranchHandle
}

/** An event of the page and of no branch. */
function pageEvent(event: EventBody): DogearEvent {
  return { ...event, v: 1, branchId: '', sequence: 0, at: Date.now() } as DogearEvent
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
}

function closedError(): DogearError {
  return new DogearError({
    code: 'branch_closed',
    message: 'this dogear was closed; create another with createDogear()',
  })
}

function branchDeleted(id: string): DogearError {
  return new DogearError({
    code: 'branch_deleted',
    message: `branch "${id}" was deleted; dogear.branch("${id}") starts a new one`,
    fields: { branchId: id },
  })
}

function invalidId(id: unknown): DogearError {
  return new DogearError({
    code: 'invalid_argument',
    message: `a branch id must be a string that is not empty, but is ${id === '' ? 'empty' : typeof id}`,
  })
}

function idTaken(id: string): DogearError {
  return new DogearError({
    code: 'invalid_argument',
    message: `there is a branch "${id}" already, and a clone needs an id of its own; leave the id out to have one made`,
    fields: { branchId: id },
  })
}

function policyDisagrees(id: string): DogearError {
  return new DogearError({
    code: 'policy_disagrees',
    message: `branch "${id}" is live with another policy; change it with branch.setPolicy(policy)`,
    fields: { branchId: id },
  })
}
