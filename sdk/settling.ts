import type { Outcome, Settlement } from './branch.ts'
import type { BranchState } from './branch-state.ts'
import type { Anchor } from './engine/choose-method.ts'
import type { DecidedRequest } from './engine/decide.ts'
import { afterCompletion } from './engine/delivery.ts'
import type { ReportedUsage, WireFormat } from './engine/format.ts'
import type { SettlementRecord } from './engine/journal.ts'
import { isObject } from './engine/json.ts'
import type { OverflowFacts } from './engine/overflow-facts.ts'
import { isAbsurd, raiseScale, scaleNumber } from './engine/scale.ts'
import { tokensOfPart } from './engine/tally.ts'
import { DogearError } from './errors.ts'
import type { EventBody } from './events.ts'
import { remember, reportedFor } from './held-tokens.ts'
import type { Clock } from './ports.ts'
import { usageWarning } from './usage-warning.ts'

/** A request that was handed to the app. */
export interface SentRequest {
  readonly requestId: string
  readonly attempt: number
  readonly lineId: string
  /** '' where it is not known. */
  readonly model: string
  readonly wire: WireFormat
  readonly decided: DecidedRequest
  /** Who answers it, as far as the app says. */
  readonly provider?: string
  /** Name of the prefix that the provider holds for it. */
  readonly heldPrefix?: string
  /** It, or an attempt at the same list before it, was made to fit: there is no second time (R363). */
  readonly isRepaired: boolean
  /** Milliseconds since the epoch. */
  readonly handedOverAt: number
}

/**
 * Ends a request. A completed one was read by the model, so what it carried is delivered (R81, R82), and its
 * reported input teaches the scale and becomes the anchor (R30; rules.md 4, U2). A failed or aborted one marks
 * and teaches nothing (R84); what it had reported by then is kept.
 */
export async function settleRequest(step: {
  readonly state: BranchState
  readonly sent: SentRequest
  readonly outcome: Outcome
  /** What the outcome's error says of the request's length. */
  readonly overflow: OverflowFacts | null
  readonly clock: Clock
  readonly emit: (event: EventBody) => void
}): Promise<Settlement> {
  const { state, sent, outcome, overflow, clock, emit } = step
  const { requestId, attempt, model } = sent
  const lineId = state.lineIdOf(sent.lineId)
  const ended = endOf(outcome)
  const usage = usageOf(sent.wire, outcome)
  const completed = ended === 'completed' ? usage : null
  const truncated = completed ? suspectedTruncation(sent, completed) : null
  const current = state.line(lineId)
  if (current && ended === 'completed') {
    const { line } = current
    state.put({ ...line, ...afterCompletion(line, sent.decided.line) }, { anchor: anchorOf(sent, completed) })
  }
  if (completed) rememberHeld(state, sent, { outcome, usage: completed })
  const taught = completed
    ? teach(state, sent, completed)
    : overflow
      ? teachRejected(state, sent, overflow)
      : false
  const scale = scaleNumber(state.scale(model))
  const found = {
    ...(usage ? { usage } : {}),
    scale,
    ...(truncated ? { inputTruncationSuspected: true as const } : {}),
    ...(overflow ? { overflow } : {}),
  }
  const record: SettlementRecord = {
    requestId,
    attempt,
    outcome: ended,
    ...found,
    ms: clock() - sent.handedOverAt,
  }
  await state.commit({
    lineIds: [lineId],
    bodies: [],
    journal: [{ type: 'settlement', record }],
    durability: 'relaxed',
  })
  const warning = 'response' in outcome ? usageWarning(usage, sent.decided.facts.counted) : null
  if (warning) emit({ type: 'warning', lineId, requestId, warning })
  if (taught) {
    const { reported, counted } = state.scale(model)
    emit({ type: 'calibration-updated', lineId, requestId, model, scale, reported, counted })
  }
  if (overflow) emit({ type: 'overflow-classified', lineId, requestId, overflow })
  if (truncated) emit({ type: 'truncation-suspected', lineId, requestId, ...truncated })
  emit({ type: 'request-settled', lineId, requestId, settlement: record })
  return found
}

/** Throws `invalid_argument` for what is no outcome, so that the request can still be settled. */
export function endOf(outcome: Outcome): 'completed' | 'failed' | 'aborted' {
  if (isObject(outcome)) {
    if ('aborted' in outcome && outcome.aborted === true) return 'aborted'
    if ('error' in outcome && outcome.error !== undefined) return 'failed'
    if ('response' in outcome && isUnread(outcome.response)) throw unreadResponse()
    if ('response' in outcome || 'usage' in outcome) return 'completed'
  }
  throw new DogearError({
    code: 'invalid_argument',
    message:
      'settle takes { response }, { usage }, { error } or { aborted: true }; the request is still open, settle it again',
  })
}

