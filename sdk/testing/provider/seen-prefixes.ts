import type { Piece } from './dialect.ts'
import { digestOf } from './digest.ts'

/** Shorter beginnings are not kept. */
const LEAST_TOKENS = 1024

/** What a provider's cache would have of each request: the longest beginning that an earlier one had. */
export class SeenPrefixes {
  readonly #ends = new Set<string>()

  /** Tokens, before the factor, that were read from the cache and that were written to it. */
  take(request: {
    readonly model: string
    readonly pieces: readonly Piece[]
    readonly tokens: readonly number[]
    /** Only what the app marks is kept, and writing it is reported. */
    readonly byMarks: boolean
  }): { readonly read: number; readonly written: number } {
    const { model, pieces, tokens, byMarks } = request
    let key = model
    let length = 0
    let read = 0
    let kept = 0
    for (const [place, { text, isMarked }] of pieces.entries()) {
      // A beginning is named by the one before it and what follows.
      key = digestOf(`${key}\n${text}`)
      length += tokens[place] ?? 0
      if (byMarks && !isMarked) continue
      if (length < LEAST_TOKENS) continue
      if (this.#ends.has(key)) read = length
      kept = length
      this.#ends.add(key)
    }
    return { read, written: byMarks ? kept - read : 0 }
  }
}
