type Bytes = Uint8Array<ArrayBuffer>

/** Told of a response's bytes as they pass. Of the last three the first that is called says how it ended. */
export interface ResponseWatch {
  /** Must not throw, nor keep or change the bytes. */
  bytes(chunk: Uint8Array): void
  /**
   * What takes the place of the bytes that were just told and of all that follow them, once it is there; null, as
   * ever but for a stream that fails before it says anything: they are passed on. Must not reject.
   */
  replacement?(): Promise<ReadableStream<Bytes> | null> | null
  ended(): void
  /** The connection broke, or the app aborted it. */
  failed(error: unknown): void
  /** The app has enough. */
  cancelled(): void
}

/**
 * The response as the app would have got it, with its body watched. Each chunk is passed on when the app asks for
 * one and as soon as it is there: nothing is held back, gathered or read ahead. One that cannot be watched is handed
 * over as it is, and counts as ended.
 */
export function watchResponse(response: Response, watch: ResponseWatch): Response {
  const { body, status, statusText, headers } = response
  // Some fetch functions have streams of another kind.
  if (typeof body?.getReader !== 'function') {
    watch.ended()
    return response
  }
  const watched = new Response(watchedBody(body, watch), { status, statusText, headers })
  return withFacts(watched, response)
}

type Facts = Pick<Response, 'url' | 'type' | 'redirected'>

/** What a response that was made by hand cannot be told, or does not do as one of the network does. */
export function withFacts(copy: Response, { url, type, redirected }: Facts): Response {
  return Object.defineProperties(copy, {
    url: { value: url },
    type: { value: type },
    redirected: { value: redirected },
    // Chromium puts words of its own ahead of an error that is thrown while a stream closes that was made by hand.
    json: { value: async () => JSON.parse(await copy.text()) },
    clone: { value: () => withFacts(Response.prototype.clone.call(copy), { url, type, redirected }) },
  })
}

function watchedBody(body: ReadableStream<Bytes>, watch: ResponseWatch): BodyInit {
  const isOfBytes = isByteStream(body)
  let reader = body.getReader()
  let watching: ResponseWatch | null = watch
  let cancelled: { readonly reason: unknown } | null = null
  const source = {
    async pull(controller: ReadableStreamDefaultController | ReadableByteStreamController): Promise<void> {
      try {
        const { done, value } = await reader.read()
        if (!done) {
          if (ArrayBuffer.isView(value)) watching?.bytes(value)
          const replacing = watching?.replacement?.()
          const replacement = replacing && (await replacing)
          if (!replacement) {
            controller.enqueue(value)
            return
          }
          // It is watched where it was asked for; what it takes the place of may end as it likes.
          watching = null
          reader.cancel().catch(() => undefined)
          reader = replacement.getReader()
          if (cancelled) return reader.cancel(cancelled.reason)
          return source.pull(controller)
        }
        watching?.ended()
        controller.close()
        // A read into the app's own buffer ends only when it is answered.
        if ('byobRequest' in controller) controller.byobRequest?.respond(0)
      } catch (error) {
        watching?.failed(error)
        controller.error(error)
      }
    },
    cancel(reason: unknown): Promise<void> {
      cancelled = { reason }
      watching?.cancelled()
      return reader.cancel(reason)
    },
  }
  return isOfBytes
    ? new ReadableStream({ ...source, type: 'bytes' })
    : new ReadableStream(source, { highWaterMark: 0 })
}

/**
 * Whether apps can read it into buffers of their own. Only such a stream gives its memory away with each chunk; the
 * chunks of another may be parts of a buffer that its source goes on using.
 */
function isByteStream(body: ReadableStream<Bytes>): boolean {
  try {
    body.getReader({ mode: 'byob' }).releaseLock()
    return true
  } catch {
    return false
  }
}
