import { BranchState, type BranchStateOptions } from './branch-state.ts'
import { branchDeleted, type DogearError } from './errors.ts'
import { SerialQueue } from './serial-queue.ts'

export interface BranchStepsOptions extends BranchStateOptions {
  /** A step could not wait any longer for somebody else's, and begins beside it. */
  readonly onBusy: () => void
  /** Somebody else changed the branch since the last step. */
  readonly onChanged: (state: BranchState) => void
  /** Somebody else deleted it. */
  readonly onGone: () => void
}

/**
 * The steps of one branch, one after the other, in this page and among all that share its storage: each step holds the
 * branch's lock, for no longer than it takes, and begins from what is stored by then.
 */
export class BranchSteps {
  readonly #options: BranchStepsOptions
  readonly #queue = new SerialQueue()
  #state: Promise<BranchState> | null = null
  #ended: DogearError | null = null
  #isLookingUp = false

  constructor(options: BranchStepsOptions) {
    this.#options = options
  }

  run<Result>(work: (state: BranchState) => Promise<Result>): Promise<Result> {
    const { branchId, store, onBusy } = this.#options
    const step = async (isAlone: boolean): Promise<Result> => {
      if (this.#ended) throw this.#ended
      if (!isAlone) onBusy()
      return work(await this.#current())
    }
    return this.#queue.run(() =>
      store.sharing && !this.#ended ? store.sharing.exclusively(branchId, step) : step(true),
    )
  }

  /** Takes in what somebody else changed, as soon as nothing is under way here; reads, and waits for nobody. */
  lookUp(): void {
    if (this.#state === null || this.#isLookingUp) return
    this.#isLookingUp = true
    this.#queue
      .run(async () => {
        this.#isLookingUp = false
        if (!this.#ended) await this.#current()
      })
      // A branch that was deleted, or cannot be read, says so to whoever asks it for something.
      .catch(() => undefined)
  }

  /** Every later step rejects with the error; nothing is written any more. */
  end(error: DogearError): void {
    this.#ended = error
  }

  /** Resolves when all that was asked for has ended, and what could not be stored was tried once more. */
  async idle(): Promise<void> {
    await this.#queue.idle()
    const state = await this.#state?.catch(() => null)
    await state?.flush().catch(() => undefined)
  }

  async #current(): Promise<BranchState> {
    if (this.#state === null) return this.#load()
    const state = await this.#state
    const found = await state.refresh()
    if (found === 'gone') {
      this.#ended = branchDeleted(this.#options.branchId)
      this.#options.onGone()
      throw this.#ended
    }
    if (found === 'changed') this.#options.onChanged(state)
    return state
  }

  /** On first use; a failed load is tried again on the next. */
  #load(): Promise<BranchState> {
    this.#state ??= BranchState.open(this.#options).catch((error: unknown) => {
      this.#state = null
      throw error
    })
    return this.#state
  }
}
