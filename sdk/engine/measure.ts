import { CountCache } from './count-cache.ts'
import type { Segment, WireFormat, WireMessage } from './format.ts'
import type { KnownField } from './intake.ts'
import type { PartName, PartSize } from './journal.ts'
import { joinOutlines, type Outline, type OwnedText, outlineSegment } from './outline.ts'
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
interface CountedText {
  readonly ends: Outline
  readonly sums: readonly OwnedTokens[]
  readonly media: readonly OwnedTokens[]
}

/** What measuring remembers between requests; one for each counter, for two counters' numbers must not mix. */
export class MeasureMemory {
  readonly counts = new CountCache()
  /** By the engine's own frozen value: apps change theirs, so theirs are never a key. */
  readonly texts = new WeakMap<object, CountedText>()
}

export interface MeasureInput {
  readonly wire: WireFormat
  readonly fields: readonly KnownField[]
  /** Slot messages at the head of the list. */
  readonly leading: readonly WireMessage['snapshot'][]
  readonly messages: readonly WireMessage[]
  readonly record: readonly Entry[]
  readonly memory: MeasureMemory
}

/** Owners of what stands in no entry; an entry's owner is its record index. */
const SYSTEM = -1
const TOOLS = -2
const OTHER = -3

/** One stretch of the request's text, in order. */
interface Stretch {
  /** Absent where the text is a frame of the request itself. */
  readonly key?: unknown
  readonly segments: () => readonly Segment[]
  readonly owner: (local: number) => number
}

/**
 * Measures a request as the count of its counted keys as one JSON text (R23, R27, R28). That text is never put
 * together: known stretches bring their sums, new ones are cut at safe cuts, and what has no count yet is asked
 * for in one wish, the junctions included.
 */
export function* measureRequest(input: MeasureInput): Plan<RequestSize> {
  const { memory } = input
  const fresh: { key: unknown; outline: Outline; media: readonly OwnedTokens[] }[] = []
  const outlines: Outline[] = []
  const tally = new Tally()
  for (const stretch of requestStretches(input)) {
    const known = isKey(stretch.key) ? memory.texts.get(stretch.key) : undefined
    if (known) {
      outlines.push(withOwners(known.ends, stretch.owner))
      for (const sum of known.sums) tally.add(stretch.owner(sum.owner), sum.tokens)
      for (const sum of known.media) tally.addMedia(stretch.owner(sum.owner), sum.tokens)
      continue
    }
    const segments = stretch.segments()
    const outline = joinOutlines(segments.map(outlineSegment))
    const media = segments.flatMap(({ owner, media }) => (media ? [{ owner, tokens: media }] : []))
    fresh.push({ key: stretch.key, outline, media })
    outlines.push(withOwners(outline, stretch.owner))
    for (const sum of media) tally.addMedia(stretch.owner(sum.owner), sum.tokens)
  }
  const pieces = textsOf(joinOutlines(outlines))
  const tokens = yield* countPieces(pieces, memory.counts)
  for (const piece of pieces) tally.add(piece.owner, tokens(piece.text))
  for (const { key, outline, media } of fresh)
    if (isKey(key)) memory.texts.set(key, { ends: endsOf(outline), sums: innerSums(outline, tokens), media })
  return tally.size(input.record)
}

/** The request's text in counting order, without spaces: `{"system":…,"messages":[…],"tools":…}`. */
function* requestStretches(input: MeasureInput): Generator<Stretch> {
  const { wire } = input
  yield frame('{')
  for (const [position, field] of input.fields.entries()) {
    yield frame(`${position > 0 ? ',' : ''}${JSON.stringify(field.key)}:`)
    if (field.type === 'value') {
      const owner = field.part === 'system' ? SYSTEM : field.part === 'tools' ? TOOLS : OTHER
      yield { key: field, segments: () => wire.readValue(field.snapshot), owner: () => owner }
      continue
    }
    yield frame('[')
    let first = true
    for (const snapshot of input.leading) {
      if (!first) yield frame(',')
      first = false
      yield { key: snapshot, segments: () => wire.readMessage(snapshot).segments, owner: () => SYSTEM }
    }
    for (const { snapshot, indexes } of input.messages) {
      if (!first) yield frame(',')
      first = false
      yield {
        key: snapshot,
        segments: () => wire.readMessage(snapshot).segments,
        owner: (local) => indexes[local] ?? OTHER,
      }
    }
    yield frame(']')
  }
  yield frame('}')
}

function frame(text: string): Stretch {
  return { segments: () => [{ owner: 0, text }], owner: () => OTHER }
}

function isKey(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function withOwners(outline: Outline, owner: (local: number) => number): Outline {
  const rename = (text: OwnedText): OwnedText => ({ owner: owner(text.owner), text: text.text })
  if (outline.type === 'loose') return { type: 'loose', ...rename(outline) }
  return {
    type: 'cut',
    head: rename(outline.head),
    pieces: outline.pieces.map(rename),
    tail: rename(outline.tail),
  }
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
