import type { CountCache } from './count-cache.ts'
import { type CountedText, countedText, countPieces, type FreshText, freshText } from './counted-text.ts'
import type { Segment } from './format.ts'
import { OutlineJoiner } from './outline.ts'
import { Pace } from './pace.ts'
import type { Plan } from './plan.ts'
import type { Entry } from './record.ts'
import { OTHER, type OwnedTokens, Tally } from './tally.ts'

/** What is known of texts that were counted before, and the rates that media are counted by now. */
export interface TextMemory {
  readonly model: string | undefined
  readonly memory: {
    readonly counts: CountCache
    readonly texts: WeakMap<object, CountedText>
  }
}

/** What a text added that is counted already, under its owners in the request. */
interface Added {
  readonly text: readonly OwnedTokens[]
  readonly media: readonly OwnedTokens[]
}

type OwnerOf = (local: number) => number

/** The counted text of a request on its way to its tokens. It is never put together (R23). */
export class RequestText {
  readonly joiner = new OutlineJoiner()
  readonly tally: Tally
  readonly #options: TextMemory
  readonly #pace = new Pace()
  readonly #fresh: { readonly key: object; readonly text: FreshText }[] = []

  constructor(options: TextMemory & { readonly record: readonly Entry[] }) {
    this.tally = new Tally(options.record.length)
    this.#options = options
  }

  addFrame(text: string): void {
    this.joiner.addLoose(OTHER, text)
  }

  /** Adds what a value says, which is read only where the value, the engine's own, was not counted before. */
  *add(key: unknown, read: () => readonly Segment[], ownerOf: OwnerOf): Plan<Added> {
    const known = knownText(key, this.#options)
    if (known) {
      this.joiner.add(known.ends, ownerOf)
      return this.#addCounts({ text: owned(known.sums, ownerOf), media: owned(known.media, ownerOf) })
    }
    const text = yield* freshText(read(), this.#pace)
    if (isKey(key)) this.#fresh.push({ key, text })
    this.joiner.add(text.outline, ownerOf)
    return this.#addCounts({ text: [], media: owned(text.media, ownerOf) })
  }

  /** Counts what has no count yet, in one wish; answers with the tokens of each closed piece. */
  *count(): Plan<(piece: string) => number> {
    const { model, memory } = this.#options
    const pieces = [...this.joiner.closed, this.joiner.open]
    const tokens = yield* countPieces(pieces, memory.counts)
    for (const { owner, text } of pieces) this.tally.add(owner, tokens(text))
    for (const { key, text } of this.#fresh) memory.texts.set(key, countedText(text, tokens, model))
    return tokens
  }

  #addCounts(added: Added): Added {
    this.tally.addAll(added.text)
    this.tally.addMedia(added.media)
    return added
  }
}

/** What is known of a text by the engine's own value. */
export function knownText(key: unknown, { memory, model }: TextMemory): CountedText | undefined {
  const known = isKey(key) ? memory.texts.get(key) : undefined
  return known && (known.media.length === 0 || known.model === model) ? known : undefined
}

export function isKey(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function owned(counts: readonly OwnedTokens[], ownerOf: OwnerOf): readonly OwnedTokens[] {
  return counts.map(({ owner, tokens }) => ({ owner: ownerOf(owner), tokens }))
}
