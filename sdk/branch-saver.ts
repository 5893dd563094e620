import { DogearError, type DogearErrorCode } from './errors.ts'
import type { BranchChange, BranchStore } from './ports.ts'

/** Failures that the same change meets again however often it is tried. */
const HOPELESS: ReadonlySet<DogearErrorCode> = new Set(['store_conflict', 'store_newer', 'body_missing'])

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

  unsavedBody(hash: string): string | undefined {
    return this.#unsaved?.bodies.find((body) => body.hash === hash)?.json
  }

  get unsavedJournal(): BranchChange['journal'] {
    return this.#unsaved?.journal ?? []
  }

  /** Resolves when the change is stored, or when storing failed and that has been said. */
  async save(change: BranchChange): Promise<void> {
    const whole = this.#unsaved === null ? change : merge(this.#unsaved, change)
    if (this.#stopped) {
      this.#unsaved = whole
      return
    }
    try {
      await this.#store.commit(whole)
      this.#unsaved = null
      this.#failing = false
    } catch (error) {
      this.#unsaved = whole
      const failure = storeError(error)
      if (!this.#failing) this.#onFailure(failure)
      this.#failing = true
      this.#stopped = HOPELESS.has(failure.code)
    }
  }
}

function merge(earlier: BranchChange, later: BranchChange): BranchChange {
  const replaced = new Set(later.lines.map((line) => line.lineId))
  return {
    branch: later.branch,
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
