import type { Format, ReadRequest, WireFormat } from '../engine/format.ts'
import { isObject, type JsonObject, sortedJson } from '../engine/json.ts'
import { formats } from '../wire/detect.ts'

/** One recorded call of a model: what was sent, and what the provider counted. */
export interface RecordedCall {
  readonly provider: string
  readonly endpoint: string
  readonly model: string
  /** All input as the provider reported it, its cached parts included. */
  readonly input_tokens: number
  /** What sets the call apart, such as `media` or `server_tools`. */
  readonly flags: readonly string[]
  readonly request: JsonObject
  readonly usage: JsonObject
  /** The recording, `#` and the position in it. */
  readonly source: string
  /** Stands in for calls that were not recorded. */
  readonly isStandIn?: true
}

/** What one call of a recorded conversation added to the one before it; the rest was not recorded. */
export interface RecordedGrowth {
  readonly provider: string
  readonly model: string
  readonly prev_input_tokens: number
  readonly input_tokens: number
  readonly appended: readonly JsonObject[]
  readonly flags: readonly string[]
  readonly source: string
}

/** A recorded call as its wire format reads it. */
export interface ReadCall {
  readonly call: RecordedCall
  readonly wire: WireFormat
  readonly read: ReadRequest
  /** What each message is matched by. */
  readonly keys: readonly string[]
  /** Everything that is counted beside the messages. */
  readonly fields: string
}

/** Calls of which each extends the one before it. */
export type Conversation = readonly ReadCall[]

const formatOfEndpoint: Readonly<Record<string, Format>> = {
  anthropic: 'anthropic',
  chat: 'openai-chat',
  responses: 'openai-responses',
  gemini: 'gemini',
}

/** Undefined where no wire format reads the call. */
export function readCall(call: RecordedCall): ReadCall | undefined {
  const wire = formats.find(({ format }) => format === formatOfEndpoint[call.endpoint])
  const outcome = wire?.read(call.request)
  if (!wire || outcome?.type !== 'read') return undefined
  const read = outcome.request
  const keys = read.messages.map((message) =>
    wire
      .readMessage(message)
      .drafts.map(({ matchText }) => matchText)
      .join('\n'),
  )
  return { call, wire, read, keys, fields: sortedJson(withoutMarks([read.fields, read.leading])) }
}

/** Takes recordings apart, in which the calls of several conversations may alternate. */
export function conversationsOf(calls: readonly ReadCall[]): readonly Conversation[] {
  const recordings = new Map<string, ReadCall[][]>()
  for (const call of calls) {
    const recording = call.call.source.replace(/#\d+$/, '')
    const open = recordings.get(recording) ?? []
    recordings.set(recording, open)
    const extended = open
      .filter((conversation) => extendsLast(conversation, call))
      .sort((left, right) => lengthOf(right) - lengthOf(left))[0]
    if (extended) extended.push(call)
    else open.push([call])
  }
  return [...recordings.values()].flat()
}

function extendsLast(conversation: Conversation, { call, wire, keys }: ReadCall): boolean {
  const last = conversation.at(-1)
  if (!last || last.wire !== wire || last.call.model !== call.model) return false
  return last.keys.length < keys.length && last.keys.every((key, position) => key === keys[position])
}

function lengthOf(conversation: Conversation): number {
  return conversation.at(-1)?.keys.length ?? 0
}

function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([key]) => key !== 'cache_control')
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutMarks(inner)]))
}
