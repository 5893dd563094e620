import { nextSafeCut, previousSafeCut } from '../engine/safe-cut.ts'
import type { TextCounter } from './text-counter.ts'

/** UTF-16 units without a safe cut that the bulk counter may be given: its time grows with their square. */
const LONGEST_STRETCH = 256

/** UTF-16 units that the bulk counter is given at once, so that its memory does not grow with the text. */
const CHUNK = 8192

export interface GuardedCounterParts {
  /** Fast enough on ordinary text; slow, or worse, on a long stretch without a safe cut. */
  readonly bulk: TextCounter
  /** Takes the long stretches. Must count as `bulk` does. */
  readonly stretches: TextCounter
}

/**
 * Counts any text with a counter that cannot take every text, exactly: it walks the safe cuts, gives chunks to
 * `bulk` and every stretch of over `LONGEST_STRETCH` units without a cut to `stretches`. Each call to `bulk` has at
 * most `CHUNK` units.
 */
export function createGuardedCounter({ bulk, stretches }: GuardedCounterParts): TextCounter {
  return {
    count(text) {
      let tokens = 0
      let chunk = 0
      let cut = 0
      while (cut < text.length) {
        const end = endWithin(text, cut)
        if (end - cut > LONGEST_STRETCH) {
          if (cut > chunk) tokens += bulk.count(text.slice(chunk, cut))
          tokens += stretches.count(text.slice(cut, end))
          chunk = end
        } else if (end - chunk > CHUNK) {
          tokens += bulk.count(text.slice(chunk, cut))
          chunk = cut
        }
        cut = end
      }
      return chunk < text.length ? tokens + bulk.count(text.slice(chunk)) : tokens
    },
  }
}

/** The furthest cut that is no more than a stretch away from a cut, else the next one; the end of a text is one. */
function endWithin(text: string, cut: number): number {
  const limit = cut + LONGEST_STRETCH
  if (limit >= text.length) return text.length
  const near = previousSafeCut(text, limit)
  if (near > cut) return near
  const far = nextSafeCut(text, limit + 1)
  return far === -1 ? text.length : far
}
