import { badArgument, requireInteger } from './arguments.ts'
import type {
  ArmedReply,
  Branch,
  CompactOutcome,
  CompiledEntry,
  ContextTool,
  FoldPreview,
  Journal,
  LineSummary,
  MessagePreviews,
  Prepared,
  PrepareOptions,
  RestoreReply,
  ResultSlice,
  Status,
  VerbReply,
  VerifyReport,
} from './branch.ts'
import type { BranchState } from './branch-state.ts'
import { type BranchVerbs, branchVerbs } from './branch-verbs.ts'
import { createContextTool } from './context-tool.ts'
import type { Emitter } from './emitter.ts'
import type { ContextPolicy } from './engine/policy.ts'
import { type Line, originalOf } from './engine/record.ts'
import type { DogearEvent, EventBody } from './events.ts'
import { previewNext } from './forecasting.ts'
import { endRefusal } from './recovery.ts'
import { requirePolicy } from './require-policy.ts'
import type { Session } from './session.ts'

export interface BranchHandleOptions {
  readonly id: string
  readonly session: Session
  readonly emit: (event: EventBody) => void
  /** What `emit` has passed on. */
  readonly events: Pick<Emitter<DogearEvent>, 'subscribe'>
  readonly deleteBranch: () => Promise<void>
  /** Stores a clone of the branch and opens it; an absent id is made up. */
  readonly cloneBranch: (state: BranchState, id: unknown) => Promise<Branch>
}

/** A branch as the app holds it. */
export class BranchHandle implements Branch {
  readonly id: string
  readonly contextTool: ContextTool
  readonly #options: BranchHandleOptions
  readonly #verbs: BranchVerbs

  constructor(options: BranchHandleOptions) {
    const { id, session, emit } = options
    this.id = id
    this.#options = options
    const verbs = { branchId: id, session, emit }
    this.#verbs = branchVerbs({ ...verbs, byModel: false })
    this.contextTool = createContextTool({
      name: session.contextToolName,
      verbs: branchVerbs({ ...verbs, byModel: true }),
      bound: () => session.policy.toolResultMaxChars,
    })
  }

  get policy(): ContextPolicy {
    return this.#options.session.policy
  }

  subscribe(listener: (event: DogearEvent) => void): () => void {
    return this.#options.events.subscribe(listener)
  }

  prepare<Request>(request: Request, options: PrepareOptions<Request> = {}): Promise<Prepared<Request>> {
    // What leaves has the shape of what came: the same format, with other messages at the most.
    const { session } = this.#options
    return session.prepare(request, options as PrepareOptions) as Promise<Prepared<Request>>
  }

  status(): Promise<Status> {
    return this.#verbs.status()
  }

  getMessages(options?: {
    scope?: 'active' | 'all'
    start?: number
    end?: number
  }): Promise<MessagePreviews> {
    return this.#verbs.getMessages(options)
  }

  readResult(options: { index: number; offset?: number; limit?: number }): Promise<ResultSlice> {
    return this.#verbs.readResult(options)
  }

  restore(options: { start: number; end?: number }): Promise<RestoreReply> {
    return this.#verbs.restore(options)
  }

  restoreFold(foldId: string): Promise<RestoreReply> {
    return this.#verbs.restoreFold(foldId)
  }

  evict(options: { start: number; end?: number }): Promise<VerbReply> {
    return this.#verbs.evict(options)
  }

  evictActionResults(options?: { keep?: number }): Promise<VerbReply> {
    return this.#verbs.evictActionResults(options)
  }

  compact(options?: { start?: number; end?: number; summary?: string }): Promise<VerbReply | ArmedReply> {
    return this.#verbs.compact(options)
  }

  compactNow(): Promise<CompactOutcome> {
    const { session, emit } = this.#options
    return session.step(async (state) => {
      const { compactNow } = await import('./compact-now.ts')
      return compactNow(state, { session, emit })
    })
  }

  pin(index: number): Promise<void> {
    return this.#changePins(index, (pinned, original) => new Set([...pinned, original]))
  }

  unpin(index: number): Promise<void> {
    return this.#changePins(
      index,
      (pinned, original) => new Set([...pinned].filter((other) => other !== original)),
    )
  }

  clearRefusal(): Promise<void> {
    return this.#options.session.step((state) => changeLine(state, state.current.line))
  }

  clone(id?: string): Promise<Branch> {
    return this.#options.session.step((state) => this.#options.cloneBranch(state, id))
  }

  verify(): Promise<VerifyReport> {
    const { session } = this.#options
    return session.step(async (state) => {
      const { verifyOriginals } = await import('./verifying.ts')
      return verifyOriginals(state, session.counting())
    })
  }

  setPolicy(policy: ContextPolicy): Promise<void> {
    return this.#options.session.step(async (state) => {
      const valid = this.#options.session.accepted(requirePolicy(policy))
      state.setRow({ policy: { ...valid } })
      this.#options.session.setPolicy(valid)
      await state.commit({ lineIds: [], bodies: [], journal: [], durability: 'relaxed' })
    })
  }

  compiled(requestId: string): Promise<readonly CompiledEntry[]> {
    const { session } = this.#options
    return session.step(() => session.compiled.of(requestId))
  }

  preview(policy?: ContextPolicy): Promise<FoldPreview | null> {
    return this.#options.session.step((state) =>
      previewNext(this.#options.session, state, policy === undefined ? this.policy : requirePolicy(policy)),
    )
  }

  lines(): Promise<readonly LineSummary[]> {
    return this.#options.session.step(async (state) =>
      [...state.lines()]
        .sort((a, b) => b.updatedAt - a.updatedAt)
        .map(({ line, updatedAt }) => ({
          id: line.id,
          ...(line.parent ? { parentId: line.parent.lineId, divergence: line.parent.index } : {}),
          updatedAt,
        })),
    )
  }

  journal(): Promise<Journal> {
    return this.#options.session.step(async (state) => {
      const rows = await state.journal()
      return {
        decisions: rows.flatMap((row) => (row.type === 'decision' ? [row.record] : [])),
        folds: rows.flatMap((row) => (row.type === 'fold' ? [row.record] : [])),
        settlements: rows.flatMap((row) => (row.type === 'settlement' ? [row.record] : [])),
      }
    })
  }

  delete(): Promise<void> {
    return this.#options.session.step(() => this.#options.deleteBranch())
  }

  /** What may be folded is another thing then, so a refusal of the turn ends. */
  async #changePins(
    given: unknown,
    change: (pinned: ReadonlySet<number>, original: number) => ReadonlySet<number>,
  ): Promise<void> {
    const index = requireInteger('index', given, { least: 0 })
    return this.#options.session.step((state) => {
      const { line } = state.current
      const original = originalOf(line.record, index)
      if (!original) throw badArgument('index', `below ${line.record.length}, the number of entries`, index)
      return changeLine(state, { ...line, pinned: change(line.pinned, original.index) })
    })
  }
}

async function changeLine(state: BranchState, line: Line): Promise<void> {
  endRefusal(state, line)
  await state.commit({ lineIds: [line.id], bodies: [], journal: [], durability: 'strict' })
}
