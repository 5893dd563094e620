import type { Prepared } from './branch.ts'
import { isObject, type JsonObject } from './engine/json.ts'
import { DogearError } from './errors.ts'
import { type RequestBody, readBody } from './fetch-body.ts'
import { deliver } from './fetch-delivery.ts'
import { isRequest } from './fetch-endpoint.ts'
import type { ChatCall } from './fetch-options.ts'
import { ownRequests } from './fetch-own-request.ts'
import { refusedResponse } from './fetch-refusal.ts'
import { settleChat } from './fetch-settling.ts'
import { bodyUnreadable, branchUnnamed, notPrepared } from './fetch-warnings.ts'
import type { TransportBranch } from './live-branches.ts'
import { isRefusal } from './refusal-codes.ts'
import { untilAborted } from './until-aborted.ts'

/**
 * Sends a request that went to the address of a chat: prepares it, passes its response through, and settles it.
 * Whatever keeps it from being prepared, other than a refusal and the app's own signal, is told as a warning, and
 * the request goes out as it came.
 */
export async function sendChat(call: ChatCall): Promise<Response> {
  const { input, init, send } = call
  // What cannot be read cannot be sent either, and the network says so better.
  const body = await readBody(input, init).catch(() => null)
  const request = body && parseObject(body.text)
  const signal = init?.signal ?? (isRequest(input) ? input.signal : undefined)
  const branch = body && (await untilAborted(branchFor(call, { body, request }), signal))
  if (body === null || branch === null) return send(input, init)
  if (request === null) {
    branch.warn(bodyUnreadable)
    return send(input, init)
  }
  const prepared = await prepareChat(request, { call, branch, signal })
  if (prepared === null) return send(input, init)
  if (prepared instanceof Response) return prepared
  return deliver(call, { body, request, prepared, branch, signal })
}

/** Null where the request is for no branch, or where its branch cannot be had. */
async function branchFor(
  { branch, input, init, endpoint, host }: ChatCall,
  { body, request }: { readonly body: RequestBody; readonly request: JsonObject | null },
): Promise<TransportBranch | null> {
  if (typeof branch !== 'string' && request === null) {
    host.warn(bodyUnreadable)
    return null
  }
  try {
    const headers = init?.headers ?? (isRequest(input) ? input.headers : {})
    const id =
      typeof branch === 'string'
        ? branch
        : branch(new Request(endpoint.url, { method: 'POST', headers, body: body.text }))
    if (id === null) return null
    return await (await host.branches()).transport(id, endpoint.format)
  } catch (error) {
    host.warn(DogearError.isInstance(error) ? notPrepared(error) : branchUnnamed(error))
    return null
  }
}

/** The response in place of one that was refused; null where the request is to go out as it came. */
async function prepareChat(
  request: JsonObject,
  options: {
    readonly call: ChatCall
    readonly branch: TransportBranch
    readonly signal: AbortSignal | undefined
  },
): Promise<Prepared<JsonObject> | Response | null> {
  const { call, branch, signal } = options
  const { format, url, model } = call.endpoint
  const preparing = branch.prepare(request, {
    format,
    url,
    ...(model === undefined || typeof request.model === 'string' ? {} : { model }),
    ...(signal ? { signal } : {}),
    send: ownRequests(call),
  })
  try {
    return await untilAborted(preparing, signal)
  } catch (error) {
    if (signal?.aborted) {
      // It may have been decided all the same; then it ends here.
      preparing.then(
        (prepared) => settleChat({ prepared, branch, signal }, { aborted: true }),
        () => undefined,
      )
      throw signal.reason
    }
    if (isRefusal(error)) return refusedResponse(format, error)
    branch.warn(notPrepared(error))
    return null
  }
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
