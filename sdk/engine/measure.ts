import { CountCache } from './count-cache.ts'
import type { NativeMessage, Segment, WireFormat, WireMessage } from './format.ts'
import type { KnownField } from './intake.ts'
import type { PartName, PartSize } from './journal.ts'
import { type Outline, OutlineJoiner, type OwnedText, outlineSegment } from './outline.ts'
import { askCounts, type Plan } from './plan.ts'
import type { Entry } from './record.ts'

/** A measured request; every number in tokens, before the scale. */
export interface RequestSize {
  readonly counted: number
  /** Tokens of each entry that the request carries, its media included. */
  readonly entries: ReadonlyMap<number, number>
  /** Adds up to `counted`. */
  readonly parts: readonly PartSize[]
}

interface OwnedTokens {
  readonly owner: number
  readonly tokens: number
}

/** What is kept of a counted text: its loose ends, the sums between them, and its media. Owners are local. */
export interface CountedText {
  readonly ends: Outline
  readonly sums: readonly OwnedTokens[]
  readonly media: readonly OwnedTokens[]
  /** Whose rates the media were counted by. */
  readonly model: string | undefined
}

/** What measuring remembers between requests; one for each counter, for two counters' numbers must not mix. */
export class MeasureMemory {
  readonly counts = new CountCache()
  /** By the engine's own frozen value: apps change theirs, so theirs are never a key. */
  readonly texts = new WeakMap<object, CountedText>()
}

export interface MeasureInput {
  readonly wire: WireFormat
  /** Media cost each model family differently. */
  readonly model: string | undefined
  readonly fields: readonly KnownField[]
  /** Slot messages at the head of the list. */
  readonly leading: readonly NativeMessage[]
  readonly messages: readonly WireMessage[]
  readonly record: readonly Entry[]
  readonly memory: MeasureMemory
}

/** Owners of what stands in no entry; an entry's owner is its record index. */
const SYSTEM = -1
const TOOLS = -2
const OTHER = -3

const OWNER_OF_PART = { system: SYSTEM, tools: TOOLS, other: OTHER } as const

/**
 * Measures a request as the count of its counted keys as one JSON text (R23, R27, R28). That text is never put
 * together: known texts bring their sums, new ones are cut at safe cuts, and what has no count yet is asked
 * for in one wish, the junctions included.
 */
export function* measureRequest(input: MeasureInput): Plan<RequestSize> {
  const { wire, memory, model } = input
  const joiner = new OutlineJoiner()
  const tally = new Tally()
  const fresh: { key: unknown; outline: Outline; media: readonly OwnedTokens[] }[] = []

  const addText = (key: unknown, segments: () => readonly Segment[], ownerOf: OwnerOf): void => {
    const known = isKey(key) ? memory.texts.get(key) : undefined
    if (known && (known.media.length === 0 || known.model === model)) {
      joiner.add(known.ends, ownerOf)
      for (const { owner, tokens } of known.sums) tally.add(ownerOf(owner), tokens)
      for (const { owner, tokens } of known.media) tally.addMedia(ownerOf(owner), tokens)
      return
    }
    const read = segments()
    const own = new OutlineJoiner()
    for (const segment of read) own.add(outlineSegment(segment), identity)
    const outline = own.outline()
    const media = read.flatMap(({ owner, media }) => (media ? [{ owner, tokens: media }] : []))
    fresh.push({ key, outline, media })
    joiner.add(outline, ownerOf)
    for (const { owner, tokens } of media) tally.addMedia(ownerOf(owner), tokens)
  }
  const addMessages = (): void => {
    let separator = '['
    const addMessage = (snapshot: NativeMessage, ownerOf: OwnerOf): void => {
      joiner.addLoose(OTHER, separator)
      separator = ','
      addText(snapshot, () => wire.readMessage(snapshot, { model }).segments, ownerOf)
    }
    for (const snapshot of input.leading) addMessage(snapshot, () => SYSTEM)
    for (const { snapshot, indexes } of input.messages)
      addMessage(snapshot, (local) => indexes[local] ?? OTHER)
    joiner.addLoose(OTHER, separator === '[' ? '[]' : ']')
  }

  // In counting order and without spaces: {"system":…,"messages":[…],"tools":…}
  for (const [position, field] of input.fields.entries()) {
    joiner.addLoose(OTHER, `${position === 0 ? '{' : ','}${JSON.stringify(field.key)}:`)
    if (field.type === 'messages') addMessages()
    else
      addText(
        field,
        () => wire.readValue(field.snapshot, { model }),
        () => OWNER_OF_PART[field.part],
      )
  }
  joiner.addLoose(OTHER, '}')

  const pieces = textsOf(joiner.outline())
  const tokens = yield* countPieces(pieces, memory.counts)
  for (const { owner, text } of pieces) tally.add(owner, tokens(text))
  for (const { key, outline, media } of fresh)
    if (isKey(key))
      memory.texts.set(key, { ends: endsOf(outline), sums: innerSums(outline, tokens), media, model })
  return tally.size(input.record)
}

