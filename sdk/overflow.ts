import type { Outcome } from './branch.ts'
import type { Warning } from './engine/format.ts'
import type { OverflowFacts } from './engine/overflow-facts.ts'
import type { RepairRequest } from './engine/repair.ts'
import { DogearError } from './errors.ts'

/** What the error of a request says of its length; null: nothing. The table of errors comes with the first error. */
export async function overflowOf(
  outcome: Outcome,
  provider: string | undefined,
): Promise<OverflowFacts | null> {
  if (!('error' in outcome) || outcome.error === undefined) return null
  try {
    const { classifyError } = await import('./classify-error.ts')
    const { error, status } = outcome
    return classifyError(error, {
      ...(status === undefined ? {} : { status }),
      ...(provider === undefined ? {} : { provider }),
    })
  } catch {
    // Without the chunk the provider's error stands, as it would for any other reason.
    return null
  }
}

/**
 * What is asked of a repair. Null where less history could not help: what is too much are bytes, or the output that
 * was asked for takes all there is. Where output counts too, the input may have what it leaves; it is never changed
 * (rules.md 6, "Window repair").
 */
export function rejectionOf({ kind, limit, got, output = 0 }: OverflowFacts): RepairRequest | null {
  if (kind === 'request-bytes') return null
  const left = limit === undefined ? null : kind === 'context-and-output' ? limit - output : limit
  if (left !== null && left <= 0) return null
  return { trigger: 'overflow', limit: left, reported: got ?? null }
}

export function notRepaired(error: unknown): Warning {
  const why = DogearError.isInstance(error)
    ? `${error.code}: ${error.message}`
    : 'an error that was not expected'
  return {
    code: 'repair_failed',
    message: `the request was rejected for its length and could not be made to fit, so the provider's error stands (${why})`,
  }
}

export function isAborted(error: unknown): boolean {
  return DogearError.isInstance(error) && error.code === 'aborted'
}
