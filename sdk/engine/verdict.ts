import type { CompiledRequest } from './compile-request.ts'
import type { DecideInput } from './decide-input.ts'
import { foldBlocked } from './fold-conditions.ts'
import type { Warning } from './format.ts'
import type { ContextDecision, RefusalReason } from './journal.ts'
import { atOrPast, type Estimate, over } from './scale.ts'

/** Only a count over the ceiling refuses, an estimate never; history that nobody measured is refused as such. */
export function refusalOf(
  input: DecideInput,
  outcome: { readonly final: CompiledRequest; readonly after: Estimate; readonly landed: boolean },
): RefusalReason | null {
  if (outcome.final.unfit.length > 0) return 'result_over_bound'
  const { ceiling, source } = input.ceiling
  if (ceiling === null) return null
  // Under a ceiling that nobody asked for, an app that worked before must go on working (rules.md 6).
  if (isUnmeasured(input)) return source === 'default' ? null : 'remote_unmeasured'
  if (!input.exact || !over(outcome.after, ceiling)) return null
  return foldBlocked(input) ?? (outcome.landed ? 'over_ceiling' : 'nothing_to_fold')
}

export function actionOf(
  input: DecideInput,
  outcome: {
    readonly after: Estimate
    readonly landed: boolean
    readonly repaired: boolean
    readonly noticed: boolean
    readonly refusal: RefusalReason | null
  },
): ContextDecision['action'] {
  if (outcome.refusal !== null) return 'refuse'
  if (outcome.repaired) return 'repair'
  if (outcome.landed) return 'fold'
  const { ceiling } = input.ceiling
  const near = ceiling !== null && atOrPast(outcome.after, ceiling, input.policy.contextFoldAt)
  return outcome.noticed || (input.remote && near) ? 'notice' : 'pass'
}

function isUnmeasured(input: DecideInput): boolean {
  return lacksRemote(input) || lacksHeld(input)
}

function lacksRemote({ remote }: DecideInput): boolean {
  return remote !== null && remote.reported === null
}

export function lacksHeld({ held }: DecideInput): boolean {
  return held?.tokens === null
}

const heldWarning: Warning = {
  code: 'cached_content_unmeasured',
  message:
    'the request names a cached content whose size is not on record, so it was measured without it; hand over cachedContentTokens, or settle the request with its response',
}

export function remoteWarnings(input: DecideInput): readonly Warning[] {
  const warnings = lacksHeld(input) ? [heldWarning] : []
  if (!lacksRemote(input)) return warnings
  return [
    ...warnings,
    {
      code: 'remote_history_unmeasured',
      message:
        'the request continues a response whose size is not on record, so the history that the provider holds could not be measured; settle each request with its response',
    },
  ]
}
