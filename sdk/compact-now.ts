import type { CompactOutcome } from './branch.ts'
import type { BranchState } from './branch-state.ts'
import { decideWithCounter } from './counting.ts'
import { tellFolds } from './decided.ts'
import type { DecidedRequest } from './engine/decide.ts'
import { foldBlocked } from './engine/fold-conditions.ts'
import { policyInForce } from './engine/policy.ts'
import { changeView, type RecoveryContext } from './recovery.ts'
import { recordTried } from './tried-folds.ts'

/**
 * Has everything before the newest work summarised because somebody asked (R323): by the app's own function at once;
 * where only a model can write, with the next request that asks it. A repair that is asked for always summarises.
 */
export async function compactNow(
  state: BranchState,
  { session, emit }: Pick<RecoveryContext, 'session' | 'emit'>,
): Promise<CompactOutcome> {
  const { mode } = policyInForce(session.policy).compaction
  if (mode === 'off') return { type: 'refused', code: 'compaction_disabled' }
  if (session.isRemote) return { type: 'refused', code: 'compaction_unavailable_under_raw' }
  if (session.isCompacted) return { type: 'refused', code: 'already_compacted' }
  const input = await session.currentInput(state, { repairAsked: { trigger: 'manual' } })
  if (input === null) return armed(session)
  if (foldBlocked(input) === 'bounded_run') return { type: 'refused', code: 'compaction_disabled' }
  const writes = input.summaries === 'available'
  const { summarize, ...counting } = session.counting()
  const decided = await decideWithCounter(
    { ...input, stages: null, summaries: 'available' },
    writes && summarize ? { ...counting, summarize } : counting,
  )
  if (awaitsSummary(decided)) return armed(session)
  const { line, folds } = decided
  const named = { lineId: line.id, requestId: input.requestId, emit }
  const fold = folds.findLast(({ outcome }) => outcome === 'landed')
  if (fold === undefined) {
    await recordTried(state, { decided, ...named })
    return { type: 'refused', code: isCompacted(decided) ? 'already_compacted' : 'nothing_to_compact' }
  }
  await changeView(state, line, session, folds)
  session.compacted()
  const { id: foldId, before, after } = fold
  tellFolds(folds, named)
  const { lineId, requestId } = named
  for (const warning of decided.facts.warnings) emit({ type: 'warning', lineId, requestId, warning })
  return { type: 'compacted', foldId, before, after }
}

function armed(session: RecoveryContext['session']): CompactOutcome {
  session.arm()
  return { type: 'armed' }
}

/** Something could be summarised, and there is nobody who could do it now. */
function awaitsSummary({ facts }: DecidedRequest): boolean {
  return facts.trace.some((step) => step.type === 'stage' && step.outcome === 'needs_summary')
}

/** What is before the newest work is a summary. */
function isCompacted({ line }: DecidedRequest): boolean {
  return line.view.some((index) => line.record[index]?.note?.summary !== undefined)
}
