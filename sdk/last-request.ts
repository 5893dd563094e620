import type { KnownField } from './engine/intake.ts'
import { sortedJson } from './engine/json.ts'
import type { ContextPolicy } from './engine/policy.ts'
import type { CallOptions } from './prepare-options.ts'
import { type IncomingRequest, sameList } from './request-intake.ts'
import type { SentRequest } from './settling.ts'

/** The last request handed to the app, for as long as another one may be a retry of it. */
export interface LastRequest extends IncomingRequest {
  readonly asked: string
  readonly sent: SentRequest
}

/** What makes a request another one beside what it holds: the policy, its model, its ceiling, its run and its prefix. */
export function askedOf(
  policy: ContextPolicy,
  model: string | undefined,
  call: CallOptions & { readonly heldPrefix?: string | undefined },
): string {
  const { maxInputTokens, run, provider, heldPrefix, cachedContentTokens } = call
  const asked = [model, maxInputTokens, run, provider, heldPrefix, cachedContentTokens]
  return sortedJson([policy, ...asked.map((value) => value ?? null)])
}

/** The open or failed request that an equal one is a retry of (rules.md 6, "Order and retries"); null: it is new. */
export function retriedRequest(
  last: LastRequest | null,
  next: { readonly lineId: string; readonly asked: string; readonly incoming: IncomingRequest },
): SentRequest | null {
  if (last === null || last.sent.lineId !== next.lineId || last.asked !== next.asked) return null
  const { incoming } = next
  const same =
    sameFields(last.fields, incoming.fields) &&
    sameList(last.leading, incoming.leading) &&
    sameList(last.messages, incoming.messages)
  return same ? last.sent : null
}

/** A value that stayed equal is kept by the intake, so the same object is the same value. */
function sameFields(fields: readonly KnownField[], others: readonly KnownField[]): boolean {
  return (
    fields.length === others.length &&
    fields.every((field, position) => field === others[position] || field.type === 'messages')
  )
}
