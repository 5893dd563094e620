import type { DecidedRequest } from './engine/decide.ts'
import type { DecideInput } from './engine/decide-input.ts'
import { hasFold, placesCache } from './engine/fold-conditions.ts'
import type { ContextDecision, FoldRecord, RepairTrigger } from './engine/journal.ts'
import type { Refusal } from './engine/turn.ts'
import { DogearError, InputCeilingError } from './errors.ts'
import type { EventBody, PolicySetEvent } from './events.ts'
import { foreignListWarning } from './warnings.ts'

/** The decision as it is recorded: what the engine found, with names and time. */
export function decisionOf(
  input: Omit<DecideInput, 'exact'>,
  { line, facts, refusal }: DecidedRequest,
  named: Pick<ContextDecision, 'branchId' | 'sequence' | 'attempt' | 'warnings'> & {
    /** The refusal of the same turn that stands; then this one is refused whatever its size. */
    readonly standing: Refusal | null
  },
): ContextDecision {
  const { standing, ...names } = named
  return {
    ...facts,
    ...names,
    v: 1,
    lineId: line.id,
    ...(line.parent ? { parentLineId: line.parent.lineId } : {}),
    requestId: input.requestId,
    at: input.at,
    ...(input.model === undefined ? {} : { model: input.model }),
    format: input.wire.format,
    ...(standing ? answeredBy(standing, facts) : {}),
    sent: refusal === null && standing === null,
  }
}

/** The refusal that stands is the answer to a request, whatever its size (R52). */
export function answeredBy(
  standing: Refusal,
  { trace }: Pick<ContextDecision, 'trace'>,
): Pick<ContextDecision, 'action' | 'trace'> {
  return { action: 'refuse', trace: [...trace, { type: 'refusal_stands', requestId: standing.requestId }] }
}

/** What is said of a request that was not handed over, now and for as long as it stands (R51, R52). */
export function refusalOf(decision: ContextDecision, { refusal }: DecidedRequest): Refusal | null {
  if (refusal === null) return null
  const warnings = decision.warnings.filter(({ code }) => bearing.has(code))
  return {
    requestId: decision.requestId,
    estimate: decision.after,
    ceiling: decision.ceiling,
    counted: decision.counted,
    scale: decision.scale,
    largestParts: [...decision.parts].sort((a, b) => b.tokens - a.tokens),
    reason: refusal,
    ...(warnings.length > 0 ? { warnings } : {}),
  }
}

/** Those that say why a request was not made smaller. */
const bearing: ReadonlySet<string> = new Set([
  'summary_unavailable',
  'summary_failed',
  foreignListWarning.code,
])

export function refusalError({ reason, ceiling, ...refusal }: Refusal): DogearError {
  if (reason !== 'result_over_bound')
    return new InputCeilingError({ ...refusal, ceiling: ceiling ?? 0, reason })
  return new DogearError({
    code: 'result_over_bound',
    message:
      'a tool result cannot be shortened to toolResultMaxChars together with the words that say how to read the rest, so nothing was sent; raise the bound, or give the context tool a shorter name',
    fields: { requestId: refusal.requestId },
  })
}

/** The policy as it is in force for one request, told ahead of its decision (R304, R308). */
export function resolvedPolicy(
  input: Omit<DecideInput, 'exact'>,
  { ceiling, ceilingSource, tier, line, target }: ContextDecision,
): NonNullable<PolicySetEvent['resolved']> {
  const { contextFoldAt, contextFoldTarget, toolResultMaxChars } = input.policy
  return {
    ceiling,
    ceilingSource,
    line,
    target,
    ...(tier ? { tier } : {}),
    promptCaching: placesCache(input),
    toolResultMaxChars: toolResultMaxChars ?? null,
    contextFold: hasFold(input) ? { at: contextFoldAt, target: contextFoldTarget } : null,
  }
}

/** Tells a decision and the steps to it, in the order in which they were taken. */
export function tellDecision(facts: {
  readonly emit: (event: EventBody) => void
  readonly decided: DecidedRequest
  readonly decision: ContextDecision
  readonly forkedFrom: string | undefined
}): void {
  const { emit, decided, decision, forkedFrom } = facts
  const { requestId, lineId, before, method } = decision
  const counted = decided.countedBefore
  const parent = decided.line.parent
  if (forkedFrom !== undefined)
    emit({ type: 'line-forked', lineId, parentLineId: forkedFrom, index: parent?.index ?? 0 })
  emit({ type: 'request-measured', lineId, requestId, estimate: before, counted, method })
  tellFolds(decided.folds, { lineId, requestId, emit })
  emit({ type: 'request-decided', lineId, requestId, decision })
}

/** Tells passes, and by which of them a request was made to fit that could not be sent for its size. */
export function tellFolds(
  folds: readonly FoldRecord[],
  named: {
    readonly lineId: string
    readonly requestId: string
    readonly emit: (event: EventBody) => void
  },
): void {
  const { lineId, requestId, emit } = named
  for (const fold of folds) emit({ type: 'stage-applied', lineId, requestId, stage: fold.stage, fold })
  const landed = folds.findLast(({ outcome }) => outcome === 'landed')
  if (landed === undefined || !isTrigger(landed.reason)) return
  const { id: foldId, reason: trigger, stage, summarySource, before, after, ceiling: limit } = landed
  const mode = stage === 'prune' ? 'prune' : summarySource === 'delegate' ? 'delegate' : 'summarize'
  emit({ type: 'round-repaired', lineId, requestId, foldId, trigger, mode, before, after, limit })
}

function isTrigger(reason: FoldRecord['reason']): reason is RepairTrigger {
  return reason !== 'threshold' && reason !== 'refused'
}
