import { type Digest, digestText } from './digest.ts'
import type { CountedField, MessageReading, NativeMessage, ShapeFault, WireFormat } from './format.ts'
import { type JsonValue, sameJsonText } from './json.ts'
import { copyPlainData } from './json-copy.ts'
import { jsonFaultOf } from './json-fault.ts'
import { mayPause, Pace } from './pace.ts'
import { asksNothing, type Plan, runPlan } from './plan.ts'
import { keepSegments } from './taken-segments.ts'
import { codePoints } from './text.ts'

/** A message of the app's list, understood: a private copy of it, its entries, and the names they go by. */
export interface KnownMessage {
  /** Names the body: digest of its JSON text. */
  readonly hash: string
  readonly json: string
  /** The engine's own copy. Apps change and re-create theirs, so only this one is measured and cut. */
  readonly snapshot: NativeMessage
  readonly reading: MessageReading
  /** Digest of the match text per draft. */
  readonly keys: readonly string[]
  /** Code points of the readable text per draft. */
  readonly chars: readonly number[]
}

export type Intake =
  | { readonly type: 'taken'; readonly messages: readonly KnownMessage[] }
  | { readonly type: 'fault'; readonly fault: ShapeFault }

/**
 * Understands a list. A message that equals the one in its place of the previous list is taken over from
 * there, so that a long chat costs its new messages: comparing is a walk, hashing and reading are not.
 */
export function* takeIn(options: {
  readonly list: readonly unknown[]
  readonly previous: readonly (KnownMessage | undefined)[]
  readonly wire: WireFormat
  readonly digest: Digest
  /** Name of the list in the request, for faults. */
  readonly listKey: string
}): Plan<Intake> {
  const { list, previous, wire, digest, listKey } = options
  const messages: KnownMessage[] = []
  const pace = new Pace()
  for (let position = 0; position < list.length; position++) {
    const native = plainOf(list[position], wire)
    const before = previous[position]
    if (before && isUnchanged(native, before.snapshot)) {
      messages.push(before)
      if (pace.isDue(0)) yield mayPause
      continue
    }
    const copy = copyOf(native)
    if (copy.type === 'fault')
      return {
        type: 'fault',
        fault: {
          path: `${listKey}[${position}]`,
          expected: 'a value that JSON can hold',
          actual: copy.actual,
        },
      }
    if (pace.isDue(copy.json.length)) yield mayPause
    messages.push(yield* understandInPieces(copy, { wire, digest, pace }))
  }
  return { type: 'taken', messages }
}

/** Understands one message from its JSON text: a new one of a list, or one read back from the store. */
export function understand(json: string, wire: WireFormat, digest: Digest): KnownMessage {
  const copy = { json, snapshot: JSON.parse(json) as NativeMessage }
  return runPlan(understandInPieces(copy, { wire, digest, pace: new Pace() }), asksNothing)
}

function* understandInPieces(
  { json, snapshot }: Pick<KnownMessage, 'json' | 'snapshot'>,
  { wire, digest, pace }: { readonly wire: WireFormat; readonly digest: Digest; readonly pace: Pace },
): Plan<KnownMessage> {
  const reading = wire.readMessage(snapshot)
  keepSegments(snapshot, { wire, segments: reading.segments })
  if (pace.isDue(json.length)) yield mayPause
  const hash = yield* digestText(json, digest, pace)
  const keys: string[] = []
  const chars: number[] = []
  for (const { matchText, text } of reading.drafts) {
    keys.push(yield* digestText(matchText, digest, pace))
    chars.push(codePoints(text))
    if (pace.isDue(text.length)) yield mayPause
  }
  return { hash, json, snapshot, reading, keys, chars }
}

/** A counted key of the request; its value is the engine's own copy, and is kept while it stays equal. */
export type KnownField =
  | {
      readonly type: 'value'
      readonly key: string
      readonly part: 'system' | 'tools' | 'other'
      readonly snapshot: JsonValue
      readonly json: string
    }
  | { readonly type: 'messages'; readonly key: string }

export type FieldIntake =
  | { readonly type: 'taken'; readonly fields: readonly KnownField[] }
  | { readonly type: 'fault'; readonly fault: ShapeFault }

/** Copies the counted keys beside the list; a value that equals the previous request's is taken over from there. */
export function takeInFields(fields: readonly CountedField[], previous: readonly KnownField[]): FieldIntake {
  const taken: KnownField[] = []
  for (const field of fields) {
    if (field.type === 'messages') {
      taken.push(field)
      continue
    }
    const before = previous.find((other) => other.key === field.key)
    if (before?.type === 'value' && isUnchanged(field.value, before.snapshot)) {
      taken.push(before)
      continue
    }
    const copy = copyOf(field.value)
    if (copy.type === 'fault')
      return {
        type: 'fault',
        fault: { path: field.key, expected: 'a value that JSON can hold', actual: copy.actual },
      }
    const { json, snapshot } = copy
    taken.push({ type: 'value', key: field.key, part: field.part, snapshot, json })
  }
  return { type: 'taken', fields: taken }
}

/** A message as JSON can hold it. What throws meanwhile is taken as it is, and copying says why it cannot be. */
export function plainOf(native: unknown, wire: WireFormat): unknown {
  try {
    return wire.plain === undefined ? native : wire.plain(native)
  } catch {
    return native
  }
}

/** What throws while it is compared is copied, which says why it cannot be. */
function isUnchanged(value: unknown, snapshot: JsonValue): boolean {
  try {
    return sameJsonText(value, snapshot)
  } catch {
    return false
  }
}

type Copy =
  | { readonly type: 'copied'; readonly json: string; readonly snapshot: JsonValue }
  | { readonly type: 'fault'; readonly actual: string }

/** JSON text of an app's value and what it stands for; says what stands in the way instead of throwing. */
function copyOf(value: unknown): Copy {
  const json = jsonOf(value)
  if (json !== undefined) return { type: 'copied', json, snapshot: plainData(value) ?? JSON.parse(json) }
  return { type: 'fault', actual: jsonFaultOf(value)?.actual ?? 'longer than a string can be' }
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

function plainData(value: unknown): JsonValue | undefined {
  try {
    return copyPlainData(value)
  } catch {
    return undefined
  }
}
