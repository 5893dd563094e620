import { withFacts } from './fetch-response.ts'
import { untilAborted } from './until-aborted.ts'

/** Statuses with which providers say that a request is too long; of any other the body passes as it comes. */
const lengthStatuses: ReadonlySet<number> = new Set([400, 413, 422, 500, 502])

/** Of a rejection only so much is read before it is passed on; the words of a provider are short. */
const REJECTION_BYTES = 100_000

/** The body of a response that may say so, and can be read; null: it is to pass as it comes. */
export function rejectionBody({ status, body }: Response): Response['body'] {
  return lengthStatuses.has(status) && typeof body?.getReader === 'function' ? body : null
}

/** What a rejection says, and the response to hand over where nothing can be done about it: the same, unread. */
export interface HeldRejection {
  readonly error: unknown
  readonly response: Response
}

/**
 * Reads a rejection whole, or as much of it as matters or as comes before the app gives up. Never throws: what broke
 * breaks again when it is read.
 */
export async function holdRejection(
  response: Response,
  body: NonNullable<Response['body']>,
  signal: AbortSignal | undefined,
): Promise<HeldRejection> {
  const { status, statusText, headers } = response
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let bytes = 0
  let broke: { readonly error: unknown } | null = null
  let isWhole = false
  while (!isWhole && broke === null && bytes < REJECTION_BYTES)
    try {
      const { done, value } = await untilAborted(reader.read(), signal)
      isWhole = done
      if (value) chunks.push(value)
      bytes += value?.byteLength ?? 0
    } catch (error) {
      broke = { error }
      reader.cancel(error).catch(() => undefined)
    }
  const rest = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      if (broke) controller.error(broke.error)
      else if (isWhole) controller.close()
    },
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return {
    error: parsed(textOf(chunks)),
    response: withFacts(new Response(rest, { status, statusText, headers }), response),
  }
}

function textOf(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder()
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode()
}

/** An error as its provider says it, where that is JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
