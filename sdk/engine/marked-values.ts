import type { EntryEnd } from './entry-end.ts'
import type { CacheLifetime, CacheMark, CacheMarks, NativeMessage, WireMessage } from './format.ts'
import type { KnownField } from './intake.ts'
import type { JsonValue } from './json.ts'

/** What was made of a value, so that a value that stays is marked as the same object, and its count is known. */
const marksRead = new WeakMap<object, readonly CacheMark[]>()
const markedFields = new WeakMap<KnownField, Map<CacheLifetime, KnownField | null>>()
const markedSnapshots = new WeakMap<object, Map<string, NativeMessage | null>>()

/** The marks of a message, or of the value of a field. */
export function marksOf(marks: CacheMarks, snapshot: JsonValue): readonly CacheMark[] {
  if (typeof snapshot !== 'object' || snapshot === null) return marks.read(snapshot)
  return remember(marksRead, snapshot, () => marks.read(snapshot))
}

/** A field with a mark at its end, or itself where one is there; null where it may hold none. */
export function markField(
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

/** A system message at the head of the list with a mark, or itself where one is there; null where it may hold none. */
export function markLeading(
  marks: CacheMarks,
  snapshot: NativeMessage,
  lifetime: CacheLifetime,
): NativeMessage | null {
  if (typeof snapshot !== 'object' || snapshot === null) return marks.markValue(snapshot, lifetime)
  const made = remember(markedSnapshots, snapshot, () => new Map())
  return remember(made, lifetime, () => marks.markValue(snapshot, lifetime))
}

/** The messages with one more mark, or themselves where that place is marked; null where it may hold none. */
export function markMessage(
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
