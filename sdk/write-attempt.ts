import type { DecidedAttempt, DecideRepair, WrittenAttempt } from './attempt.ts'
import { tooManyBytes } from './byte-wall.ts'
import { outgoingRequest } from './outgoing-request.ts'

/**
 * Writes what was decided. A body of more bytes than its provider takes is made to fit as a request of too many tokens
 * is (R318); throws `request_too_large` where it cannot be.
 */
export async function writeAttempt(
  attempt: DecidedAttempt,
  decideRepair: DecideRepair,
): Promise<WrittenAttempt> {
  const { input, decided } = attempt
  const { opened } = attempt.stated
  const outgoing = outgoingRequest(opened, decided)
  const isRefused = decided.refusal !== null || input.standing !== null
  const tooMany = isRefused ? null : tooManyBytes(opened, outgoing)
  if (tooMany === null) return { attempt, outgoing }
  const { fitBytes } = await import('./fit-bytes.ts')
  return fitBytes(attempt, { tooMany, decideRepair })
}
