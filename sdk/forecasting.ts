import type { FoldPreview } from './branch.ts'
import type { BranchState } from './branch-state.ts'
import { decideWithCounter } from './counting.ts'
import { answeredBy } from './decided.ts'
import { asItStands, type InputFacts, type TurnFacts } from './decision-input.ts'
import type { DecidedRequest } from './engine/decide.ts'
import type { ContextPolicy } from './engine/policy.ts'
import type { Session } from './session.ts'

/**
 * Decides the newest request as it would be decided now, over another line or under another policy, and sends nothing:
 * not even what a summary would need. Null until a request has been seen since the branch was opened.
 */
export async function forecast(
  session: Session,
  state: BranchState,
  changed: Partial<Pick<InputFacts, 'line' | 'policy'>> & {
    /** Whether it may be made smaller. */
    readonly folds: boolean
  },
): Promise<(Pick<TurnFacts, 'standing'> & { readonly decided: DecidedRequest }) | null> {
  const input = await session.currentInput(state, changed)
  if (input === null) return null
  const { breathe, counter, loadTimeoutMs } = session.counting()
  const decided = await decideWithCounter(
    {
      ...(changed.folds ? input : asItStands(input)),
      // The next request will come the way that the newest did.
      ...(session.asksModel && input.summaries === 'missing' ? { summaries: 'available' } : {}),
    },
    { breathe, counter, loadTimeoutMs },
  )
  return { decided, standing: input.standing }
}

/** The next request under a policy. */
export async function previewNext(
  session: Session,
  state: BranchState,
  policy: ContextPolicy,
): Promise<FoldPreview | null> {
  const next = await forecast(session, state, { policy, folds: true })
  if (next === null) return null
  const { facts } = next.decided
  const { before, after, method, ceiling, line, target, parts } = facts
  const { action, trace } = next.standing ? answeredBy(next.standing, facts) : facts
  return { before, after, method, ceiling, line, target, parts, action, steps: trace }
}
