import { type Digest, digestText } from './digest.ts'
import { lastEndOf } from './entry-end.ts'
import { firstRoundOf } from './first-round.ts'
import type { CacheMarks, NativeMessage, WireFormat, WireMessage } from './format.ts'
import type { KnownField } from './intake.ts'
import type { ContextDecision } from './journal.ts'
import { type MeasureMemory, measureRequest } from './measure.ts'
import { Pace } from './pace.ts'
import type { Plan } from './plan.ts'
import { PROJECTION_VERSION, type ProjectionRules } from './projection.ts'
import type { FirstRoundDecision, Line } from './record.ts'
import { atOrUnder, type Scale, scaleFactor, targetTokens } from './scale.ts'

/** Share of the ceiling that a first round may come to and still be kept ahead of every fold (R263). */
const FIRST_ROUND_SHARE = 0.1

export interface SentFirstRound {
  readonly line: Line
  /** As they are sent. */
  readonly messages: readonly WireMessage[]
  readonly wire: WireFormat
  readonly model: string | undefined
  readonly fields: readonly KnownField[]
  readonly placesMarks: boolean
  readonly ceiling: number | null
  readonly scale: Scale
  readonly rules: ProjectionRules
  /** Null: the request is none of its own, so nothing is decided (R262). */
  readonly digest: Digest | null
  /** A fold is installed, and what it measures are counts (R271). */
  readonly mayDecide: boolean
  readonly memory: MeasureMemory
  readonly at: number
  readonly requestId: string
}

/**
 * Decides, once for a line, whether the first round of a request that carries it whole stays ahead of every fold;
 * one that was decided stands, and is only compared (R261, R267, R268).
 */
export function* settleFirstRound(sent: SentFirstRound): Plan<{
  readonly line: Line
  readonly frontier: NonNullable<ContextDecision['frontier']> | null
}> {
  const { line, digest, placesMarks, ceiling } = sent
  const marks = sent.wire.cacheMarks
  if (marks === undefined || digest === null || !placesMarks) return { line, frontier: null }
  if (line.firstRound?.included) {
    const hash = yield* hashThrough(line.firstRound.members, { ...sent, marks, digest })
    return { line, frontier: hash === line.firstRound.hash ? 'unchanged' : 'changed' }
  }
  if (line.firstRound || !sent.mayDecide || ceiling === null) return { line, frontier: null }
  const firstRound = yield* decideFirstRound({ ...sent, marks, digest, ceiling })
  return firstRound === null
    ? { line, frontier: null }
    : { line: { ...line, firstRound }, frontier: 'decided' }
}

/** What it comes to, through its end and without the system, may be a tenth of the ceiling (R263, R264). */
function* decideFirstRound(
  sent: SentFirstRound & {
    readonly marks: CacheMarks
    readonly digest: Digest
    readonly ceiling: number
  },
): Plan<FirstRoundDecision | null> {
  const { line, wire, model, memory, ceiling, scale, rules, at, requestId } = sent
  const round = firstRoundOf(line)
  if (!round?.isWhole) return null
  const { members } = round
  const messages = prefixThrough(members, sent).map((snapshot) => ({
    native: snapshot,
    snapshot,
    indexes: [],
  }))
  const fields = sent.fields.filter((field) => field.type === 'messages')
  const { counted } = yield* measureRequest({
    wire,
    model,
    fields,
    leading: [],
    messages,
    record: [],
    memory,
  })
  return {
    included: atOrUnder({ counted, factor: scaleFactor(scale) }, ceiling, FIRST_ROUND_SHARE),
    members,
    hash: yield* hashThrough(members, sent),
    ceiling,
    budget: targetTokens(ceiling, FIRST_ROUND_SHARE),
    counted,
    scale,
    maxChars: rules.maxChars ?? null,
    projectionVersion: PROJECTION_VERSION,
    at,
    requestId,
  }
}

type MarkedMessages = Pick<SentFirstRound, 'messages'> & { readonly marks: CacheMarks }

function hashThrough(
  members: readonly number[],
  sent: MarkedMessages & { readonly digest: Digest },
): Plan<string> {
  return digestText(JSON.stringify(prefixThrough(members, sent)), sent.digest, new Pace())
}

/** What a mark at the end of the last of some entries covers of the messages; nothing where none of them is sent. */
function prefixThrough(
  members: readonly number[],
  { messages, marks }: MarkedMessages,
): readonly NativeMessage[] {
  const end = lastEndOf(messages, (index) => members.includes(index))
  if (end === null) return []
  return messages
    .slice(0, end.position + 1)
    .map(({ snapshot }, position) =>
      marks.covered(snapshot, position < end.position ? Number.POSITIVE_INFINITY : end.draft),
    )
}
