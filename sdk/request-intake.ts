import type { SystemSlot } from './engine/append.ts'
import { type Digest, digestText } from './engine/digest.ts'
import { type KnownField, type KnownMessage, takeIn, takeInFields } from './engine/intake.ts'
import { Pace } from './engine/pace.ts'
import type { Plan } from './engine/plan.ts'
import type { Entry } from './engine/record.ts'
import { codePoints } from './engine/text.ts'
import type { BodyRow } from './ports.ts'
import { invalid, type OpenedRequest } from './request-reading.ts'
import { systemText } from './system-text.ts'

/** The system of a request as one entry of the record, and what is stored for it. */
export interface StoredSystem extends SystemSlot {
  readonly json: string
}

/** A request understood: what the record, the measure and the store need of it. */
export interface IncomingRequest {
  readonly messages: readonly KnownMessage[]
  readonly leading: readonly KnownMessage[]
  readonly fields: readonly KnownField[]
  readonly system: StoredSystem | null
}

/** Copies what is new of a request; what equals the previous one is taken over from there. */
export function* takeInRequest(
  opened: OpenedRequest,
  options: { readonly previous: IncomingRequest | null; readonly digest: Digest },
): Plan<IncomingRequest> {
  const { wire, read } = opened
  const { previous, digest } = options
  const listKey = read.fields.find((field) => field.type === 'messages')?.key ?? 'messages'
  function* take(list: readonly unknown[], before: readonly KnownMessage[]): Plan<readonly KnownMessage[]> {
    const intake = yield* takeIn({ list, previous: before, wire, digest, listKey })
    if (intake.type === 'fault') throw invalid(intake.fault)
    return intake.messages
  }
  const leading = yield* take(read.leading, previous?.leading ?? [])
  const messages = yield* take(read.messages, previous?.messages ?? [])
  const fields = takeInFields(read.fields, previous?.fields ?? [])
  if (fields.type === 'fault') throw invalid(fields.fault)
  const system = yield* systemSlot(fields.fields, leading, { previous, digest })
  return { messages, leading, fields: fields.fields, system }
}

function* systemSlot(
  fields: readonly KnownField[],
  leading: readonly KnownMessage[],
  { previous, digest }: { readonly previous: IncomingRequest | null; readonly digest: Digest },
): Plan<StoredSystem | null> {
  const values = fields.flatMap((field) =>
    field.type === 'value' && field.part === 'system' ? [field.json] : [],
  )
  const texts = [...values, ...leading.map((message) => message.json)]
  if (texts.length === 0) return null
  // Stored like a message, so that every body has one shape.
  const json = `{"role":"system","content":[${texts.join(',')}]}`
  if (previous?.system?.json === json) return previous.system
  const hash = yield* digestText(json, digest, new Pace())
  return { key: hash, hash, json, chars: codePoints(systemText(JSON.parse(json))) }
}

/** Bodies of the entries that a step added to a line, each once. */
export function newBodies(incoming: IncomingRequest, added: readonly Entry[]): readonly BodyRow[] {
  const wanted = new Set(added.flatMap((entry) => entry.source?.hash ?? []))
  if (wanted.size === 0) return []
  const { messages, system } = incoming
  const bodies = new Map<string, string>()
  for (const { hash, json } of messages) if (wanted.has(hash)) bodies.set(hash, json)
  if (system && wanted.has(system.hash)) bodies.set(system.hash, system.json)
  return [...bodies].map(([hash, json]) => ({ hash, json }))
}

/** Whether two lists are equal by match key, message for message. */
export function sameList(list: readonly KnownMessage[], other: readonly KnownMessage[]): boolean {
  return (
    list.length === other.length &&
    list.every((message, position) => message === other[position] || sameKeys(message, other[position]))
  )
}

function sameKeys(message: KnownMessage, other: KnownMessage | undefined): boolean {
  return (
    other?.keys.length === message.keys.length &&
    message.keys.every((key, draft) => key === other.keys[draft])
  )
}
