import type { WireFormat } from './engine/format.ts'
import type { JsonObject } from './engine/json.ts'
import { isRequest, wholeAnswerUrl } from './fetch-endpoint.ts'
import type { ChatCall } from './fetch-options.ts'
import type { SummaryTransport } from './summarizing.ts'

/**
 * Asks for a summary on the way of a round: its endpoint, its headers, its model. It is a request of dogear's own, so
 * it is neither prepared nor settled. Undefined where the format has none.
 */
export function summaryTransport(
  { input, init, endpoint, send }: Pick<ChatCall, 'input' | 'init' | 'endpoint' | 'send'>,
  { request, wire }: { readonly request: JsonObject; readonly wire: WireFormat },
): SummaryTransport | undefined {
  const { summaryRequest, readAnswer } = wire
  if (!summaryRequest || !readAnswer) return undefined
  return async ({ signal, ...question }) => {
    const response = await send(wholeAnswerUrl(endpoint, question.model), {
      ...(isRequest(input) ? settingsOf(input) : {}),
      ...init,
      method: 'POST',
      headers: headersOf(input, init),
      body: JSON.stringify(summaryRequest(request, question)),
      signal,
    })
    if (!response.ok) {
      await response.body?.cancel()
      return { text: null, usage: null }
    }
    const answer: unknown = await response.json()
    return { text: readAnswer(answer), usage: wire.readUsage(answer) }
  }
}

function settingsOf({ credentials, mode, cache, redirect, referrer, referrerPolicy }: Request): RequestInit {
  return { credentials, mode, cache, redirect, referrer, referrerPolicy }
}

/** Those of the round, but for what names that very request. */
function headersOf(input: ChatCall['input'], init: ChatCall['init']): Headers {
  const headers = new Headers(init?.headers ?? (isRequest(input) ? input.headers : undefined))
  headers.delete('content-length')
  headers.delete('idempotency-key')
  return headers
}
