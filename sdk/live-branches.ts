import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Branch, BranchOptions, Prepared, PrepareOptions } from './branch.ts'
import { BranchHandle } from './branch-handle.ts'
import { BranchState } from './branch-state.ts'
import { createBreathing } from './breathing.ts'
import { Emitter } from './emitter.ts'
import type { Digest } from './engine/digest.ts'
import type { Format, Warning, WireFormat } from './engine/format.ts'
import type { ContextDecision } from './engine/journal.ts'
import { sortedJson } from './engine/json.ts'
import { MeasureMemory } from './engine/measure.ts'
import { type ContextPolicy, resumePolicy } from './engine/policy.ts'
import { branchDeleted, closedError, DogearError } from './errors.ts'
import type { DogearEvent, EventBody } from './events.ts'
import type { ExportedBranch, ExportOptions } from './export-branches.ts'
import type { ImportOptions } from './import-branches.ts'
import { newId } from './new-id.ts'
import { nextTask } from './next-task.ts'
import type { BranchRow, BranchStore, CountTokens, FindModel, Summarize } from './ports.ts'
import { signalOf } from './prepare-options.ts'
import { unknownFormat } from './request-reading.ts'
import { requireOptionNames } from './require-option-names.ts'
import { requireNoPolicyKeys, requirePolicy, requireStoredPolicy } from './require-policy.ts'
import { requireWriter } from './require-summarize.ts'
import { Session } from './session.ts'
import { formatNames, loadFormat, recogniseFormat } from './wire/load-format.ts'

export interface LiveBranchesOptions {
  readonly store: BranchStore
  readonly counter: CountTokens
  readonly findModel: FindModel
  /** For a branch that neither was stored nor is given one. */
  readonly defaultPolicy: ContextPolicy
  readonly summarize: Summarize | undefined
  readonly contextToolName: string
  readonly loadTimeoutMs: number
  readonly emit: (event: DogearEvent) => void
}

interface LiveBranch {
  /** Says to those who share the storage that it is not open here any more. */
  readonly release: (() => void) | undefined
  readonly session: Session
  readonly handle: BranchHandle
  readonly emit: (event: EventBody) => void
}

/** A branch as what sends requests of one format has it. */
export interface TransportBranch {
  readonly wire: WireFormat
  prepare<Request>(request: Request, options: PrepareOptions): Promise<Prepared<Request>>
  /** Tells on the branch what became of one of its requests, or of one that could not become one. */
  warn(warning: Warning, decision?: Pick<ContextDecision, 'requestId' | 'lineId'>): void
}

/** The branches that are open in this page, each once, and what they share. */
export class LiveBranches {
  readonly #options: LiveBranchesOptions
  readonly #live = new Map<string, LiveBranch>()
  /** Ids of clones that are being stored. */
  readonly #cloning = new Set<string>()
  readonly #memory = new MeasureMemory()
  readonly #breathe = createBreathing({ now: () => performance.now(), nextTask })
  readonly #stopHearing: (() => void) | undefined
  #closed = false

  constructor(options: LiveBranchesOptions) {
    this.#options = options
    this.#stopHearing = options.store.sharing?.subscribe((id) => this.#live.get(id)?.session.lookUp())
  }

