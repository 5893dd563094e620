import type { SendOwnRequest } from './branch.ts'
import { isRequest, wholeAnswerUrl } from './fetch-endpoint.ts'
import type { ChatCall } from './fetch-options.ts'

/** Sends a request of dogear's own on the way of a round: its endpoint, its headers, its credentials. */
export function ownRequests({
  input,
  init,
  endpoint,
  send,
}: Pick<ChatCall, 'input' | 'init' | 'endpoint' | 'send'>): SendOwnRequest {
  return async (request, { signal, model }) => {
    const response = await send(wholeAnswerUrl(endpoint, model), {
      ...(isRequest(input) ? settingsOf(input) : {}),
      ...init,
      method: 'POST',
      headers: headersOf(input, init),
      body: JSON.stringify(request),
      signal,
    })
    if (response.ok) return response.json()
    await response.body?.cancel()
    throw new Error(`the provider answered with status ${response.status}`)
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
