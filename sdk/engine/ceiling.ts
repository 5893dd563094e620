import type { CeilingSource } from './journal.ts'
import { isPositiveInteger, type KeyFault, keyFault } from './key-rules.ts'
import type { ContextPolicy } from './policy.ts'

/** The boundary that `auto` reads: the largest prompt still billed at the model's first price tier. */
export interface FirstTier {
  /** Fresh, cache-read and cache-written input together (R11). */
  readonly maxPromptTokens: number
  /** Names the state of the price data that was read. */
  readonly revision: string
}

export interface CeilingFacts {
  /** As the app set it for the branch; absent: unset. */
  readonly policy?: ContextPolicy['maxInputTokens']
  /** Set for the model by the app; `null`: no ceiling; absent: nothing was set (R17). */
  readonly model?: number | null
  /** Set for this one request, as it was handed over. */
  readonly call?: unknown
  /** Absent where the model has one flat price, is not listed, or is not known (R12, R13). */
  readonly tier?: FirstTier
}

export interface Ceiling {
  readonly type: 'ceiling'
  /** Input tokens of one request; null: no ceiling. Never sent to a provider (R8). */
  readonly ceiling: number | null
  readonly source: CeilingSource
  /** The tier that was read, where the source is `auto` or `default`. */
  readonly tier?: FirstTier
}

/** The ceiling of one request and where it came from (R2 to R6, R296). */
export function resolveCeiling(facts: CeilingFacts): Ceiling | KeyFault {
  const resolved = withoutCall(facts)
  const { call } = facts
  if (call === undefined || (call === 'none' && resolved.ceiling === null)) return resolved
  const most = resolved.ceiling ?? Number.MAX_SAFE_INTEGER
  if (!isPositiveInteger(call) || call > most) {
    const limit =
      resolved.ceiling === null
        ? ''
        : ` of at most ${resolved.ceiling}, the ceiling that it may lower but not raise`
    return keyFault('maxInputTokens', `a positive integer${limit}`, call)
  }
  return call === resolved.ceiling ? resolved : { type: 'ceiling', ceiling: call, source: 'call' }
}

function withoutCall({ policy, model, tier }: CeilingFacts): Ceiling {
  if (typeof policy === 'number') return { type: 'ceiling', ceiling: policy, source: 'policy' }
  if (policy === 'none') return { type: 'ceiling', ceiling: null, source: 'none' }
  if (policy === undefined && model !== undefined)
    return { type: 'ceiling', ceiling: model, source: model === null ? 'none' : 'model' }
  if (!tier) return { type: 'ceiling', ceiling: null, source: 'unpriced' }
  const source = policy === 'auto' ? 'auto' : 'default'
  return { type: 'ceiling', ceiling: tier.maxPromptTokens, source, tier }
}
