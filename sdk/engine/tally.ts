import type { PartName, PartSize } from './journal.ts'
import type { Entry } from './record.ts'

/** A measured request; every number in tokens, before the scale. */
export interface RequestSize {
  readonly counted: number
  /** Tokens of each entry that the request carries, its media included. */
  readonly entries: ReadonlyMap<number, number>
  /** Adds up to `counted`. */
  readonly parts: readonly PartSize[]
}

export function tokensOfPart({ parts }: RequestSize, part: PartName): number {
  return parts.find((size) => size.part === part)?.tokens ?? 0
}

export interface OwnedTokens {
  readonly owner: number
  readonly tokens: number
}

/** Owners of what stands in no entry; an entry's owner is its record index. */
export const SYSTEM = -1
export const TOOLS = -2
export const OTHER = -3

const LEAST_OWNER = OTHER

const PART_OF_KIND: Readonly<Record<Entry['kind'], PartName>> = {
  system: 'system',
  instruction: 'instruction',
  answer: 'answer',
  call: 'call',
  result: 'result',
  copy: 'result',
  note: 'note',
}

/** Adds up tokens by owner, and media apart from text. */
export class Tally {
  /** By owner, from the least one on: a long chat has thousands, and every send adds them all up. */
  readonly #text: number[] = []
  readonly #media: number[] = []

  /** For so many entries. */
  constructor(entries: number) {
    // Arrays that grow by large steps become slow.
    this.#text.length = entries - LEAST_OWNER
    this.#media.length = entries - LEAST_OWNER
  }

  add(owner: number, tokens: number): void {
    add(this.#text, owner, tokens)
  }

  addAll(counts: readonly OwnedTokens[]): void {
    for (const { owner, tokens } of counts) add(this.#text, owner, tokens)
  }

  addMedia(counts: readonly OwnedTokens[]): void {
    for (const { owner, tokens } of counts) add(this.#media, owner, tokens)
  }

  size(record: readonly Entry[]): RequestSize {
    const parts = new Map<PartName, { tokens: number; entries: number }>()
    let counted = 0
    const take = (part: PartName, owner: number, tokens: number): void => {
      const sum = parts.get(part) ?? { tokens: 0, entries: 0 }
      parts.set(part, sum)
      sum.tokens += tokens
      counted += tokens
      if (owner >= 0) sum.entries += 1
    }
    forEachOwner(this.#text, (owner, tokens) => take(partOf(owner, record), owner, tokens))
    forEachOwner(this.#media, (owner, tokens) => take('media', owner, tokens))
    let entries: ReadonlyMap<number, number> | undefined
    const entriesOf = (): ReadonlyMap<number, number> => this.#entries()
    return {
      counted,
      parts: [...parts].map(([part, sum]) => ({ part, ...sum })).filter((part) => part.tokens > 0),
      // Put together when it is asked for, which a send does not.
      get entries() {
        entries ??= entriesOf()
        return entries
      },
    }
  }

  #entries(): ReadonlyMap<number, number> {
    const entries = new Map<number, number>()
    const take = (owner: number, tokens: number): void => {
      if (owner >= 0) entries.set(owner, (entries.get(owner) ?? 0) + tokens)
    }
    forEachOwner(this.#text, take)
    forEachOwner(this.#media, take)
    return entries
  }
}

function forEachOwner(sums: readonly number[], take: (owner: number, tokens: number) => void): void {
  for (let place = 0; place < sums.length; place++) {
    const tokens = sums[place]
    if (tokens !== undefined) take(place + LEAST_OWNER, tokens)
  }
}

function add(sums: number[], owner: number, tokens: number): void {
  const place = owner - LEAST_OWNER
  sums[place] = (sums[place] ?? 0) + tokens
}

function partOf(owner: number, record: readonly Entry[]): PartName {
  if (owner === SYSTEM) return 'system'
  if (owner === TOOLS) return 'tools'
  const entry = record[owner]
  return entry ? PART_OF_KIND[entry.kind] : 'other'
}