  async open(id: string, branchOptions: BranchOptions): Promise<Branch> {
    return (await this.#open(id, branchOptions)).handle
  }

  async transport(id: string, format: Format): Promise<TransportBranch> {
    const [{ session, emit }, wire] = await Promise.all([this.#open(id, {}), loadFormat(format)])
    if (wire === null) throw unknownFormat(format, formatNames)
    return {
      wire,
      prepare: <Request>(request: Request, options: PrepareOptions) =>
        // What leaves has the shape of what came.
        session.prepare(request, options) as Promise<Prepared<Request>>,
      warn: (warning, decision) =>
        emit({
          type: 'warning',
          warning,
          ...(decision ? { lineId: decision.lineId, requestId: decision.requestId } : {}),
        }),
    }
  }

  async #open(id: string, branchOptions: BranchOptions): Promise<LiveBranch> {
    const { store, summarize, defaultPolicy } = this.#options
    if (typeof id !== 'string' || id === '') throw invalidId(id)
    requireNoPolicyKeys(branchOptions, 'dogear.branch(id, …)')
    requireOptionNames(branchOptions, ['policy', 'model', 'provider'], 'dogear.branch')
    const asked =
      branchOptions.policy === undefined
        ? undefined
        : requireWriter(requirePolicy(branchOptions.policy), summarize)
    const known = this.#live.get(id)
    if (known) {
      const { policy } = known.session
      if (sortedJson(resumePolicy(policy, asked)) !== sortedJson(policy)) throw policyDisagrees(id)
      return known
    }
    const stored = (await store.row(id))?.policy
    if (this.#closed) throw closedError()
    // Somebody else may have opened it meanwhile.
    if (this.#live.has(id)) return this.#open(id, branchOptions)
    const policy =
      stored === undefined ? (asked ?? defaultPolicy) : resumePolicy(requireStoredPolicy(stored), asked)
    const opened = this.#begin(id, branchOptions, policy)
    this.#live.set(id, opened)
    opened.session.setPolicy(policy)
    return opened
  }

  isOpen(id: string): boolean {
    return this.#live.has(id)
  }

  /** A branch as it is at this moment, whether it is open here or not. */
  async snapshot(id: string): Promise<ExportedBranch> {
    const live = this.#live.get(id)
    if (live) return live.session.step(async (state) => ({ state, snapshot: await state.snapshot() }))
    const { store } = this.#options
    if ((await store.row(id)) === null) throw unknownBranch(id)
    const state = await BranchState.open({
      branchId: id,
      store,
      clock: Date.now,
      newId,
      digest: sha256Digest,
      onStoreFailure: () => undefined,
    })
    return { state, snapshot: await state.snapshot() }
  }

  async export(ids: readonly string[], options: ExportOptions): Promise<Blob> {
    const { exportBranches } = await import('./export-branches.ts')
    const branches = ids.map((id) => ({ id, open: () => this.snapshot(id) }))
    const pieces = { breathe: this.#breathe, ...signalOf(options) }
    return exportBranches(branches, { ...options, pieces, at: Date.now() })
  }

  /** All that is in a file is stored, or nothing of it; under ids of their own where theirs are taken. */
  async import(file: Blob, options: ImportOptions): Promise<readonly BranchRow[]> {
    const { importBranches } = await import('./import-branches.ts')
    const pieces = { breathe: this.#breathe, ...signalOf(options) }
    const { store } = this.#options
    return importBranches(file, { ...options, store, pieces, newId, digest: sha256Digest })
  }

  /** Resolves when all that was asked for has ended; every later step rejects. */
  async close(): Promise<void> {
    this.#closed = true
    this.#stopHearing?.()
    const sessions = [...this.#live.values()].map(({ session }) => session)
    await Promise.all(sessions.map((session) => session.idle()))
    for (const session of sessions) session.end(closedError())
    for (const id of [...this.#live.keys()]) this.#letGo(id)
  }

  #begin(id: string, branchOptions: BranchOptions, policy: ContextPolicy): LiveBranch {
    const { store, counter, findModel, summarize, contextToolName, loadTimeoutMs } = this.#options
    let sequence = 0
    const events = new Emitter<DogearEvent>()
    const emit = (body: EventBody): void => {
      const event = { ...body, v: 1, branchId: id, sequence: sequence++, at: Date.now() } as DogearEvent
      this.#options.emit(event)
      events.emit(event)
    }
    const session = new Session(
      {
        branchId: id,
        store,
        counter,
        findModel,
        memory: this.#memory,
        formats: { names: formatNames, recognise: recogniseFormat, load: loadFormat },
        contextToolName,
        loadTimeoutMs,
        clock: Date.now,
        newId,
        digest: sha256Digest,
        breathe: this.#breathe,
        emit,
        onGone: () => this.#letGo(id),
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
      this.#letGo(id)
    }
    const cloneBranch = (state: BranchState, cloneId: unknown): Promise<Branch> =>
      this.#clone(state, { id: cloneId, policy: session.policy, branchOptions })
    const handle = new BranchHandle({ id, session, emit, events, deleteBranch, cloneBranch })
    return { session, emit, handle, release: store.sharing?.hold(id) }
  }

  #letGo(id: string): void {
    this.#live.get(id)?.release?.()
    this.#live.delete(id)
  }

  async #clone(
    state: BranchState,
    clone: { readonly id: unknown; readonly policy: ContextPolicy; readonly branchOptions: BranchOptions },
  ): Promise<Branch> {
    const { store } = this.#options
    const { id = newId(), policy, branchOptions } = clone
    if (typeof id !== 'string' || id === '') throw invalidId(id)
    if (this.#live.has(id) || this.#cloning.has(id)) throw idTaken(id)
    this.#cloning.add(id)
    try {
      if ((await store.row(id)) !== null) throw idTaken(id)
      const { cloneChange } = await import('./cloning.ts')
      await store.commit(cloneChange(state, { id, policy, at: Date.now() }))
    } finally {
      this.#cloning.delete(id)
    }
    const { policy: _, ...model } = branchOptions
    return this.open(id, model)
  }
}

const sha256Digest: Digest = () => {
  const hash = sha256.create()
  return { add: (part) => void hash.update(utf8ToBytes(part)), end: () => bytesToHex(hash.digest()) }
}

function unknownBranch(id: unknown): DogearError {
  return new DogearError({
    code: 'invalid_argument',
    message: `there is no branch ${JSON.stringify(id)} to export; dogear.branches() lists them`,
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
