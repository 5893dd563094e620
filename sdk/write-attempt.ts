import type { DecidedAttempt } from './attempt.ts'
import { tooManyBytes, tooManyBytesError } from './byte-wall.ts'
import type { RepairRequest } from './engine/repair.ts'
import { outgoingRequest } from './outgoing-request.ts'

interface WrittenAttempt {
  readonly attempt: DecidedAttempt
  /** The request that leaves. */
  readonly outgoing: unknown
}

/**
 * Writes what was decided. A body of more bytes than its provider takes is made to fit as a request of too many tokens
 * is (R318): what clears read results is decided and written first, and a summary where that is not enough. Throws
 * `request_too_large` where neither is.
 */
export async function writeAttempt(
  attempt: DecidedAttempt,
  decideRepair: (asked: RepairRequest) => Promise<Pick<DecidedAttempt, 'input' | 'decided'>>,
): Promise<WrittenAttempt> {
  const { input, decided } = attempt
  const { opened } = attempt.stated
  const outgoing = outgoingRequest(opened, decided)
  const isRefused = decided.refusal !== null || input.standing !== null
  const tooMany = isRefused ? null : tooManyBytes(opened, outgoing)
  if (tooMany === null) return { attempt, outgoing }
  if (input.repair.asked !== null) throw tooManyBytesError(tooMany, opened)
  for (const arm of ['prune', 'summary'] as const) {
    const smaller = { ...attempt, ...(await decideRepair({ trigger: 'wall', arm })) }
    if (smaller.decided.facts.action !== 'repair') continue
    const written = outgoingRequest(opened, smaller.decided)
    // Unless clearing leaves room for more than this one request, a summary is the better way.
    const share = arm === 'prune' ? input.policy.contextFoldTarget : 1
    if (tooManyBytes(opened, written, share) === null) return { attempt: smaller, outgoing: written }
  }
  throw tooManyBytesError(tooMany, opened)
}
