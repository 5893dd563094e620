import type { StoreSharing } from '../ports.ts'

/** How long a step waits for another tab's; a summary that is being written may take longer. */
const WAIT_MS = 5_000

/**
 * What the stores of one database know of each other, in this page and in others. Where the browser has no Web Locks a
 * step is never alone for certain, and only the revisions in the database decide; without BroadcastChannel nobody hears
 * of changes before the next step.
 */
export class IdbSharing implements StoreSharing {
  readonly #name: string
  readonly #listeners = new Set<(branchId: string) => void>()
  #channel: BroadcastChannel | null = null

  constructor(name: string) {
    this.#name = name
  }

  async exclusively<Result>(branchId: string, step: (isAlone: boolean) => Promise<Result>): Promise<Result> {
    const { locks } = globalThis.navigator ?? {}
    if (!locks) return step(true)
    let begun: Promise<Result> | null = null
    try {
      return await locks.request(
        this.#lockName('step', branchId),
        { signal: AbortSignal.timeout(WAIT_MS) },
        () => {
          begun = step(true)
          return begun
        },
      )
    } catch (error) {
      // What the step itself throws is its own; where it never began, nobody can say for how long it would wait.
      if (begun !== null) throw error
      return step(false)
    }
  }

  subscribe(listener: (branchId: string) => void): () => void {
    this.#listeners.add(listener)
    this.#open()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.close()
    }
  }

  /** Tells the others. */
  changed(branchId: string): void {
    this.#open()?.postMessage(branchId)
  }

  hold(branchId: string): () => void {
    const { locks } = globalThis.navigator ?? {}
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    locks
      ?.request(this.#lockName('open', branchId), { mode: 'shared' }, () => released)
      .catch(() => undefined)
    return release
  }

  async held(): Promise<ReadonlySet<string>> {
    const { held = [] } = (await globalThis.navigator?.locks?.query()) ?? {}
    const prefix = this.#lockName('open', '')
    return new Set(held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : [])))
  }

  close(): void {
    this.#channel?.close()
    this.#channel = null
  }

  #open(): BroadcastChannel | null {
    if (this.#channel !== null || typeof BroadcastChannel === 'undefined') return this.#channel
    const channel = new BroadcastChannel(`dogear/${this.#name}`)
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      // Anything of this site can post here.
      if (typeof data !== 'string') return
      for (const listener of [...this.#listeners]) listener(data)
    })
    this.#channel = channel
    return channel
  }

  #lockName(kind: 'step' | 'open', branchId: string): string {
    return `dogear/${this.#name}/${kind}/${branchId}`
  }
}
