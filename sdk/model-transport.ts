import type { PrepareOptions } from './branch.ts'
import type { OpenedRequest } from './request-reading.ts'
import type { SummaryTransport } from './summarizing.ts'

/** Asks the model of a request for a summary, the way that the request itself goes; undefined where that cannot be. */
export function modelTransport(
  { wire, request }: Pick<OpenedRequest, 'wire' | 'request'>,
  { send }: Pick<PrepareOptions, 'send'>,
): SummaryTransport | undefined {
  const { summaryRequest, readAnswer } = wire
  if (!send || !summaryRequest || !readAnswer) return undefined
  return async ({ signal, ...question }) => {
    const { model } = question
    const own = summaryRequest(request, question)
    const answer = await send(own, { signal, ...(model === undefined ? {} : { model }) })
    return { text: readAnswer(answer), usage: wire.readUsage(answer) }
  }
}
