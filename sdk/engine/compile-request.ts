import { compileItems, firstChange, itemSignature, type SourceMessage } from './compile.ts'
import { type EntryEnd, lastEndOf } from './entry-end.ts'
import type {
  CacheLifetime,
  CacheMarks,
  CompiledItem,
  NativeMessage,
  Warning,
  WireFormat,
  WireMessage,
} from './format.ts'
import type { KnownField } from './intake.ts'
import type { JsonValue } from './json.ts'
import { type MarkedRequest, placeMarks } from './marks.ts'
import { type MeasureMemory, measureRequest, type RequestSize } from './measure.ts'
import { moveMarks } from './move-marks.ts'
import type { Plan } from './plan.ts'
import type { ProjectionRules } from './projection.ts'
import type { Line } from './record.ts'

/** All that a request is compiled and measured from, beside the line. */
export interface RequestFacts {
  readonly wire: WireFormat
  readonly model: string | undefined
  readonly fields: readonly KnownField[]
  readonly leading: readonly WireMessage['snapshot'][]
  /** By the record index of a message's first draft; must hold every message of the view. */
  readonly sources: ReadonlyMap<number, SourceMessage>
  /** Record index of the first draft of each message of the app's list, in its order. */
  readonly order: readonly number[]
  readonly rules: ProjectionRules
  /** Marks of our own are placed, and the first round goes on with the bound it was decided with (R253). */
  readonly placesMarks: boolean
  /** The app has the provider mark the end of the request. */
  readonly endMark: CacheLifetime | null
  /** A prefix that the provider holds and reads ahead of the list, and its tokens where they are known. */
  readonly held?: { readonly tokens: number | null } | null
  readonly memory: MeasureMemory
}

export interface CompiledRequest {
  readonly messages: readonly WireMessage[]
  /** Values that replace those of the app's request, by key: they hold a mark of ours. */
  readonly fields: ReadonlyMap<string, JsonValue>
  /** System messages that replace those at the head of the app's list, by position: they hold a mark of ours. */
  readonly leading: ReadonlyMap<number, NativeMessage>
  readonly warnings: readonly Warning[]
  /** The request is not the app's own. */
  readonly changed: boolean
  /** Signatures of the items; neither marks nor what is said once are among them (rules.md 4, U2). */
  readonly items: readonly string[]
  readonly size: RequestSize
  /** Originals with a body that no shortening brings under the bound (R188). */
  readonly unfit: readonly number[]
}

/** Compiles a line into messages, marks them, and measures them with all that is sent beside them. */
export function* compileRequest(
  facts: RequestFacts,
  line: Line,
  /** Said to the model as the last of this request, and never stored (rules.md 3, O4). */
  notice: string | null = null,
): Plan<CompiledRequest> {
  const { wire, model, sources, rules } = facts
  const compiledLine = facts.placesMarks ? line : withoutFirstRound(line)
  const view = compileItems({ line: compiledLine, view: line.view, sources, wire, rules })
  const items: readonly CompiledItem[] =
    notice === null ? view.items : [...view.items, { type: 'note', text: notice, index: null }]
  const changedFrom = firstChange(items, facts.order)
  const composition = wire.compose(items, { model, changedFrom })
  const unmarked: MarkedRequest = { ...facts, messages: composition.messages }
  const marked = wire.cacheMarks
    ? markRequest(wire.cacheMarks, { facts, line, unmarked, changedFrom })
    : unmarked
  const size = yield* measureRequest({
    wire,
    model,
    fields: marked.fields,
    leading: marked.leading,
    messages: marked.messages,
    record: line.record,
    held: facts.held?.tokens ?? 0,
    memory: facts.memory,
  })
  const fields = replacedFields(facts.fields, marked.fields)
  const leading = replacedLeading(facts.leading, marked.leading)
  return {
    messages: marked.messages,
    fields,
    leading,
    warnings: composition.warnings,
    changed:
      changedFrom !== null || fields.size > 0 || leading.size > 0 || marked.messages !== composition.messages,
    items: view.items.map(itemSignature),
    size,
    unfit: view.unfit,
  }
}

function markRequest(
  marks: CacheMarks,
  compiled: {
    readonly facts: RequestFacts
    readonly line: Line
    readonly unmarked: MarkedRequest
    readonly changedFrom: number | null
  },
): MarkedRequest {
  const { facts, line, unmarked, changedFrom } = compiled
  const { leading, endMark } = facts
  const messages =
    changedFrom === null
      ? unmarked.messages
      : moveMarks({ marks, list: appList(facts), messages: unmarked.messages, record: line.record })
  if (!facts.placesMarks) return { ...unmarked, messages }
  const anchors = anchorsOf(line, messages)
  return placeMarks({ marks, fields: unmarked.fields, leading, messages, anchors, endMark })
}

/** Ends of an included first round, as far as it is still there, and of the newest note (R274, R284). */
function anchorsOf(line: Line, messages: readonly WireMessage[]): readonly EntryEnd[] {
  const { firstRound } = line
  const note = line.view.findLast((index) => line.record[index]?.note)
  return [
    firstRound?.included ? lastEndOf(messages, (index) => firstRound.members.includes(index)) : null,
    note === undefined ? null : lastEndOf(messages, (index) => index === note),
  ].filter((end) => end !== null)
}

function appList({ order, sources }: RequestFacts): Parameters<typeof moveMarks>[0]['list'] {
  return order.flatMap((first) => {
    const source = sources.get(first)
    return source ? [{ first, known: source.known }] : []
  })
}

function withoutFirstRound({ firstRound: _, ...line }: Line): Line {
  return line
}

function replacedFields(
  own: readonly KnownField[],
  sent: readonly KnownField[],
): ReadonlyMap<string, JsonValue> {
  return new Map(
    sent.flatMap((field, position) =>
      field.type === 'value' && field !== own[position] ? [[field.key, field.snapshot] as const] : [],
    ),
  )
}

function replacedLeading(
  own: readonly NativeMessage[],
  sent: readonly NativeMessage[],
): ReadonlyMap<number, NativeMessage> {
  return new Map([...sent.entries()].filter(([position, message]) => message !== own[position]))
}
