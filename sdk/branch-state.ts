import { BranchSaver } from './branch-saver.ts'
import { utf8Bytes } from './engine/byte-bound.ts'
import type { Anchor } from './engine/choose-method.ts'
import type { Digest } from './engine/digest.ts'
import type { NativeMessage, WireFormat } from './engine/format.ts'
import type { KnownMessage } from './engine/intake.ts'
import { understand } from './engine/intake.ts'
import { emptyLine, type Line } from './engine/record.ts'
import { initialScale, type Scale } from './engine/scale.ts'
import type { TurnState } from './engine/turn.ts'
import { branchDeleted, DogearError } from './errors.ts'
import {
  type BodyRow,
  type BranchChange,
  type BranchRow,
  type BranchStore,
  type Clock,
  type EntryRow,
  type JournalRow,
  type LineRow,
  type NewId,
  revisionOf,
  type StoredBranch,
} from './ports.ts'
import { soundRows } from './sound-rows.ts'
import { entryRows, lineRow, linesOf, type SessionLine } from './stored-branch.ts'

export interface BranchStateOptions {
  readonly branchId: string
  readonly store: BranchStore
  readonly clock: Clock
  readonly newId: NewId
  readonly digest: Digest
  readonly onStoreFailure: (error: DogearError) => void
}

/** Journal rows as a step hands them over; the state gives them their sequence. */
export type JournalEntry = JournalRow extends infer Row
  ? Row extends JournalRow
    ? Omit<Row, 'branchId' | 'sequence'>
    : never
  : never

/** A branch as it is at one moment. */
export interface BranchSnapshot {
  readonly row: BranchRow
  readonly lines: readonly LineRow[]
  readonly entries: readonly EntryRow[]
  readonly journal: readonly JournalRow[]
}

/** One branch in memory and its way to the store. Lines are values: a step replaces them and commits once. */
export class BranchState {
  readonly #options: BranchStateOptions
  readonly #saver: BranchSaver
  #lines: Map<string, SessionLine>
  /** Entries of each line that the store has or will get with the next commit. */
  readonly #stored = new Map<string, number>()
  /** Lines that became others, since somebody else had appended to them first. */
  readonly #renamed = new Map<string, string>()
  #newest: readonly KnownMessage[] = []
  #known: Map<string, KnownMessage> | null = null
  #row: BranchRow
  /** Revision of what is stored, as far as it is known here: '' where it has none; null: nothing is. */
  #revision: string | null = null

  private constructor(options: BranchStateOptions, row: BranchRow, lines: ReadonlyMap<string, SessionLine>) {
    this.#options = options
    this.#row = row
    this.#lines = new Map(lines)
    this.#saver = new BranchSaver({ store: options.store, onFailure: options.onStoreFailure })
  }

  static async open(options: BranchStateOptions): Promise<BranchState> {
    const stored = await options.store.load(options.branchId)
    if (stored) {
      const state = new BranchState(options, stored.branch, new Map())
      await state.#take(stored)
      return state
    }
    const now = options.clock()
    const lineId = options.newId()
    const row: BranchRow = {
      id: options.branchId,
      createdAt: now,
      updatedAt: now,
      lineId,
      policy: {},
      entryCount: 0,
      bytes: 0,
      sequence: 0,
      scales: {},
    }
    return new BranchState(
      options,
      row,
      new Map([[lineId, { line: emptyLine(lineId), anchor: null, turn: null, updatedAt: now }]]),
    )
  }

