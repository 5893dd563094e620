import { DogearError, type DogearErrorCode } from './errors.ts'
import type { BranchChange, BranchStore } from './ports.ts'

/** Failures that the same change meets again however often it is tried. */
const HOPELESS: ReadonlySet<DogearErrorCode> = new Set(['store_newer', 'body_missing'])

/** What was stored is not what the change was made from. */
const STALE: ReadonlySet<DogearErrorCode> = new Set(['store_stale', 'store_conflict'])

/**
 * Commits a branch's steps, and keeps what could not be committed to try again with the next one, so that a
 * full disk costs no conversation: it goes on from memory.
 */
export class BranchSaver {
  readonly #store: BranchStore
  readonly #onFailure: (error: DogearError) => void
  #unsaved: BranchChange | null = null
  #failing = false
  #stopped = false

  constructor(options: { readonly store: BranchStore; readonly onFailure: (error: DogearError) => void }) {
    this.#store = options.store
    this.#onFailure = options.onFailure
  }

  get unsaved(): BranchChange | null {
    return this.#unsaved
  }

  unsavedBody(hash: string): string | undefined {
    return this.#unsaved?.bodies.find((body) => body.hash === hash)?.json
  }

  /** What could not be stored is to be stored in another form. */
  replace(unsaved: BranchChange | null): void {
    this.#unsaved = unsaved
  }

  /**
   * Resolves when the change is stored with all that was left over, when storing failed and that has been said, or
   * with `stale` where somebody else changed the branch meanwhile.
   */
  async save(change: BranchChange | null): Promise<'saved' | 'failed' | 'stale'> {
    const whole = this.#unsaved && change ? merge(this.#unsaved, change) : (change ?? this.#unsaved)
    if (whole === null) return 'saved'
    this.#unsaved = whole
    if (this.#stopped) return 'failed'
    try {
      await this.#store.commit(whole)
      this.#unsaved = null
      this.#failing = false
      return 'saved'
    } catch (error) {
      const failure = storeError(error)
      if (STALE.has(failure.code)) return 'stale'
      this.failed(failure)
      return 'failed'
    }
  }

  /** Says a failure once, until something could be stored again. */
  failed(failure: DogearError): void {
    if (!this.#failing) this.#onFailure(failure)
    this.#failing = true
    this.#stopped = HOPELESS.has(failure.code)
  }
}

function merge(earlier: BranchChange, later: BranchChange): BranchChange {
  const replaced = new Set(later.lines.map((line) => line.lineId))
  return {
    branch: later.branch,
    ...(later.from === undefined ? {} : { from: later.from }),
    lines: [...earlier.lines.filter((line) => !replaced.has(line.lineId)), ...later.lines],
    entries: [...earlier.entries, ...later.entries],
    bodies: [...earlier.bodies, ...later.bodies],
    journal: [...earlier.journal, ...later.journal],
    durability: 'strict',
  }
}

function storeError(error: unknown): DogearError {
  return DogearError.isInstance(error)
    ? error
    : new DogearError({
        code: 'store_failed',
        message: 'the branch could not be stored; the conversation goes on from memory',
        cause: error,
      })
}
