import { BranchHandle } from '../branch-handle.ts'
import { cloneChange } from '../cloning.ts'
import { Emitter } from '../emitter.ts'
import { ownName } from '../engine/digest.ts'
import { MeasureMemory } from '../engine/measure.ts'
import type { ContextPolicy } from '../engine/policy.ts'
import type { DogearEvent } from '../events.ts'
import type { BranchStore, Breathe, CountTokens, FindModel, Summarize } from '../ports.ts'
import { requirePolicy } from '../require-policy.ts'
import { Session } from '../session.ts'
import { memoryStore } from '../stores/memory.ts'
import { formatNames, loadFormat, recogniseFormat } from '../wire/load-format.ts'
import { scriptTokenCounter } from './script-token-counter.ts'

export interface TestBranchOptions {
  readonly id?: string
  readonly policy?: ContextPolicy
  readonly store?: BranchStore
  readonly counter?: CountTokens
  readonly findModel?: FindModel
  readonly loadTimeoutMs?: number
  readonly breathe?: Breathe
  readonly summarize?: Summarize
  /** Most bytes of a request, in place of the format's own limit. */
  readonly maxRequestBytes?: number
}

export interface TestBranch {
  readonly branch: BranchHandle
  readonly session: Session
  readonly store: BranchStore
  readonly events: readonly DogearEvent[]
}

let makeStore: () => BranchStore = memoryStore

/** Has every branch that is given no store keep what it holds in one of these: one suite runs on each kind. */
export function keepIn(make: () => BranchStore): void {
  makeStore = make
}

/** A branch over a real session with a clock that ticks once a call and ids that count up. */
export async function openTestBranch(options: TestBranchOptions = {}): Promise<TestBranch> {
  const { id = 'chat', store = makeStore(), policy = { maxInputTokens: 'none' } } = options
  const events: DogearEvent[] = []
  let time = 0
  let ids = 0
  let sequence = 0
  const emitter = new Emitter<DogearEvent>()
  emitter.subscribe((event) => events.push(event))
  const emit = (event: object): void =>
    emitter.emit({ ...event, v: 1, branchId: id, sequence: sequence++, at: time } as DogearEvent)
  const load: typeof loadFormat = async (format) => {
    const wire = await loadFormat(format)
    return wire && options.maxRequestBytes ? { ...wire, maxRequestBytes: options.maxRequestBytes } : wire
  }
  const session = new Session(
    {
      branchId: id,
      store,
      counter: options.counter ?? (await scriptTokenCounter()),
      findModel: options.findModel ?? (async () => undefined),
      formats: { names: formatNames, recognise: recogniseFormat, load },
      contextToolName: 'context',
      memory: new MeasureMemory(),
      loadTimeoutMs: options.loadTimeoutMs ?? 50,
      clock: () => ++time,
      newId: () => `${id}-${crypto.randomUUID().slice(0, 8)}-${++ids}`,
      digest: ownName,
      breathe: options.breathe ?? (() => undefined),
      ...(options.summarize ? { summarize: options.summarize } : {}),
      emit,
      onGone: () => undefined,
      onStoreFailure: (error) => emit({ type: 'store-failed', code: error.code, message: error.message }),
    },
    requirePolicy(policy),
  )
  const branch = new BranchHandle({
    id,
    session,
    emit,
    events: emitter,
    deleteBranch: () => store.delete(id),
    async cloneBranch(state, cloneId) {
      const name = typeof cloneId === 'string' ? cloneId : `${id}-clone`
      await store.commit(cloneChange(state, { id: name, policy: session.policy, at: ++time }))
      return (await openTestBranch({ ...options, id: name, store, policy: session.policy })).branch
    },
  })
  return { branch, session, store, events }
}