  /**
   * Takes in what somebody else stored of the branch since it was last read or written here. `gone`: it was deleted.
   * Where that cannot be read, the branch goes on as it is known.
   */
  async refresh(): Promise<'known' | 'changed' | 'gone'> {
    const { store, branchId } = this.#options
    const row = await store.row(branchId).catch(() => undefined)
    if (row === undefined || revisionOf(row) === this.#revision) return 'known'
    return (await this.#reload()) ? 'changed' : 'gone'
  }

  /** What a line is called now that was another one when a request was made from it. */
  lineIdOf(lineId: string): string {
    return this.#renamed.get(lineId) ?? lineId
  }

  get row(): BranchRow {
    return this.#row
  }

  /** The line that the last prepare chose. */
  get current(): SessionLine {
    const line = this.#lines.get(this.#row.lineId)
    if (line === undefined)
      throw new TypeError(`branch row names line ${this.#row.lineId}, which was not loaded`)
    return line
  }

  /** The current line first, then the newest. */
  lines(): readonly SessionLine[] {
    const { current } = this
    const others = [...this.#lines.values()].filter((line) => line !== current)
    return [current, ...others.sort((a, b) => b.updatedAt - a.updatedAt)]
  }

  line(id: string): SessionLine | undefined {
    return this.#lines.get(id)
  }

  /** Replaces a line; what is not given beside it stays as it is. */
  put(line: Line, beside: { readonly anchor?: Anchor | null; readonly turn?: TurnState } = {}): void {
    const known = this.#lines.get(line.id)
    this.#lines.set(line.id, {
      line,
      anchor: beside.anchor === undefined ? (known?.anchor ?? null) : beside.anchor,
      turn: beside.turn ?? known?.turn ?? null,
      updatedAt: this.#options.clock(),
    })
  }

  setRow(change: Partial<BranchRow>): void {
    this.#row = { ...this.#row, ...change }
  }

  scale(model: string): Scale {
    const { scales } = this.#row
    return Object.hasOwn(scales, model) ? (scales[model] ?? initialScale) : initialScale
  }

  get digest(): Digest {
    return this.#options.digest
  }

  newId(): string {
    return this.#options.newId()
  }

  /** The next number of the branch's events and journal. */
  nextSequence(): number {
    const { sequence } = this.#row
    this.setRow({ sequence: sequence + 1 })
    return sequence
  }

  /** Messages by content hash, in the order asked, without those that are lost; from memory where they are there. */
  async messages(hashes: readonly string[], wire: WireFormat): Promise<readonly KnownMessage[]> {
    if (hashes.length === 0) return []
    const bodies = this.#atHand()
    const absent = [...new Set(hashes)].filter((hash) => !bodies.has(hash))
    const unsaved = absent.filter((hash) => this.#saver.unsavedBody(hash) !== undefined)
    const stored = absent.filter((hash) => this.#saver.unsavedBody(hash) === undefined)
    const loaded = await this.#bodies(stored)
    const take = (hash: string, json: string): void => {
      bodies.set(hash, understand(json, wire, this.#options.digest))
    }
    for (const hash of unsaved) take(hash, this.#saver.unsavedBody(hash) ?? 'null')
    for (const [hash, body] of loaded) take(hash, JSON.stringify(body))
    return hashes.flatMap((hash) => bodies.get(hash) ?? [])
  }

  /** Those of the bodies that the store has and can read: one that is lost must not cost the others. */
  async #bodies(hashes: readonly string[]): Promise<ReadonlyMap<string, NativeMessage>> {
    const { store } = this.#options
    if (hashes.length === 0) return new Map()
    try {
      const bodies = await store.bodies(hashes)
      return new Map(hashes.map((hash, position) => [hash, bodies[position] as NativeMessage]))
    } catch (error) {
      if (!isBodyFault(error)) throw error
    }
    const found = new Map<string, NativeMessage>()
    for (const hash of hashes) {
      const [body] = await store.bodies([hash]).catch((error: unknown) => {
        if (isBodyFault(error)) return []
        throw error
      })
      if (body !== undefined) found.set(hash, body)
    }
    return found
  }

  /** JSON text of a body as the store has it; rejects as the store does. */
  async storedBody(hash: string): Promise<string> {
    const [body] = await this.#options.store.bodies([hash])
    return JSON.stringify(body)
  }

  /** Those of the bodies that could not be stored yet. */
  unsavedBodies(hashes: Iterable<string>): readonly BodyRow[] {
    return [...new Set(hashes)].flatMap((hash) => {
      const json = this.#saver.unsavedBody(hash)
      return json === undefined ? [] : [{ hash, json }]
    })
  }

  /** Keeps the messages of the newest list at hand, and forgets those that only an older one held. */
  remember(messages: readonly KnownMessage[]): void {
    this.#newest = messages
    this.#known = null
  }

  /** By content hash; put together when it is asked for, which a send does not. */
  #atHand(): Map<string, KnownMessage> {
    this.#known ??= new Map(this.#newest.map((message) => [message.hash, message]))
    return this.#known
  }

  /**
   * Stores what changed in one transaction. A failure is said once and tried again; only a branch that somebody else
   * deleted rejects, with `branch_deleted`.
   */
  async commit(step: {
    readonly lineIds: readonly string[]
    readonly bodies: readonly BodyRow[]
    readonly journal: readonly JournalEntry[]
    readonly durability: 'strict' | 'relaxed'
  }): Promise<void> {
    const { branchId, clock } = this.#options
    // The row names the current line, so that one must be there from the first commit on.
    const current = this.#stored.has(this.#row.lineId) ? [] : [this.#row.lineId]
    const lines = [...new Set([...step.lineIds, ...current])].flatMap((id) => this.#lines.get(id) ?? [])
    const entries = lines.flatMap(({ line }) => entryRows(branchId, line, this.#stored.get(line.id) ?? 0))
    for (const { line } of lines) this.#stored.set(line.id, line.record.length)
    const journal = step.journal.map(
      (row): JournalRow => ({ ...row, branchId, sequence: this.nextSequence() }),
    )
    const bytes = step.bodies.reduce((sum, body) => sum + utf8Bytes(body.json), 0)
    this.setRow({
      updatedAt: clock(),
      entryCount: this.#row.entryCount + entries.length,
      bytes: this.#row.bytes + bytes,
      revision: this.#options.newId(),
    })
    await this.#save({
      branch: this.#row,
      from: this.#revision,
      lines: lines.map((line) => lineRow(branchId, line)),
      entries,
      bodies: step.bodies,
      journal,
      durability: step.durability,
    })
  }

  /** All of the branch but its bodies, what could not be stored yet as well. */
  async snapshot(): Promise<BranchSnapshot> {
    const { branchId } = this.#options
    const lines = [...this.#lines.values()]
    return {
      row: this.#row,
      lines: lines.map((line) => lineRow(branchId, line)),
      entries: lines.flatMap(({ line }) => entryRows(branchId, line, 0)),
      journal: await this.journal(),
    }
  }

  /** JSON text of a body, wherever it is by now; rejects as the store does. */
  async bodyText(hash: string): Promise<string> {
    return this.#saver.unsavedBody(hash) ?? this.storedBody(hash)
  }

  /** Tries once more to store what could not be stored yet. */
  async flush(): Promise<void> {
    if (this.#saver.unsaved) await this.#save(null)
  }

  async #save(change: BranchChange | null): Promise<void> {
    let outcome = await this.#saver.save(change)
    for (let tries = 0; outcome === 'stale' && tries < MOST_REBASES; tries++) {
      if (!(await this.#reload())) throw branchDeleted(this.#options.branchId)
      outcome = await this.#saver.save(null)
    }
    if (outcome === 'saved') this.#revision = revisionOf(this.#row)
    if (outcome === 'stale') this.#saver.failed(neverAlone(this.#options.branchId))
  }

  /** Reads the branch anew, with what is not stored of it made from that. False where it was deleted. */
  async #reload(): Promise<boolean> {
    const { store, branchId, newId } = this.#options
    const stored = await store.load(branchId)
    if (stored === null) return false
    const { unsaved } = this.#saver
    if (unsaved === null) {
      await this.#take(stored)
      return true
    }
    // Two tabs seldom write at once, and a disk is seldom full.
    const { rebase } = await import('./rebase.ts')
    const { change, renamed } = rebase(unsaved, stored, newId)
    this.#saver.replace(change)
    for (const [before, now] of renamed) this.#renamed.set(before, now)
    const replaced = new Set(change.lines.map(({ lineId }) => lineId))
    await this.#take({
      branch: change.branch,
      lines: [...stored.lines.filter(({ lineId }) => !replaced.has(lineId)), ...change.lines],
      entries: [...stored.entries, ...change.entries],
    })
    this.#revision = revisionOf(stored.branch)
    return true
  }

  async #take(stored: StoredBranch): Promise<void> {
    const sound = await soundRows(stored)
    this.#row = stored.branch
    this.#revision = revisionOf(stored.branch)
    this.#lines = new Map(linesOf(sound))
    this.#stored.clear()
    for (const [id, { line }] of this.#lines) this.#stored.set(id, line.record.length)
  }

  /** The journal, with what could not be stored yet. */
  async journal(): Promise<readonly JournalRow[]> {
    const stored = await this.#options.store.journal(this.#options.branchId)
    return [...stored, ...(this.#saver.unsaved?.journal ?? [])]
  }
}

/** With the lock of a step nobody comes between; without, somebody may, and not for ever. */
const MOST_REBASES = 3

function neverAlone(branchId: string): DogearError {
  return new DogearError({
    code: 'store_stale',
    message: `branch "${branchId}" was changed by others each time that this page wanted to store it; the conversation goes on from memory, and the next step tries again`,
    fields: { branchId },
  })
}

/** Of one body, and not of the store. */
function isBodyFault(error: unknown): boolean {
  if (!DogearError.isInstance(error)) return false
  return error.code === 'body_missing' || (error.code === 'store_failed' && 'hash' in error.fields)
}
