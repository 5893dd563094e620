/** How long silence is borne: so many ticks, each of so many milliseconds. */
export interface Patience {
  readonly ticks: number
  readonly tickMs: number
}

/**
 * Calls back after too many ticks of silence. Counts ticks and not time: what the page was blocked or asleep for is
 * one tick, so a page that wakes up does not take its own sleep for the worker's.
 */
export class Watchdog {
  readonly #patience: Patience
  readonly #onSilence: () => void
  readonly #extraTicks: () => number
  #timer: ReturnType<typeof setInterval> | undefined
  #silent = 0

  constructor(options: {
    readonly patience: Patience
    readonly onSilence: () => void
    /** Asked at every tick. */
    readonly extraTicks?: () => number
  }) {
    this.#patience = options.patience
    this.#onSilence = options.onSilence
    this.#extraTicks = options.extraTicks ?? (() => 0)
  }

  /** Begins to watch, or goes on. */
  watch(): void {
    this.#timer ??= setInterval(() => this.#tick(), this.#patience.tickMs)
  }

  /** A sign of life. */
  heard(): void {
    this.#silent = 0
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#silent = 0
  }

  #tick(): void {
    this.#silent += 1
    if (this.#silent <= this.#patience.ticks + this.#extraTicks()) return
    this.stop()
    this.#onSilence()
  }
}
