import type {
  Branch,
  FoldPreview,
  Journal,
  LineSummary,
  MessagePreviews,
  Prepared,
  PrepareOptions,
  RestoreReply,
  ResultSlice,
  Status,
} from './branch.ts'
import type { BranchState } from './branch-state.ts'
import type { KnownMessage } from './engine/intake.ts'
import {
  type ContextPolicy,
  type PolicyValidation,
  validatePolicy,
  validateStoredPolicy,
} from './engine/policy.ts'
import { READ_LIMIT, readSlice } from './engine/read-slice.ts'
import type { Entry, Line } from './engine/record.ts'
import { foldMembers, restoreEntries } from './engine/recover.ts'
import { scaleNumber } from './engine/scale.ts'
import { DogearError } from './errors.ts'
import type { EventBody } from './events.ts'
import { previewer, readableText } from './message-previews.ts'
import type { Session } from './session.ts'

/** Code points that a read without a limit returns. */
const DEFAULT_READ = 4000

export interface BranchHandleOptions {
  readonly id: string
  readonly session: Session
  readonly emit: (event: EventBody) => void
  readonly deleteBranch: () => Promise<void>
}

/** A branch as the app holds it. */
export class BranchHandle implements Branch {
  readonly id: string
  readonly #options: BranchHandleOptions

  constructor(options: BranchHandleOptions) {
    this.id = options.id
    this.#options = options
  }

  get policy(): ContextPolicy {
    return this.#options.session.policy
  }

  prepare<Request>(request: Request, options: PrepareOptions = {}): Promise<Prepared<Request>> {
    // What leaves has the shape of what came: the same format, with other messages at the most.
    return this.#options.session.prepare(request, options) as Promise<Prepared<Request>>
  }

