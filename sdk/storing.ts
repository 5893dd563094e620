import type { BranchState, JournalEntry } from './branch-state.ts'
import type { DecidedRequest } from './engine/decide.ts'
import type { ContextDecision, FoldRecord } from './engine/journal.ts'
import type { ContextPolicy } from './engine/policy.ts'
import type { TurnState } from './engine/turn.ts'
import { type IncomingRequest, newBodies } from './request-intake.ts'

/** Stores all of one prepare in one transaction, before the request is handed over. */
export async function storeStep(
  state: BranchState,
  step: {
    readonly incoming: IncomingRequest
    readonly decided: DecidedRequest
    readonly decision: ContextDecision
    readonly turn: TurnState
    readonly policy: ContextPolicy
    readonly provider: string | undefined
  },
): Promise<void> {
  const { incoming, decided, decision, turn, policy, provider } = step
  const { line } = decided
  const added = line.record.slice(state.line(line.id)?.line.record.length ?? line.parent?.index ?? 0)
  // A refused list counts as carried too: an answer that follows it all the same proves that it was read.
  // What was read back beside its place is carried by that reading, so its time of grace ends with the same answer.
  const carried = [...new Set([...line.view, ...line.recovered])]
  state.put({ ...line, carried }, { turn })
  state.setRow({
    lineId: line.id,
    policy: { ...policy },
    format: decision.format,
    ...(decision.model === undefined ? {} : { model: decision.model }),
    ...(provider === undefined ? {} : { provider }),
  })
  const model = decision.model ?? ''
  // A summary request may have raised it, and what was learned is not to be learned again (R34, R107).
  if (decided.scale !== state.scale(model))
    state.setRow({ scales: { ...state.row.scales, [model]: decided.scale } })
  state.remember(incoming.messages)
  await state.commit({
    lineIds: [line.id],
    bodies: newBodies(incoming, added),
    journal: [...foldRows(decided.folds), { type: 'decision' as const, record: decision }],
    durability: 'strict',
  })
}

/** Keeps the decision on a list that is not recorded. */
export function storeDecision(state: BranchState, decision: ContextDecision): Promise<void> {
  const journal = [{ type: 'decision' as const, record: decision }]
  return state.commit({ lineIds: [], bodies: [], journal, durability: 'relaxed' })
}

/** Passes as rows of the journal. */
export function foldRows(folds: readonly FoldRecord[]): readonly JournalEntry[] {
  return folds.map((record) => ({ type: 'fold', record }))
}
