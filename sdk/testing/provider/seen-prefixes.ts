import type { Piece } from './dialect.ts'
import { digestOf } from './digest.ts'

/** Shorter beginnings are not kept. */
const LEAST_TOKENS = 1024

/** A beginning is looked for in so many blocks, the marked one the last of them. */
const LOOKED_BACK = 20

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
    const ends: { readonly key: string; readonly length: number }[] = []
    const marked: string[] = []
    let read = 0
    let kept = 0
    for (const [place, { text, media = [], isMarked }] of pieces.entries()) {
      const before = ends.at(-1) ?? { key: model, length: 0 }
      // A beginning is named by the one before it and what follows.
      const key = digestOf([before.key, text, ...media].join('\n'))
      const length = before.length + (tokens[place] ?? 0)
      ends.push({ key, length })
      if ((byMarks && !isMarked) || length < LEAST_TOKENS) continue
      const inReach = byMarks ? ends.slice(-LOOKED_BACK) : [{ key, length }]
      read = Math.max(read, ...inReach.filter((end) => this.#ends.has(end.key)).map((end) => end.length))
      kept = length
      marked.push(key)
    }
    for (const key of marked) this.#ends.add(key)
    return { read, written: byMarks ? kept - read : 0 }
  }
}
