import type { Ceiling } from './ceiling.ts'
import type { RemoteHistory } from './choose-method.ts'
import type { WireFormat } from './format.ts'
import type { RefusalReason, TraceStep } from './journal.ts'
import type { PolicyInForce } from './policy.ts'
import type { RepairFacts } from './repair.ts'

/** What decides whether a request may be folded at all. */
export interface FoldConditions {
  readonly policy: PolicyInForce
  readonly ceiling: Ceiling
  readonly run: 'iterative' | 'bounded'
  /** Null where the request brings its own history. */
  readonly remote: RemoteHistory | null
  /** Registered name of the context tool where this request carries it. */
  readonly contextTool: string | null
  /** The provider takes no cache marks, though the format can hold them. */
  readonly takesNoMarks?: boolean
}

/** Why this request may not be folded at all: a bounded run never is (R54), `model` recovery needs its tool (R57). */
export function foldBlocked(input: FoldConditions): RefusalReason | null {
  if (input.remote) return 'remote_history'
  if (input.run === 'bounded') return 'bounded_run'
  if (input.policy.recovery === 'model' && input.contextTool === null) return 'no_context_tool'
  return null
}

/**
 * Whether a request that cannot be sent for its size may be repaired, and if not, why. The recovery does not matter
 * here: it binds the fold under a ceiling only (rules.md 3, O24).
 */
export function repairOutcome(
  input: FoldConditions & { readonly repair: RepairFacts },
): Extract<TraceStep, { type: 'repair' }>['outcome'] {
  if (input.policy.compaction.mode === 'off') return 'off'
  const blocked = foldBlocked(input)
  if (blocked !== null && blocked !== 'no_context_tool') return 'blocked'
  return input.repair.stages === null ? 'repaired_before' : 'repairs'
}

/** A fold is installed: there is a ceiling to fold under, and the run and the recovery allow it (R271). */
export function hasFold(input: FoldConditions): boolean {
  return input.ceiling.ceiling !== null && foldBlocked(input) === null
}

/** Whether the provider's cache is placed: the policy wants it, and format and provider can do it (R253, R386). */
export function placesCache(
  request: Pick<FoldConditions, 'policy' | 'takesNoMarks'> & { readonly wire: WireFormat },
): boolean {
  const { policy, wire, takesNoMarks } = request
  return policy.promptCaching === true && wire.cacheMarks !== undefined && takesNoMarks !== true
}
