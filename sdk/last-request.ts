import type { PrepareOptions } from './branch.ts'
import type { KnownField } from './engine/intake.ts'
import { sortedJson } from './engine/json.ts'
import type { ContextPolicy } from './engine/policy.ts'
import { type IncomingRequest, sameList } from './request-intake.ts'
import type { SentRequest } from './settling.ts'

/** The last request handed to the app. */
export interface LastRequest extends IncomingRequest {
  readonly asked: string
  readonly sent: SentRequest
}

/** What makes a request another one beside what it holds: the policy, its model, its ceiling and its run. */
export function askedOf(
  policy: ContextPolicy,
  model: string | undefined,
  { maxInputTokens, run, provider }: PrepareOptions,
): string {
  return sortedJson([policy, model ?? null, maxInputTokens ?? null, run ?? null, provider ?? null])
}

/** The open or failed request that an equal one is a retry of (rules.md 6, "Order and retries"); null: it is new. */
export function retriedRequest(
  last: LastRequest | null,
  next: { readonly lineId: string; readonly asked: string; readonly incoming: IncomingRequest },
): SentRequest | null {
  if (last === null || last.sent.outcome === 'completed') return null
  if (last.sent.lineId !== next.lineId || last.asked !== next.asked) return null
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