  status(): Promise<Status> {
    return this.#options.session.step(async (state) => {
      const { line } = state.current
      const preview = await this.#options.session.preview(state, this.policy)
      const model = state.row.model ?? ''
      return {
        branchId: this.id,
        lineId: line.id,
        entries: line.record.length,
        inView: line.view.length,
        folded: countFolded(line),
        ceiling: preview?.ceiling ?? null,
        scale: scaleNumber(state.scale(model)),
        lastEstimate: preview?.before ?? null,
      }
    })
  }

  getMessages(
    options: { scope?: 'active' | 'all'; start?: number; end?: number } = {},
  ): Promise<MessagePreviews> {
    return this.#options.session.step(async (state) => {
      const { line } = state.current
      const { scope = 'active', start = 0, end = line.record.length } = options
      requireIndex('start', start)
      requireIndex('end', end)
      const indexes = scope === 'active' ? line.view : line.record.map((entry) => entry.index)
      const entries = indexes
        .filter((index) => index >= start && index < end)
        .flatMap((index) => line.record[index] ?? [])
      const messages = await this.#messagesOf(state, entries)
      const preview = previewer(line)
      return {
        total: indexes.length,
        messages: entries.map((entry) => preview(entry, messageOf(messages, entry))),
      }
    })
  }

  readResult(options: { index: number; offset?: number; limit?: number }): Promise<ResultSlice> {
    return this.#options.session.step(async (state) => {
      const { index, offset = 0, limit = DEFAULT_READ } = options
      requireIndex('index', index)
      requireIndex('offset', offset)
      if (!Number.isSafeInteger(limit) || limit < 1) throw badArgument('limit', 'a positive integer', limit)
      const { line } = state.current
      const entry = line.record[index]
      if (!entry) throw badArgument('index', `below ${line.record.length}, the number of entries`, index)
      const messages = await this.#messagesOf(state, [entry])
      const bound = this.policy.toolResultMaxChars
      const applied = Math.min(limit, bound ?? limit)
      const slice = readSlice(readableText(line, entry, messageOf(messages, entry)), {
        offset,
        limit: applied,
      })
      const chars = (slice.nextOffset ?? slice.total) - Math.min(offset, slice.total)
      this.#options.emit({ type: 'result-read', lineId: line.id, index, offset, chars })
      return bound === undefined ? slice : { ...slice, limit: Math.min(applied, READ_LIMIT) }
    })
  }

  restore(options: { start: number; end?: number }): Promise<RestoreReply> {
    return this.#options.session.step(async (state) => {
      const { start, end = start + 1 } = options
      requireIndex('start', start)
      requireIndex('end', end)
      const { record } = state.current.line
      const wanted = record.slice(start, end).map((entry) => entry.index)
      return this.#bringBack(state, wanted)
    })
  }

  restoreFold(foldId: string): Promise<RestoreReply> {
    return this.#options.session.step(async (state) => {
      const members = foldMembers(state.current.line, foldId)
      if (members === null) return { success: false, reason: 'there is no fold of that id on this line' }
      return this.#bringBack(state, members)
    })
  }

  setPolicy(policy: ContextPolicy): Promise<void> {
    return this.#options.session.step(async (state) => {
      const valid = requirePolicy(policy)
      state.setRow({ policy: { ...valid } })
      this.#options.session.setPolicy(valid)
      await state.commit({ lineIds: [], bodies: [], journal: [], durability: 'relaxed' })
    })
  }

  preview(policy?: ContextPolicy): Promise<FoldPreview | null> {
    return this.#options.session.step((state) =>
      this.#options.session.preview(state, policy === undefined ? this.policy : requirePolicy(policy)),
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

  /** Puts entries back where the next request still fits with them; says why not otherwise (R224, R225). */
  async #bringBack(state: BranchState, wanted: readonly number[]): Promise<RestoreReply> {
    const { session, emit } = this.#options
    const restored = restoreEntries(state.current.line, wanted)
    if (restored.type === 'nothing') return { success: false, reason: restored.reason }
    const size = await session.sizeWith(state, restored.line)
    if (size?.overCeiling)
      return {
        success: false,
        reason: `with it the next request would have about ${Math.ceil(size.estimate)} tokens, over its ceiling of ${size.ceiling}; read it in ranges instead`,
      }
    const lineId = restored.line.id
    // Where the size is not known yet, what comes back counts as read, so that the next fold may take it again.
    const delivered = size === null ? state.current.line.delivered : restored.line.delivered
    state.put({ ...restored.line, delivered })
    await state.commit({ lineIds: [lineId], bodies: [], journal: [], durability: 'strict' })
    emit({ type: 'entries-restored', lineId, indexes: restored.indexes })
    return { success: true, restored: restored.indexes, estimate: size?.estimate ?? null }
  }

  async #messagesOf(
    state: BranchState,
    entries: readonly Entry[],
  ): Promise<ReadonlyMap<string, KnownMessage>> {
    const wire = await this.#options.session.wire(state)
    const hashes = [...new Set(entries.flatMap((entry) => entry.source?.hash ?? []))]
    const messages = wire ? await state.messages(hashes, wire) : []
    return new Map(messages.map((message) => [message.hash, message]))
  }
}

/** A policy that an app set, checked; its error names the key, what was expected and what came. */
export function requirePolicy(policy: unknown): ContextPolicy {
  return policyOrThrow(validatePolicy(policy))
}

/** A policy that was stored with a branch: null reads as unset, and whatever is malformed is refused (R243). */
export function requireStoredPolicy(policy: unknown): ContextPolicy {
  return policyOrThrow(validateStoredPolicy(policy))
}

function policyOrThrow(checked: PolicyValidation): ContextPolicy {
  if (checked.type === 'policy') return checked.policy
  const { path, expected, actual } = checked
  throw new DogearError({
    code: 'invalid_policy',
    message: `${path} must be ${expected}, but is ${actual}; nothing was changed`,
    fields: { path, expected, actual },
  })
}

function messageOf(messages: ReadonlyMap<string, KnownMessage>, entry: Entry): KnownMessage | undefined {
  return entry.source && messages.get(entry.source.hash)
}

function countFolded(line: Line): number {
  const inView = new Set(line.view)
  return line.record.filter(({ index, source, slot }) => source && !slot && !inView.has(index)).length
}

function requireIndex(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) throw badArgument(name, 'an integer of at least 0', value)
}

function badArgument(name: string, expected: string, value: number): DogearError {
  return new DogearError({
    code: 'invalid_argument',
    message: `${name} must be ${expected}, but is ${String(value)}`,
    fields: { name, expected },
  })
}
