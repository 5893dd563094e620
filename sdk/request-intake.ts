import type { SystemSlot } from './engine/append.ts'
import { type Digest, type KnownField, type KnownMessage, takeIn, takeInFields } from './engine/intake.ts'
import type { Line } from './engine/record.ts'
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
  /** Match keys of the whole list, in order. */
  readonly keys: readonly string[]
  /** Bodies that the line refers to and no line did before. */
  newBodies(line: Line, before: readonly Line[]): readonly BodyRow[]
}

/** Copies what is new of a request; what equals the previous one is taken over from there. */
export function takeInRequest(
  opened: OpenedRequest,
  options: { readonly previous: IncomingRequest | null; readonly digest: Digest },
): IncomingRequest {
  const { wire, read } = opened
  const { previous, digest } = options
  const listKey = read.fields.find((field) => field.type === 'messages')?.key ?? 'messages'
  const take = (list: readonly unknown[], before: readonly KnownMessage[]): readonly KnownMessage[] => {
    const intake = takeIn({ list, previous: before, wire, digest, listKey })
    if (intake.type === 'fault') throw invalid(intake.fault)
    return intake.messages
  }
  const leading = take(read.leading, previous?.leading ?? [])
  const messages = take(read.messages, previous?.messages ?? [])
  const fields = takeInFields(read.fields, previous?.fields ?? [])
  if (fields.type === 'fault') throw invalid(fields.fault)
  const system = systemSlot(fields.fields, leading, digest)
  return {
    messages,
    leading,
    fields: fields.fields,
    system,
    keys: messages.flatMap((message) => message.keys),
    newBodies: (line, before) => newBodies({ line, before, messages, system }),
  }
}

function systemSlot(
  fields: readonly KnownField[],
  leading: readonly KnownMessage[],
  digest: Digest,
): StoredSystem | null {
  const values = fields.flatMap((field) =>
    field.type === 'value' && field.part === 'system' ? [field.json] : [],
  )
  const texts = [...values, ...leading.map((message) => message.json)]
  if (texts.length === 0) return null
  // Stored like a message, so that every body has one shape.
  const json = `{"role":"system","content":[${texts.join(',')}]}`
  const hash = digest(json)
  return { key: hash, hash, json, chars: codePoints(systemText(JSON.parse(json))) }
}

function newBodies(facts: {
  readonly line: Line
  readonly before: readonly Line[]
  readonly messages: readonly KnownMessage[]
  readonly system: StoredSystem | null
}): readonly BodyRow[] {
  const { line, before, messages, system } = facts
  const known = new Set<string>()
  for (const { record } of before) for (const entry of record) if (entry.source) known.add(entry.source.hash)
  const wanted = new Set<string>()
  for (const { source } of line.record) if (source && !known.has(source.hash)) wanted.add(source.hash)
  const bodies = new Map<string, string>()
  for (const { hash, json } of messages) if (wanted.has(hash)) bodies.set(hash, json)
  if (system && wanted.has(system.hash)) bodies.set(system.hash, system.json)
  return [...bodies].map(([hash, json]) => ({ hash, json }))
}
