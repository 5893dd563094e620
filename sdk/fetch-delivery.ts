import type { Prepared } from './branch.ts'
import type { JsonObject } from './engine/json.ts'
import type { RequestBody } from './fetch-body.ts'
import type { ChatCall } from './fetch-options.ts'
import { holdRejection, rejectionBody } from './fetch-rejection.ts'
import { watchResponse } from './fetch-response.ts'
import { rewriteJson } from './fetch-rewrite.ts'
import { type SentChat, settleChat, settlingWatch } from './fetch-settling.ts'
import { reasoningUnbound } from './fetch-warnings.ts'
import { isAborted } from './is-aborted.ts'
import { untilAborted } from './until-aborted.ts'

interface Delivery extends SentChat {
  readonly body: RequestBody
  /** As the app sent it. */
  readonly request: JsonObject
  readonly prepared: Prepared<JsonObject>
  /** It takes the place of one that was rejected. */
  readonly isInPlace?: true
  /** What is sent for the prepared request, whose reasoning was rejected. */
  readonly unbound?: JsonObject
}

/**
 * Sends a prepared request. Where its provider rejects it for its length and it can be made to fit, the one that takes
 * its place is sent as well, and the app sees one response; of that it happens once, the branch sees to it (R321,
 * R363). Once, too, it is sent without its reasoning, where that is what is rejected.
 */
export async function deliver(call: ChatCall, delivery: Delivery): Promise<Response> {
  const { send } = call
  const { signal } = delivery
  let response: Response
  try {
    response = await send(...argumentsOf(call, delivery))
  } catch (error) {
    settleChat(delivery, isAborted(error, signal) ? { aborted: true } : { error })
    throw error
  }
  // It has the shape of the one that it takes the place of.
  const { unbound: _, ...rest } = delivery
  const resend = (retry: Prepared): Promise<Response> =>
    deliver(call, { ...rest, prepared: retry as Prepared<JsonObject>, isInPlace: true })
  const body = rejectionBody(response)
  if (body === null) return watchResponse(response, settlingWatch(delivery, response, resend))
  const held = await holdRejection(response, body, signal)
  const unbound = unboundRequest(delivery, held.error)
  if (unbound) return deliver(call, { ...delivery, unbound, isInPlace: true })
  const { status } = response
  const settlement = await untilAborted(settleChat(delivery, { error: held.error, status }), signal)
  return settlement?.retry ? resend(settlement.retry) : held.response
}

/** What is sent once more without its reasoning; null: that is not what was rejected, or it was sent so before. */
function unboundRequest({ branch, prepared, unbound }: Delivery, error: unknown): JsonObject | null {
  const stripped = unbound ? null : (branch.wire.withoutReasoning?.(prepared.request, error) ?? null)
  if (stripped) branch.warn(reasoningUnbound, prepared.decision)
  return stripped
}

/** The app's own where nothing was changed. */
function argumentsOf(
  { input, init }: ChatCall,
  { body, request, prepared, unbound, isInPlace }: Delivery,
): Parameters<typeof fetch> {
  const outgoing = unbound ?? prepared.request
  if (outgoing === request) return [input, init]
  const text = rewriteJson(body.text, request, outgoing)
  // A key names what was sent under it before.
  return body.withText(text, isInPlace ? ['idempotency-key'] : [])
}
