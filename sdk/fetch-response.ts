type Bytes = Uint8Array<ArrayBuffer>

/** Told of a response's bytes as they pass; exactly one of the last three is called, once. */
export interface ResponseWatch {
  /** Must not keep or change the bytes. */
  bytes(chunk: Uint8Array): void
  ended(): void
  /** The connection broke, or the app aborted it. */
  failed(error: unknown): void
  /** The app has enough. */
  cancelled(): void
}

/** Statuses whose response has no body whatever it holds. */
const bodiless: ReadonlySet<number> = new Set([101, 103, 204, 205, 304])

/**
 * The response as the app would have got it, with its body watched. Each chunk is passed on when the app asks for
 * one and as soon as it is there: nothing is held back, gathered or read ahead. One that cannot be watched is handed
 * over as it is, and counts as ended.
 */
export function watchResponse(response: Response, watch: ResponseWatch): Response {
  const { body, status } = response
  if (typeof body?.getReader !== 'function' || status < 200 || bodiless.has(status)) {
    watch.ended()
    return response
  }
  const { statusText, headers } = response
  const watched = new Response(watchedBody(body, watch), { status, statusText, headers })
  return withFacts(watched, response)
}

/** What a response that was made by hand cannot be told. */
function withFacts(copy: Response, { url, type, redirected }: Response): Response {
  return Object.defineProperties(copy, {
    url: { value: url },
    type: { value: type },
    redirected: { value: redirected },
    clone: {
      value: () => withFacts(Response.prototype.clone.call(copy), { url, type, redirected } as Response),
    },
  })
}

function watchedBody(body: ReadableStream<Bytes>, watch: ResponseWatch): BodyInit {
  const reader = body.getReader()
  const source = {
    async pull(controller: ReadableStreamDefaultController | ReadableByteStreamController): Promise<void> {
      try {
        const chunk = await nextChunk(reader)
        if (chunk) {
          watch.bytes(chunk)
          controller.enqueue(chunk)
          return
        }
        watch.ended()
        controller.close()
        // A read into the app's own buffer ends only when it is answered.
        if ('byobRequest' in controller) controller.byobRequest?.respond(0)
      } catch (error) {
        watch.failed(error)
        controller.error(error)
      }
    },
    cancel(reason: unknown): Promise<void> {
      watch.cancelled()
      return reader.cancel(reason)
    },
  }
  // As the body of a response is, in browsers that have such streams.
  return 'ReadableByteStreamController' in globalThis
    ? new ReadableStream({ ...source, type: 'bytes' })
    : new ReadableStream(source, { highWaterMark: 0 })
}

/** The next bytes; null at the end. */
async function nextChunk(reader: ReadableStreamDefaultReader<Bytes>): Promise<Bytes | null> {
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return null
    // A stream of bytes takes no empty chunk.
    if (value.byteLength > 0) return value
  }
}
