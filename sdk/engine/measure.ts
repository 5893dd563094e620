import { CountCache } from './count-cache.ts'
import { type CountedText, countedText, countPieces, freshText } from './counted-text.ts'
import type { NativeMessage, WireFormat, WireMessage } from './format.ts'
import type { KnownField } from './intake.ts'
import { type ChainLink, countedLink, isSamePlace, type Place, type UncountedLink } from './measured-chain.ts'
import { mayPause, Pace } from './pace.ts'
import type { Plan } from './plan.ts'
import type { Entry } from './record.ts'
import { isKey, knownText, RequestText } from './request-text.ts'
import { segmentsOf } from './taken-segments.ts'
import { OTHER, type RequestSize, SYSTEM, TOOLS } from './tally.ts'

export type { CountedText } from './counted-text.ts'
export type { RequestSize } from './tally.ts'

/** What measuring remembers between requests; one for each counter, for two counters' numbers must not mix. */
export class MeasureMemory {
  readonly counts = new CountCache()
  /** By the engine's own frozen value: apps change theirs, so theirs are never a key. */
  readonly texts = new WeakMap<object, CountedText>()
  /** The list that was measured last, by its first message: the next one mostly begins with it. */
  readonly chains = new WeakMap<object, readonly ChainLink[]>()
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
  /** Tokens of a prefix that the provider holds; 0 where there is none. */
  readonly held?: number
  readonly memory: MeasureMemory
}

const OWNER_OF_PART = { system: SYSTEM, tools: TOOLS, other: OTHER } as const

/**
 * Measures a request as the count of its counted keys as one JSON text (R23, R27, R28). That text is never put
 * together: known texts bring their sums, new ones are cut at safe cuts, and what has no count yet is asked
 * for in one wish, the junctions included.
 */
export function* measureRequest(input: MeasureInput): Plan<RequestSize> {
  const { wire, model } = input
  const text = new RequestText(input)
  let links: readonly (ChainLink | UncountedLink)[] = []
  // Whoever asks has just put the list together.
  yield mayPause
  // In counting order and without spaces: {"system":…,"messages":[…],"tools":…}
  for (const [position, field] of input.fields.entries()) {
    text.addFrame(`${position === 0 ? '{' : ','}${JSON.stringify(field.key)}:`)
    if (field.type === 'messages') links = yield* addMessages(text, input)
    else {
      const owner = OWNER_OF_PART[field.part]
      yield* text.add(
        field,
        () => wire.readValue(field.snapshot, { model }),
        () => owner,
      )
    }
  }
  text.addFrame('}')
  text.tally.add(SYSTEM, input.held ?? 0)
  const tokens = yield* text.count()
  const first = links[0]?.snapshot
  if (isKey(first))
    input.memory.chains.set(
      first,
      links.map((link) => ('from' in link ? countedLink(link, text.joiner.closed, tokens) : link)),
    )
  return text.tally.size(input.record)
}

/**
 * Adds the list, message by message; what the last measured list holds in the same place is taken over as it is.
 * One text in the place of a list has no brackets.
 */
function* addMessages(
  text: RequestText,
  { wire, model, leading, messages, memory }: MeasureInput,
): Plan<readonly (ChainLink | UncountedLink)[]> {
  const { joiner, tally } = text
  const first = leading[0] ?? messages[0]?.snapshot
  const before = (isKey(first) ? memory.chains.get(first) : undefined) ?? []
  const links: (ChainLink | UncountedLink)[] = []
  const pace = new Pace()
  const isText = leading.length === 0 && messages.length === 1 && typeof first === 'string'
  const slots = leading.map((snapshot) => ({ snapshot, indexes: null }))
  for (const { snapshot, indexes } of [...slots, ...messages]) {
    const place: Place = { snapshot, indexes, before: joiner.open, model }
    const known = before[links.length]
    if (known && isSamePlace(known, place)) {
      joiner.resume(known.after)
      tally.addAll(known.text)
      tally.addMedia(known.media)
      links.push(known)
    } else {
      const from = joiner.closed.length
      if (!isText) text.addFrame(links.length === 0 ? '[' : ',')
      const added = yield* text.add(
        snapshot,
        () => segmentsOf(snapshot, { wire, model }),
        (local) => (indexes === null ? SYSTEM : (indexes[local] ?? OTHER)),
      )
      links.push({ ...place, ...added, after: joiner.open, from, to: joiner.closed.length })
    }
    if (pace.isDue(0)) yield mayPause
  }
  if (!isText) text.addFrame(links.length === 0 ? '[]' : ']')
  return links
}

/** Counts one message by itself, all but its two loose ends, which depend on its neighbours. */
export function* countMessage(
  snapshot: NativeMessage,
  input: Pick<MeasureInput, 'wire' | 'model' | 'memory'>,
): Plan<CountedText> {
  const known = knownText(snapshot, input)
  if (known) return known
  const fresh = yield* freshText(segmentsOf(snapshot, input), new Pace())
  const inner = fresh.outline.type === 'loose' ? [] : fresh.outline.pieces
  const counted = countedText(fresh, yield* countPieces(inner, input.memory.counts), input.model)
  if (isKey(snapshot)) input.memory.texts.set(snapshot, counted)
  return counted
}
