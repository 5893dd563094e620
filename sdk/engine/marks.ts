import { type EntryEnd, endsUpTo, lastEndOf } from './entry-end.ts'
import type { CacheLifetime, CacheMark, CacheMarks, NativeMessage, WireMessage } from './format.ts'
import type { KnownField } from './intake.ts'
import { markField, markLeading, markMessage, marksOf } from './marked-values.ts'

export interface MarkedRequest {
  readonly fields: readonly KnownField[]
  /** System messages at the head of the list. */
  readonly leading: readonly NativeMessage[]
  readonly messages: readonly WireMessage[]
}

/**
 * Marks the prefixes that later requests repeat, each once, in this order for as long as the provider's limit
 * has room beside the app's own marks: the end of system and tools for an hour, then each of the ends given, then
 * the last message. A longer lifetime never comes after a shorter one because of a mark of ours: where the app's
 * marks leave no lifetime to one, it is left out.
 */
export function placeMarks(input: {
  readonly marks: CacheMarks
  readonly fields: readonly KnownField[]
  readonly leading: readonly NativeMessage[]
  readonly messages: readonly WireMessage[]
  /** Ends of an included first round and of the newest note, in this order (R274). */
  readonly anchors: readonly EntryEnd[]
  /** The app has the provider mark the end of the request. */
  readonly endMark: CacheLifetime | null
}): MarkedRequest {
  const placing = new Placing(input)
  placing.markStablePart()
  for (const anchor of input.anchors) placing.markEnd(anchor)
  // What is said once belongs to no entry, and stands after every mark.
  const last = lastEndOf(input.messages, () => true)
  if (last !== null && input.endMark === null) placing.markEnd(last)
  return placing
}

/** A place in the prefix: the tools, the system, then each message by its drafts. */
type Place = readonly [part: number, draft: number]

const PART_OF_FIELD = { tools: 0, system: 1, other: null } as const
const FIRST_MESSAGE = 2

class Placing implements MarkedRequest {
  fields: readonly KnownField[]
  leading: readonly NativeMessage[]
  messages: readonly WireMessage[]
  readonly #marks: CacheMarks
  readonly #placed: { readonly place: Place; readonly lifetime: CacheLifetime }[] = []

  constructor({ marks, fields, leading, messages, endMark }: Parameters<typeof placeMarks>[0]) {
    this.#marks = marks
    this.fields = fields
    this.messages = messages
    this.leading = leading
    const add = (part: number, found: readonly CacheMark[]): void => {
      for (const { owner, lifetime } of found) this.#placed.push({ place: [part, owner], lifetime })
    }
    for (const field of fields) {
      const part = field.type === 'value' ? PART_OF_FIELD[field.part] : null
      if (field.type === 'value' && part !== null) add(part, marksOf(marks, field.snapshot))
    }
    const snapshots = [...leading, ...messages.map(({ snapshot }) => snapshot)]
    for (const [position, snapshot] of snapshots.entries())
      add(FIRST_MESSAGE + position, marksOf(marks, snapshot))
    if (endMark !== null) add(Number.POSITIVE_INFINITY, [{ owner: 0, lifetime: endMark }])
  }

  /** One mark where the last of it ends: the system where there is one, else the tools. */
  markStablePart(): void {
    if (this.#markLeading()) return
    for (const part of ['system', 'tools'] as const) {
      const field = this.fields.findLast((other) => other.type === 'value' && other.part === part)
      if (field?.type !== 'value') continue
      const place: Place = [PART_OF_FIELD[part], 0]
      const lifetime = this.#lifetimeAt(place, '1h')
      if (lifetime === null) return
      const marked = markField(this.#marks, field, lifetime)
      if (marked === null) continue
      if (marked === field) return
      this.fields = this.fields.map((other) => (other === field ? marked : other))
      this.#placed.push({ place, lifetime })
      return
    }
  }

  /** The system of a format that keeps it at the head of the list. */
  #markLeading(): boolean {
    const position = this.leading.length - 1
    const last = this.leading[position]
    if (last === undefined) return false
    const place: Place = [FIRST_MESSAGE + position, 0]
    const lifetime = this.#lifetimeAt(place, '1h')
    if (lifetime === null) return true
    const marked = markLeading(this.#marks, last, lifetime)
    if (marked === null) return false
    if (marked === last) return true
    this.leading = this.leading.with(position, marked)
    this.#placed.push({ place, lifetime })
    return true
  }

  /** Marks the end of an entry, or the last block before it that may hold a mark. */
  markEnd(end: EntryEnd): void {
    for (const { position, draft } of endsUpTo(this.messages, end)) {
      const place: Place = [FIRST_MESSAGE + this.leading.length + position, draft]
      const lifetime = this.#lifetimeAt(place, '5m')
      if (lifetime === null) return
      const marked = markMessage(this.#marks, this.messages, { position, draft, lifetime })
      if (marked === null) continue
      if (marked === this.messages) return
      this.messages = marked
      this.#placed.push({ place, lifetime })
      return
    }
  }

  /** Null where the limit is reached, or a mark here would stand between a shorter and a longer one. */
  #lifetimeAt(place: Place, wanted: CacheLifetime): CacheLifetime | null {
    if (this.#placed.length >= this.#marks.limit) return null
    const longerAfter = this.#placed.some((mark) => mark.lifetime === '1h' && isAfter(mark.place, place))
    const shorterBefore = this.#placed.some((mark) => mark.lifetime === '5m' && !isAfter(mark.place, place))
    if (longerAfter) return shorterBefore ? null : '1h'
    return shorterBefore ? '5m' : wanted
  }
}

function isAfter(place: Place, other: Place): boolean {
  return place[0] > other[0] || (place[0] === other[0] && place[1] > other[1])
}
