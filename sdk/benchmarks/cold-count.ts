import { appendMessages } from '../engine/append.ts'
import { ownName } from '../engine/digest.ts'
import { MeasureMemory, measureRequest } from '../engine/measure.ts'
import { answerCounts, asksNothing, runPlan } from '../engine/plan.ts'
import { emptyLine } from '../engine/record.ts'
import { takeInRequest } from '../request-intake.ts'
import { openRequest } from '../request-reading.ts'
import { openAiChat } from '../wire/openai-chat/index.ts'
import { texts } from './counted-texts.ts'
import type { Count } from './counting-engines.ts'

/** UTF-16 units of a message. */
const MESSAGE = 10_000

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}

/** A chat of all kinds of text in turn: about 5 MB that are measured, and 1 MB before them that warm the code. */
export function mixedRequests(): { readonly warmUp: ChatRequest; readonly measured: ChatRequest } {
  const kinds = Object.values(texts).map((make) => make())
  const messages: { role: string; content: string }[] = []
  const longest = Math.max(...kinds.map((text) => text.length))
  for (let from = 0; from < longest; from += MESSAGE)
    for (const text of kinds)
      if (from < text.length) messages.push({ role: 'user', content: text.slice(from, from + MESSAGE) })
  const sixth = Math.floor(messages.length / 6)
  return { warmUp: { messages: messages.slice(0, sixth) }, measured: { messages: messages.slice(sixth) } }
}

/** Readies a count of the request's whole JSON text at once, as apps do. */
export function wholeText(request: ChatRequest, count: Count): () => number {
  const text = JSON.stringify(request)
  return () => count(text)
}

/** Readies a count of it as `prepare` counts a request that it has read: cut at safe cuts, cached, summed by part. */
export function inPieces(request: ChatRequest, count: Count): () => number {
  const opened = openRequest(openAiChat, request)
  const taken = runPlan(takeInRequest(opened, { previous: null, digest: ownName }), asksNothing)
  const { record } = appendMessages(emptyLine(''), taken.messages)
  let index = 0
  const messages = taken.messages.map(({ snapshot, reading }) => ({
    native: snapshot,
    snapshot,
    indexes: reading.drafts.map(() => index++),
  }))
  return () => {
    const plan = measureRequest({
      wire: openAiChat,
      model: undefined,
      fields: taken.fields,
      leading: [],
      messages,
      record,
      memory: new MeasureMemory(),
    })
    return runPlan(
      plan,
      answerCounts((pieces) => pieces.map(count)),
    ).counted
  }
}
