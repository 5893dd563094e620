import { isRequest } from './fetch-endpoint.ts'

/** What a request says, as text, and how to send it with another text. */
export interface RequestBody {
  readonly text: string
  /**
   * Arguments of `fetch` that send another text in the same way: all else is what the app handed over, but for the
   * headers that are named.
   */
  withText(text: string, without: readonly string[]): [input: RequestInfo | URL, init: RequestInit]
}

/**
 * The body that a request would send; its own is left unread. Null where there is none that can be held as text:
 * no body, a stream, a form, or bytes that are no UTF-8 or are compressed.
 */
export async function readBody(
  input: RequestInfo | URL,
  init: RequestInit | undefined,
): Promise<RequestBody | null> {
  const request = isRequest(input) ? input : null
  const headers = new Headers(init?.headers ?? request?.headers)
  if (headers.has('content-encoding')) return null
  const given = init?.body ?? (request && !request.bodyUsed ? request : null)
  const held = given === null ? null : await holdBody(given)
  if (held === null) return null
  return {
    text: held.text,
    withText: (text, without) => {
      const body = held.asGiven(text)
      const gone = without.filter((name) => headers.has(name))
      const isSized = headers.has('content-length')
      if (!isSized && gone.length === 0) return [input, { ...init, body }]
      const changed = new Headers(headers)
      if (isSized) changed.set('content-length', String(encoder.encode(text).byteLength))
      for (const name of gone) changed.delete(name)
      return [input, { ...init, body, headers: changed }]
    },
  }
}

interface HeldBody {
  readonly text: string
  /** The same kind of body, for its kind may decide a header. */
  asGiven(text: string): BodyInit
}

const encoder = new TextEncoder()

async function holdBody(given: BodyInit | Request): Promise<HeldBody | null> {
  if (typeof given === 'string') return { text: given, asGiven: (text) => text }
  if (given instanceof Blob) {
    const text = decode(await given.arrayBuffer())
    return text === null ? null : { text, asGiven: (next) => new Blob([next], { type: given.type }) }
  }
  const bytes = await bytesOf(given)
  const text = bytes === null ? null : decode(bytes)
  return text === null ? null : { text, asGiven: (next) => encoder.encode(next) }
}

async function bytesOf(
  given: Exclude<BodyInit, string> | Request,
): Promise<ArrayBuffer | ArrayBufferView | null> {
  if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) return given
  return 'clone' in given ? given.clone().arrayBuffer() : null
}

/** Null for what is no UTF-8, which could not be sent again as it was. */
function decode(bytes: ArrayBuffer | ArrayBufferView): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