/** A response of `fetch`, which says nothing before its body was read. */
function isUnread(response: unknown): boolean {
  return typeof Response === 'function' && response instanceof Response
}

function unreadResponse(): DogearError {
  return new DogearError({
    code: 'invalid_argument',
    message:
      'settle was given a response of fetch, which has to be read first: settle({ response: await response.json() }); the request is still open',
  })
}

/** The provider's own figures are kept as plain data: an app may hold them as proxies, which no store takes. */
function usageOf(wire: WireFormat, outcome: Outcome): ReportedUsage | null {
  const reported = 'response' in outcome ? outcome.response : 'usage' in outcome ? outcome.usage : null
  if (reported === null || reported === undefined) return null
  try {
    const usage = wire.readUsage(reported)
    return usage && { ...usage, raw: plainData(usage.raw) }
  } catch {
    // What cannot be read reports nothing; the request was completed all the same.
    return null
  }
}

function plainData(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value))
  } catch {
    return null
  }
}

/** Only a figure for this one request says how large it was, and only a count can be compared with it. */
function calibrates(
  sent: SentRequest,
  usage: ReportedUsage | null,
): usage is ReportedUsage & { readonly input: number } {
  const { method } = sent.decided.facts
  if (usage?.input === undefined || usage.isTotal || (method !== 'counted' && method !== 'anchored'))
    return false
  const { counted } = sent.decided.size
  // Less than half of what was counted is a request that somebody cut on the way, or no figure at all.
  return usage.input * 2 >= counted && !isAbsurd({ reported: usage.input, counted })
}

/**
 * A later request may continue this response without its history, or name the same prefix; then only these figures
 * tell their size (R39).
 */
function rememberHeld(
  state: BranchState,
  { wire, heldPrefix, decided }: SentRequest,
  { outcome, usage }: { readonly outcome: Outcome; readonly usage: ReportedUsage },
): void {
  // A total over several requests says nothing about what is held (R41, R44).
  if (usage.isTotal) return
  const id = 'response' in outcome ? wire.responseId?.(outcome.response) : null
  if (id != null && usage.input !== undefined)
    remember(state, id, {
      tokens: usage.input + (usage.output ?? 0),
      tools: tokensOfPart(decided.size, 'tools'),
    })
  if (heldPrefix === undefined || !usage.cacheRead) return
  // The provider may find more of the request in its cache than the prefix, and never less.
  const known = reportedFor(state, heldPrefix) ?? usage.cacheRead
  remember(state, heldPrefix, { tokens: Math.min(known, usage.cacheRead) })
}

function anchorOf(sent: SentRequest, usage: ReportedUsage | null): Anchor | null {
  if (!calibrates(sent, usage)) return null
  return {
    model: sent.model,
    reported: usage.input,
    counted: sent.decided.size.counted,
    items: sent.decided.items,
  }
}

/** Less input than there can have been; null: nothing speaks for it. */
function suspectedTruncation(
  { decided }: SentRequest,
  { input, isTotal }: ReportedUsage,
): { readonly reported: number; readonly expected: number } | null {
  const { leastReported: expected } = decided
  if (expected === null || input === undefined || isTotal || input >= expected) return null
  return { reported: input, expected }
}

/** Whether the scale rose. */
function teach(state: BranchState, sent: SentRequest, usage: ReportedUsage): boolean {
  return calibrates(sent, usage) && raise(state, sent, usage.input)
}

/**
 * A rejection says that the request was at least as large as what is taken, by the provider's own figures where it
 * gives them (rules.md 4, U14).
 */
function teachRejected(state: BranchState, sent: SentRequest, overflow: OverflowFacts): boolean {
  const { facts } = sent.decided
  if (overflow.kind !== 'context' || (facts.method !== 'counted' && facts.method !== 'anchored')) return false
  const reported = overflow.got ?? overflow.limit ?? facts.window
  return reported !== undefined && raise(state, sent, reported)
}

function raise(state: BranchState, sent: SentRequest, reported: number): boolean {
  const { counted } = sent.decided.size
  if (isAbsurd({ reported, counted })) return false
  const before = state.scale(sent.model)
  const after = raiseScale(before, { reported, counted })
  if (after === before) return false
  state.setRow({ scales: { ...state.row.scales, [sent.model]: after } })
  return true
}
