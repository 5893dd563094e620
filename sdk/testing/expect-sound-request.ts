import { expect } from 'vitest'
import { isObject, type JsonObject } from '../engine/json.ts'
import { lintRequest } from '../lint-request.ts'
import type { ConversationFormat } from './conversation.ts'
import type { PlayedRequest } from './play-at-random.ts'
import { messagesOf } from './play-conversation.ts'
import { callsIn, inBlocks, newestRound, resultsIn, textsOf } from './sent-request.ts'

interface SentRequest extends PlayedRequest {
  readonly sent: JsonObject
  readonly format: ConversationFormat
  /** Counts a request read anew. */
  readonly countRequest: (request: unknown) => { readonly total: number }
}

/** What must be true of each request on its way, whatever the conversation, the settings and the line. */
export function expectSoundRequest(
  played: PlayedRequest,
  facts: Pick<SentRequest, 'format' | 'countRequest'>,
): void {
  const sent = played.prepared?.request
  if (sent === undefined) return
  for (const check of checks) check({ ...played, ...facts, sent })
}

const checks: readonly ((request: SentRequest) => void)[] = [
  leavesUnderTheCeiling,
  addsNoFault,
  keepsHeadAndTask,
  keepsWhatWasNotRead,
  keepsOrder,
]

function leavesUnderTheCeiling({ decision, sent, countRequest }: SentRequest): void {
  const { total } = countRequest(sent)
  expect(total).toBe(decision.counted)
  expect(decision.after).toBeLessThanOrEqual(decision.ceiling ?? Number.POSITIVE_INFINITY)
  expect(total).toBeLessThanOrEqual(decision.ceiling ?? Number.POSITIVE_INFINITY)
}

function addsNoFault({ incoming, sent, format }: SentRequest): void {
  const faults = ruleCounts(lintRequest(format, sent))
  const known = ruleCounts(lintRequest(format, incoming))
  for (const [rule, count] of faults) expect(count, rule).toBeLessThanOrEqual(known.get(rule) ?? 0)
}

function keepsHeadAndTask({ incoming, sent }: SentRequest): void {
  const { messages: _, ...rest } = inBlocks(incoming)
  const { messages: __, ...sentRest } = inBlocks(sent)
  expect(sentRest).toEqual(rest)
  const list = messagesOf(inBlocks(incoming))
  const sentTexts = new Set(messagesOf(inBlocks(sent)).map((message) => JSON.stringify(message)))
  const head = list.find(({ role }) => role === 'user')
  const task = list.findLast(opensTurn)
  for (const message of [list[0], head, task]) expect(sentTexts).toContain(JSON.stringify(message))
}

function keepsWhatWasNotRead({ incoming, sent }: SentRequest): void {
  const unread = newestRound(incoming)
  const round = newestRound(sent)
  expect(callsIn(round.slice(0, 1))).toEqual(callsIn(unread.slice(0, 1)))
  expect(resultsIn(round).map(({ callId }) => callId)).toEqual(resultsIn(unread).map(({ callId }) => callId))
  const said = textsOf({ messages: round }, 'user')
  for (const text of textsOf({ messages: unread }, 'user')) expect(said).toContain(text)
}

/** What is left of the calls and results is left in its order, and nothing is there twice. */
function keepsOrder({ incoming, sent }: SentRequest): void {
  const [before, after] = [messagesOf(incoming), messagesOf(sent)]
  expect(isSubsequence(callsIn(after), callsIn(before))).toBe(true)
  const ids = (messages: readonly JsonObject[]) => resultsIn(messages).map(({ callId }) => callId)
  expect(isSubsequence(ids(after), ids(before))).toBe(true)
}

function opensTurn({ role, content }: JsonObject): boolean {
  return (
    role === 'user' &&
    !(Array.isArray(content) && content.some((block) => isObject(block) && block.type === 'tool_result'))
  )
}

function ruleCounts(faults: readonly { readonly rule: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { rule } of faults) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return counts
}

function isSubsequence(part: readonly unknown[], whole: readonly unknown[]): boolean {
  let at = 0
  for (const item of whole) if (item === part[at]) at++
  return at === part.length
}
