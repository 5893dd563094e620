import type { MeasureMethod } from '../engine/journal.ts'
import type { CountTokens } from '../ports.ts'
import { openTestBranch } from './open-branch.ts'
import type { Conversation, ReadCall } from './recorded-calls.ts'

/** What a branch estimated of a recorded call before it was told what the provider counted. */
export interface RecordedEstimate {
  readonly provider: string
  readonly method: MeasureMethod
  readonly reported: number
  /** Tokens counted of the call, and both figures of the call that it extends. */
  readonly counted: number
  readonly extended?: { readonly reported: number; readonly counted: number }
  /** Share of what was reported; below zero where the estimate was under it. */
  readonly error: number
  /** Why the estimate cannot be held to this call. */
  readonly excluded?: string
}

/** In a shorter request, what a provider puts around a message outweighs the message. */
const leastReported = 300

/** Where a larger share of the request is new, the anchor covers too little of it to be judged by. */
const mostGrowth = 0.25

/** Where less of what was appended is text, the rest outweighs it: names, ids and punctuation. */
const leastText = 2 / 3

const flagReasons: readonly (readonly [flag: string, reason: string])[] = [
  ['outlier', 'marked as an outlier in the recording'],
  ['server_tools', 'usage of tools that the provider runs'],
  ['iterations', 'usage of several calls'],
  ['context_management', 'history changed by the provider'],
  ['server_state', 'history held by the provider'],
  ['media', 'media'],
  ['reasoning_in_input', 'reasoning that is not sent as text'],
  ['thinking', 'reasoning that is not sent as text'],
]

/** Plays a conversation through a branch, settling each call with its recorded usage. */
export async function playRecorded(
  conversation: Conversation,
  counter: CountTokens,
): Promise<readonly RecordedEstimate[]> {
  const { branch } = await openTestBranch({ counter })
  const estimates: RecordedEstimate[] = []
  let previous: { call: ReadCall; counted: number } | undefined
  for (const current of conversation) {
    const { provider, model, request, usage, input_tokens: reported } = current.call
    const prepared = await branch.prepare(request, { format: current.wire.format, model })
    const { before, counted, method } = prepared.decision
    await prepared.settle({ usage })
    const excluded =
      flagged(current) ??
      (previous &&
        (flagged(previous.call) ??
          (await unfit(previous.call, current, counted - previous.counted, counter))))
    estimates.push({
      provider,
      method,
      reported,
      counted,
      ...(previous
        ? { extended: { reported: previous.call.call.input_tokens, counted: previous.counted } }
        : {}),
      error: (before - reported) / reported,
      ...(excluded === undefined ? {} : { excluded }),
    })
    previous = { call: current, counted }
  }
  return estimates
}

function flagged({ call }: ReadCall): string | undefined {
  return flagReasons.find(([flag]) => call.flags.includes(flag))?.[1]
}

/** Why more changed than appended text. */
async function unfit(
  previous: ReadCall,
  current: ReadCall,
  grown: number,
  counter: CountTokens,
): Promise<string | undefined> {
  if (previous.fields !== current.fields) return 'system, tools or answer format changed too'
  const { input_tokens: before } = previous.call
  const { input_tokens: after } = current.call
  if (after < leastReported) return `fewer than ${leastReported} tokens`
  if (after - before > after * mostGrowth) return 'more than a quarter of the request is new'
  const appended = current.read.messages.slice(previous.keys.length)
  const drafts = appended.flatMap((message) => current.wire.readMessage(message).drafts)
  const text = await counter.count(drafts.map((draft) => draft.text))
  const tokens = text.reduce((sum, count) => sum + count, 0)
  return tokens < grown * leastText ? 'less than two thirds of what was appended is text' : undefined
}
