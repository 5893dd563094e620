import type { MeasureMethod } from '../engine/journal.ts'
import type { CountTokens } from '../ports.ts'
import { openTestBranch } from './open-branch.ts'
import type { Conversation, ReadCall } from './recorded-calls.ts'

/** What a branch estimated of a recorded call before it was told what the provider counted. */
export interface RecordedEstimate {
  readonly provider: string
  readonly method: MeasureMethod
  readonly reported: number
  /** Whether the branch had learned a scale from the calls that were settled before. */
  readonly learned: boolean
  /** Share of what was reported; below zero where the estimate was under it. */
  readonly error: number
  /** What the call appended to the one before it, where it is one of the same conversation. */
  readonly appended?: AppendedText
  /** Why the estimate cannot be held to this call. */
  readonly excluded?: Exclusion
}

export interface AppendedText {
  readonly messages: number
  /** Tokens of the texts alone, without the JSON around them. */
  readonly text: number
  /** What the provider reported for it. */
  readonly reported: number
  /** Whether it holds no call and no result. */
  readonly isPlain: boolean
}

export interface Exclusion {
  /** `size`: only text was appended, but there is too little around it; `text`: most of it is no text. */
  readonly type: 'change' | 'text' | 'size'
  readonly reason: string
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

interface Played {
  readonly read: ReadCall
  readonly counted: number
}

/** Plays a conversation through a branch, settling each call with its recorded usage. */
export async function playRecorded(
  conversation: Conversation,
  counter: CountTokens,
): Promise<readonly RecordedEstimate[]> {
  const { branch } = await openTestBranch({ counter })
  const estimates: RecordedEstimate[] = []
  let previous: Played | undefined
  for (const read of conversation) {
    const { provider, model, request, usage, input_tokens: reported, isStandIn } = read.call
    const prepared = await branch.prepare(request, { format: read.wire.format, model })
    const { before, counted, method, scale } = prepared.decision
    await prepared.settle({ usage })
    const current = { read, counted }
    if (!isStandIn) {
      const appended = previous && (await appendedText(previous.read, read, counter))
      const excluded = excludedFor(current) ?? (previous && appended && unfit(previous, current, appended))
      estimates.push({
        provider,
        method,
        reported,
        learned: scale > 1,
        error: (before - reported) / reported,
        ...(appended ? { appended } : {}),
        ...(excluded ? { excluded } : {}),
      })
    }
    previous = current
  }
  return estimates
}

async function appendedText(
  previous: ReadCall,
  current: ReadCall,
  counter: CountTokens,
): Promise<AppendedText> {
  const messages = current.read.messages.slice(previous.keys.length)
  const drafts = messages.flatMap((message) => current.wire.readMessage(message).drafts)
  const tokens = await counter.count(drafts.map((draft) => draft.text))
  return {
    messages: messages.length,
    text: tokens.reduce((sum, count) => sum + count, 0),
    reported: current.call.input_tokens - previous.call.input_tokens,
    isPlain: drafts.every(({ kind }) => kind !== 'call' && kind !== 'result'),
  }
}

function excludedFor({ read }: Played): Exclusion | undefined {
  const flag = flagReasons.find(([name]) => read.call.flags.includes(name))
  return flag && { type: 'change', reason: flag[1] }
}

/** Why more changed than appended text, or why that says little of the estimate. */
function unfit(previous: Played, current: Played, appended: AppendedText): Exclusion | undefined {
  const flagged = excludedFor(previous)
  if (flagged) return flagged
  if (previous.read.fields !== current.read.fields)
    return { type: 'change', reason: 'system, tools or answer format changed too' }
  if (appended.text < (current.counted - previous.counted) * leastText)
    return { type: 'text', reason: 'less than two thirds of what was appended is text' }
  const { input_tokens: after } = current.read.call
  if (after < leastReported) return { type: 'size', reason: `fewer than ${leastReported} tokens` }
  return appended.reported > after * mostGrowth
    ? { type: 'size', reason: 'more than a quarter of the request is new' }
    : undefined
}