/** Counts one message by itself, all but its two loose ends, which depend on its neighbours. */
export function* countMessage(
  snapshot: NativeMessage,
  { wire, model, memory }: Pick<MeasureInput, 'wire' | 'model' | 'memory'>,
): Plan<CountedText> {
  const known = isKey(snapshot) ? memory.texts.get(snapshot) : undefined
  if (known && (known.media.length === 0 || known.model === model)) return known
  const joiner = new OutlineJoiner()
  const segments = wire.readMessage(snapshot, { model }).segments
  for (const segment of segments) joiner.add(outlineSegment(segment), identity)
  const outline = joiner.outline()
  const inner = outline.type === 'loose' ? [] : outline.pieces
  const tokens = yield* countPieces(inner, memory.counts)
  const media = segments.flatMap(({ owner, media }) => (media ? [{ owner, tokens: media }] : []))
  const counted = { ends: endsOf(outline), sums: innerSums(outline, tokens), media, model }
  if (isKey(snapshot)) memory.texts.set(snapshot, counted)
  return counted
}

type OwnerOf = (local: number) => number

function identity(owner: number): number {
  return owner
}

function isKey(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function endsOf(outline: Outline): Outline {
  return outline.type === 'loose' ? outline : { ...outline, pieces: [] }
}

function textsOf(outline: Outline): readonly OwnedText[] {
  return outline.type === 'loose' ? [outline] : [outline.head, ...outline.pieces, outline.tail]
}

function innerSums(outline: Outline, tokens: (text: string) => number): readonly OwnedTokens[] {
  if (outline.type === 'loose') return []
  const sums = new Map<number, number>()
  for (const { owner, text } of outline.pieces) sums.set(owner, (sums.get(owner) ?? 0) + tokens(text))
  return [...sums].map(([owner, total]) => ({ owner, tokens: total }))
}

/** Counts each text once, from the cache where it is there. */
function* countPieces(pieces: readonly OwnedText[], cache: CountCache): Plan<(text: string) => number> {
  const tokens = new Map<string, number>()
  const missing: string[] = []
  for (const { text } of pieces) {
    if (tokens.has(text)) continue
    const cached = cache.get(text)
    if (cached === undefined) missing.push(text)
    tokens.set(text, cached ?? 0)
  }
  for (const [position, count] of (yield* askCounts(missing)).entries()) {
    const text = missing[position] ?? ''
    tokens.set(text, count)
    cache.set(text, count)
  }
  return (text) => tokens.get(text) ?? 0
}

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
class Tally {
  readonly #text = new Map<number, number>()
  readonly #media = new Map<number, number>()

  add(owner: number, tokens: number): void {
    this.#text.set(owner, (this.#text.get(owner) ?? 0) + tokens)
  }

  addMedia(owner: number, tokens: number): void {
    this.#media.set(owner, (this.#media.get(owner) ?? 0) + tokens)
  }

  size(record: readonly Entry[]): RequestSize {
    const parts = new Map<PartName, { tokens: number; entries: number }>()
    const entries = new Map<number, number>()
    let counted = 0
    const take = (part: PartName, owner: number, tokens: number): void => {
      const sum = parts.get(part) ?? { tokens: 0, entries: 0 }
      parts.set(part, { tokens: sum.tokens + tokens, entries: sum.entries + (owner >= 0 ? 1 : 0) })
      if (owner >= 0) entries.set(owner, (entries.get(owner) ?? 0) + tokens)
      counted += tokens
    }
    for (const [owner, tokens] of this.#text) take(partOf(owner, record), owner, tokens)
    for (const [owner, tokens] of this.#media) take('media', owner, tokens)
    return {
      counted,
      entries,
      parts: [...parts].map(([part, sum]) => ({ part, ...sum })).filter((part) => part.tokens > 0),
    }
  }
}

function partOf(owner: number, record: readonly Entry[]): PartName {
  if (owner === SYSTEM) return 'system'
  if (owner === TOOLS) return 'tools'
  const entry = record[owner]
  return entry ? PART_OF_KIND[entry.kind] : 'other'
}
