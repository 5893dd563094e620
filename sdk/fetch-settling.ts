import type { Outcome, Prepared, Settlement } from './branch.ts'
import { ResponseReader } from './fetch-reading.ts'
import { parsed } from './fetch-rejection.ts'
import type { ResponseWatch } from './fetch-response.ts'
import {
  notSettled,
  responseFailed,
  responseOfOtherType,
  responseTruncated,
  responseUnreadable,
} from './fetch-warnings.ts'
import { isAborted } from './is-aborted.ts'
import type { TransportBranch } from './live-branches.ts'

/** A request that is on its way. */
export interface SentChat {
  readonly prepared: Prepared
  readonly branch: TransportBranch
  readonly signal: AbortSignal | undefined
}

/**
 * Settles a request by its response, however that ends, and once. A stream that is rejected for its length before it
 * says anything is gone on with by the response to what takes the place of its request (R322).
 */
export function settlingWatch(
  chat: SentChat,
  response: Response,
  resend: (retry: Prepared) => Promise<Response>,
): ResponseWatch {
  const { signal } = chat
  const ending = response.ok ? answerEnding(chat, response) : rejectionEnding(response)
  let isSettled = false
  const settle = (outcome: () => Outcome): void => {
    if (isSettled) return
    isSettled = true
    signal?.removeEventListener('abort', abort)
    settleChat(chat, outcome())
  }
  const abort = (): void => settle(ending.aborted)
  const replace = async (): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | null> => {
    const settlement = await settleChat(chat, ending.ended())
    const replaced = settlement?.retry ? await resend(settlement.retry).catch(() => null) : null
    if (replaced?.ok) return replaced.body
    // What the app reads by now can only go on as it began.
    await replaced?.body?.cancel()
    return null
  }
  // The app may abort and never read on.
  signal?.addEventListener('abort', abort)
  return {
    bytes: (chunk) => {
      if (isSettled) return
      ending.add(chunk)
      // Some clients leave a stream lying once they have read its error.
      if (ending.hasFailed() && !ending.failedAtOpening()) settle(ending.ended)
    },
    replacement: () => {
      if (isSettled || !ending.failedAtOpening()) return null
      isSettled = true
      signal?.removeEventListener('abort', abort)
      return replace()
    },
    ended: () => settle(ending.ended),
    failed: (error) => settle(() => (isAborted(error, signal) ? ending.aborted() : ending.failed(error))),
    cancelled: abort,
  }
}

/**
 * Settles ahead of whatever the app asks for next, whether anybody waits for it or not. Never rejects: null where it
 * could not be settled.
 */
export function settleChat({ prepared, branch }: SentChat, outcome: Outcome): Promise<Settlement | null> {
  const { decision } = prepared
  return prepared.settle(outcome).catch((error) => {
    branch.warn(notSettled(error), decision)
    return null
  })
}

/** What a response comes to, by how it ends. */
interface Ending {
  add(chunk: Uint8Array): void
  /** The provider reported an error. */
  hasFailed(): boolean
  /** Nothing of an answer came before that, so that another answer can come in its place. */
  failedAtOpening(): boolean
  ended(): Outcome
  aborted(): Outcome
  failed(error: unknown): Outcome
}

function answerEnding({ branch, prepared }: SentChat, response: Response): Ending {
  const reader = new ResponseReader({ wire: branch.wire, contentType: response.headers.get('content-type') })
  const { decision } = prepared
  const isRead = (): boolean => reader.reading.response !== null || reader.reading.error !== null
  /** What the response itself says of its end, else how it was ended from outside. */
  const outcome = (endedBy: Outcome): Outcome => {
    const { reading, isOfOtherType } = reader
    if (isRead() && isOfOtherType) branch.warn(responseOfOtherType, decision)
    const usage = reading.response ? { usage: reading.response } : {}
    if (reading.error !== null) {
      branch.warn(responseFailed, decision)
      return { error: reading.error, ...usage }
    }
    // A client may stop reading at the end of the answer, and not of the stream.
    return reading.response && reading.isComplete ? { response: reading.response } : { ...endedBy, ...usage }
  }
  return {
    add: (chunk) => reader.add(chunk),
    hasFailed: () => reader.reading.error !== null,
    failedAtOpening: () => reader.failedAtOpening,
    ended() {
      reader.end()
      const { reading } = reader
      if (!isRead()) branch.warn(responseUnreadable, decision)
      if (reading.response && reading.error === null && !reading.isComplete)
        branch.warn(responseTruncated, decision)
      return outcome({ error: isRead() ? responseTruncated : responseUnreadable })
    },
    aborted() {
      reader.end()
      return outcome({ aborted: true })
    },
    failed(error) {
      reader.end()
      if (reader.reading.error === null && !reader.reading.isComplete)
        branch.warn(responseTruncated, decision)
      return outcome({ error })
    },
  }
}

/** Of a rejection only so much is kept; the words of a provider are short. */
const REJECTION_CHARS = 100_000

function rejectionEnding({ status }: Response): Ending {
  const decoder = new TextDecoder()
  let text = ''
  const rejected = (): Outcome => ({ error: parsed(text + decoder.decode()), status })
  return {
    add: (chunk) => {
      if (text.length < REJECTION_CHARS) text += decoder.decode(chunk, { stream: true })
    },
    hasFailed: () => false,
    failedAtOpening: () => false,
    // The status has said it, however much of its words came.
    ended: rejected,
    aborted: rejected,
    failed: rejected,
  }
}
