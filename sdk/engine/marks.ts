import type { CacheLifetime, CacheMark, CacheMarks, NativeMessage, WireMessage } from './format.ts'
import type { KnownField, KnownMessage } from './intake.ts'
import type { JsonValue } from './json.ts'
import type { Entry } from './record.ts'

/** The end of an entry in the messages that are sent: their position, and the draft. */
export interface EntryEnd {
  readonly position: number
  readonly draft: number
}

/** Where the last of some entries ends in the messages that are sent; null where none of them is sent. */
export function lastEndOf(
  messages: readonly WireMessage[],
  isWanted: (index: number) => boolean,
): EntryEnd | null {
  for (let position = messages.length - 1; position >= 0; position--) {
    const draft = messages[position]?.indexes.findLastIndex(isWanted) ?? -1
    if (draft >= 0) return { position, draft }
  }
  return null
}

/**
 * Gives back the marks that the app set on blocks which are not sent any more: each moves to the last block
 * before it that is (rules.md 6, "Cache marks"), and joins a mark that stands there. Where nothing stands before
 * it there is no prefix to mark.
 */
export function moveMarks(input: {
  readonly marks: CacheMarks
  /** The app's list, by the record index of each message's first draft. */
  readonly list: readonly { readonly first: number; readonly known: KnownMessage }[]
  readonly messages: readonly WireMessage[]
  readonly record: readonly Entry[]
}): readonly WireMessage[] {
  const { marks, list, record } = input
  const sent = new Set(input.messages.map(({ snapshot }) => snapshot))
  const marked = list.filter(
    ({ known }) => !sent.has(known.snapshot) && marksOf(marks, known.snapshot).length > 0,
  )
  if (marked.length === 0) return input.messages
  let messages = input.messages
  const standing = new Map<number, number>()
  for (const { snapshot, indexes } of messages)
    for (const { owner } of marksOf(marks, snapshot)) countUp(standing, indexes[owner] ?? -1)
  for (const { first, known } of marked)
    for (const { owner, lifetime } of marksOf(marks, known.snapshot)) {
      const index = first + owner
      const left = standing.get(index) ?? 0
      standing.set(index, left - 1)
      if (left > 0) continue
      const end = lastEndOf(messages, (other) => placeOf(record, other) <= index)
      if (end !== null) messages = markUpTo(marks, messages, { ...end, lifetime })
    }
  return messages
}

export interface MarkedRequest {
  readonly fields: readonly KnownField[]
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
  messages: readonly WireMessage[]
  readonly #marks: CacheMarks
  readonly #leading: number
  readonly #placed: { readonly place: Place; readonly lifetime: CacheLifetime }[] = []

  constructor({ marks, fields, leading, messages, endMark }: Parameters<typeof placeMarks>[0]) {
    this.#marks = marks
    this.fields = fields
    this.messages = messages
    this.#leading = leading.length
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

  /** Marks the end of an entry, or the last block before it that may hold a mark. */
  markEnd(end: EntryEnd): void {
    for (const { position, draft } of endsUpTo(this.messages, end)) {
      const place: Place = [FIRST_MESSAGE + this.#leading + position, draft]
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

/** An entry's place in the order of the record: a note stands where what it replaced began (R220). */
function placeOf(record: readonly Entry[], index: number): number {
  return record[index]?.note?.firstIndex ?? index
}

/** An end, then those of the messages before it, newest first. */
function* endsUpTo(messages: readonly WireMessage[], end: EntryEnd): Iterable<EntryEnd> {
  yield end
  for (let position = end.position - 1; position >= 0; position--)
    yield { position, draft: (messages[position]?.indexes.length ?? 0) - 1 }
}

/** The messages with one more mark, or themselves where that place is marked; null where it may hold none. */
function markMessage(
  marks: CacheMarks,
  messages: readonly WireMessage[],
  { position, draft, lifetime }: EntryEnd & { readonly lifetime: CacheLifetime },
): readonly WireMessage[] | null {
  const message = messages[position]
  const snapshot = message ? markSnapshot(marks, message.snapshot, { lifetime, upToDraft: draft }) : null
  if (message === undefined || snapshot === null) return null
  if (snapshot === message.snapshot) return messages
  return messages.with(position, { ...message, native: snapshot, snapshot })
}

/** Marks an end, or the nearest before it that may hold a mark. */
function markUpTo(
  marks: CacheMarks,
  messages: readonly WireMessage[],
  { lifetime, ...end }: EntryEnd & { readonly lifetime: CacheLifetime },
): readonly WireMessage[] {
  for (const candidate of endsUpTo(messages, end)) {
    const marked = markMessage(marks, messages, { ...candidate, lifetime })
    if (marked !== null) return marked
  }
  return messages
}

function countUp(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** What was made of a value, so that a value that stays is marked as the same object, and its count is known. */
const marksRead = new WeakMap<object, readonly CacheMark[]>()
const markedFields = new WeakMap<KnownField, Map<CacheLifetime, KnownField | null>>()
const markedSnapshots = new WeakMap<object, Map<string, NativeMessage | null>>()

function marksOf(marks: CacheMarks, snapshot: JsonValue): readonly CacheMark[] {
  if (typeof snapshot !== 'object' || snapshot === null) return marks.read(snapshot)
  return remember(marksRead, snapshot, () => marks.read(snapshot))
}

function markField(
  marks: CacheMarks,
  field: KnownField & { readonly type: 'value' },
  lifetime: CacheLifetime,
): KnownField | null {
  const made = remember(markedFields, field, () => new Map())
  return remember(made, lifetime, () => {
    const snapshot = marks.markValue(field.snapshot, lifetime)
    if (snapshot === null) return null
    return snapshot === field.snapshot ? field : { ...field, snapshot, json: JSON.stringify(snapshot) }
  })
}

function markSnapshot(
  marks: CacheMarks,
  snapshot: NativeMessage,
  mark: { readonly lifetime: CacheLifetime; readonly upToDraft: number },
): NativeMessage | null {
  if (typeof snapshot !== 'object' || snapshot === null) return marks.markMessage(snapshot, mark)
  const made = remember(markedSnapshots, snapshot, () => new Map())
  return remember(made, `${mark.lifetime}/${mark.upToDraft}`, () => marks.markMessage(snapshot, mark))
}

function remember<Key, Value>(
  known: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const before = known.get(key)
  if (before !== undefined) return before
  const made = make()
  known.set(key, made)
  return made
}
