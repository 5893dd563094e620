import type { CompiledEntry } from './branch.ts'
import type { DecidedRequest } from './engine/decide.ts'
import { DogearError } from './errors.ts'

/** Requests whose composition is kept, the newest of this page. */
const KEPT_REQUESTS = 50

/** What the newest requests of a branch held. */
export class CompiledRequests {
  readonly #decided = new Map<string, Pick<DecidedRequest, 'line' | 'size'>>()

  keep(requestId: string, { line, size }: DecidedRequest): void {
    // An attempt takes the place of the one before it, as the newest.
    this.#decided.delete(requestId)
    this.#decided.set(requestId, { line, size })
    const [oldest] = this.#decided.keys()
    if (this.#decided.size > KEPT_REQUESTS && oldest !== undefined) this.#decided.delete(oldest)
  }

  /** Rejects with `invalid_argument` for a request that is not kept. */
  async of(requestId: string): Promise<readonly CompiledEntry[]> {
    const decided = this.#decided.get(requestId)
    if (decided) return (await import('./compiled-entries.ts')).compiledEntries(decided)
    throw new DogearError({
      code: 'invalid_argument',
      message: `what request "${String(requestId)}" held is not known: it is known of the newest ${KEPT_REQUESTS} of this page; journal() tells of all`,
      fields: { requestId },
    })
  }
}
