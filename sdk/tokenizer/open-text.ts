import { previousSafeCut } from '../engine/safe-cut.ts'
import type { TextCounter } from './text-counter.ts'

/**
 * Counts a text that comes in parts, which may be cut anywhere. Keeps no more of it than what stands after its last
 * safe cut, so the memory it takes does not grow with the text.
 */
export class OpenText {
  #tokens = 0
  /** Joined only when it is counted: a string that grew part by part would be copied again for every part. */
  #rest: string[] = []

  add(part: string, counter: TextCounter): void {
    // Only the part is searched: the rest has no cut but, with its last unit, where the two meet.
    const before = this.#rest.at(-1)?.slice(-1) ?? ''
    const seen = before + part
    const cut = previousSafeCut(seen, seen.length - 1)
    if (cut === -1) {
      if (part !== '') this.#rest.push(part)
      return
    }
    const end = cut - before.length
    this.#tokens += counter.count(this.#rest.join('') + part.slice(0, end))
    this.#rest = [part.slice(end)]
  }

  /** UTF-16 units that are not counted yet. */
  get held(): number {
    return this.#rest.reduce((units, part) => units + part.length, 0)
  }

  /** Tokens of all the parts as one text. */
  close(counter: TextCounter): number {
    return this.#tokens + counter.count(this.#rest.join(''))
  }
}
