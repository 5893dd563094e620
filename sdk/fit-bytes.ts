import type { DecidedAttempt, DecideRepair, WrittenAttempt } from './attempt.ts'
import { type TooManyBytes, tooManyBytes } from './byte-wall.ts'
import { DogearError } from './errors.ts'
import { outgoingRequest } from './outgoing-request.ts'
import type { OpenedRequest } from './request-reading.ts'

/** What clears read results is decided and written first, and a summary where that is not enough (R330). */
export async function fitBytes(
  attempt: DecidedAttempt,
  { tooMany, decideRepair }: { readonly tooMany: TooManyBytes; readonly decideRepair: DecideRepair },
): Promise<WrittenAttempt> {
  const { input, stated } = attempt
  const { opened } = stated
  if (input.repair.asked !== null) throw tooManyBytesError(tooMany, opened)
  for (const arm of ['prune', 'summary'] as const) {
    const smaller = { ...attempt, ...(await decideRepair({ trigger: 'wall', arm })) }
    if (smaller.decided.facts.action !== 'repair') continue
    const outgoing = outgoingRequest(opened, smaller.decided)
    // Unless clearing leaves room for more than this one request, a summary is the better way.
    const share = arm === 'prune' ? input.policy.contextFoldTarget : 1
    if (tooManyBytes(opened, outgoing, share) === null) return { attempt: smaller, outgoing }
  }
  throw tooManyBytesError(tooMany, opened)
}

function tooManyBytesError({ bytes, limit }: TooManyBytes, { wire }: OpenedRequest): DogearError {
  return new DogearError({
    code: 'request_too_large',
    message: `the request has ${bytes} bytes, and the provider takes ${limit} at the most; send fewer or smaller images and documents`,
    fields: { bytes, limit, format: wire.format },
  })
}
