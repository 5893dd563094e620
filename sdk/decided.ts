import type { ContextDecision, RefusalReason } from './engine/journal.ts'
import { InputCeilingError } from './errors.ts'
import type { PolicySetEvent } from './events.ts'

/** What a decision says of the ceiling in force, for those who want to know it before the next one. */
export function ceilingOf(decision: ContextDecision): NonNullable<PolicySetEvent['resolved']> {
  const { ceiling, ceilingSource, tier, line, target } = decision
  return { ceiling, ceilingSource, line, target, ...(tier ? { tier } : {}) }
}

/** The error for a request that was not handed over (R51). */
export function refusalOf(decision: ContextDecision, reason: RefusalReason): InputCeilingError {
  return new InputCeilingError({
    estimate: decision.after,
    ceiling: decision.ceiling ?? 0,
    counted: decision.counted,
    scale: decision.scale,
    largestParts: [...decision.parts].sort((a, b) => b.tokens - a.tokens),
    reason,
  })
}
