import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from '../engine/json.ts'
import { lintRequest } from '../lint-request.ts'
import type { ConversationFormat } from '../testing/conversation.ts'
import { openTestBranch } from '../testing/open-branch.ts'
import { type PlayedRequest, playAtRandom } from '../testing/play-at-random.ts'
import { messagesOf } from '../testing/play-conversation.ts'
import { seededRandom } from '../testing/random.ts'
import { randomConversation } from '../testing/random-conversation.ts'
import { randomSetting } from '../testing/random-setting.ts'
import { scriptTokenCounter } from '../testing/script-token-counter.ts'
import { seeds } from '../testing/seeds.ts'
import { callsIn, inBlocks, newestRound, resultsIn, textsOf } from '../testing/sent-request.ts'
import { loadTokenizer } from '../tokenizer.ts'

/** What must be true of each request on its way, whatever the conversation, the settings and the line. */

const counter = await scriptTokenCounter()
/** Another way to the same figure: the written request read anew and counted whole. */
const { countRequest } = await loadTokenizer()

type Check = (played: PlayedRequest, sent: JsonObject, format: ConversationFormat) => void

const checks: readonly Check[] = [
  leavesUnderTheCeiling,
  addsNoFault,
  keepsHeadAndTask,
  keepsWhatWasNotRead,
  keepsOrder,
]

/** A notice or a note may be there, and a call or a result may be gone; nothing else. */
function leavesUnderTheCeiling({ decision }: PlayedRequest, sent: JsonObject): void {
  const { total } = countRequest(sent)
  expect(total).toBe(decision.counted)
  expect(total).toBeLessThanOrEqual(decision.ceiling ?? Number.POSITIVE_INFINITY)
}

function addsNoFault({ incoming }: PlayedRequest, sent: JsonObject, format: ConversationFormat): void {
  const faults = ruleCounts(lintRequest(format, sent))
  const known = ruleCounts(lintRequest(format, incoming))
  for (const [rule, count] of faults) expect(count, rule).toBeLessThanOrEqual(known.get(rule) ?? 0)
}

function keepsHeadAndTask({ incoming }: PlayedRequest, sent: JsonObject): void {
  const { messages: _, ...rest } = inBlocks(incoming)
  const { messages: __, ...sentRest } = inBlocks(sent)
  expect(sentRest).toEqual(rest)
  const list = messagesOf(inBlocks(incoming))
  const sentTexts = new Set(messagesOf(inBlocks(sent)).map((message) => JSON.stringify(message)))
  const head = list.find(({ role }) => role === 'user')
  const task = list.findLast(opensTurn)
  for (const message of [list[0], head, task]) expect(sentTexts).toContain(JSON.stringify(message))
}

function keepsWhatWasNotRead({ incoming }: PlayedRequest, sent: JsonObject): void {
  const unread = newestRound(incoming)
  const round = newestRound(sent)
  expect(callsIn(round.slice(0, 1))).toEqual(callsIn(unread.slice(0, 1)))
  expect(resultsIn(round).map(({ callId }) => callId)).toEqual(resultsIn(unread).map(({ callId }) => callId))
  const said = textsOf({ messages: round }, 'user')
  for (const text of textsOf({ messages: unread }, 'user')) expect(said).toContain(text)
}

/** What is left of the calls and results is left in its order, and nothing is there twice. */
function keepsOrder({ incoming }: PlayedRequest, sent: JsonObject): void {
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

describe('a request on its way', () => {
  it.each(seeds(40))(
    '[R23, R64, R89, R98, R99, R100] is under the ceiling, no less sound, and holds head, task and what is unread (seed %i)',
    async (seed) => {
      const random = seededRandom(seed)
      const { conversation, options } = randomConversation(seed)
      const setting = randomSetting(random, countRequest(conversation.request).total)
      const test = await openTestBranch({ counter, ...setting })
      let previous: PlayedRequest | null = null
      for await (const played of playAtRandom(test, conversation, random)) {
        const sent = played.prepared?.request
        if (sent) for (const check of checks) check(played, sent, options.format)
        if (sent && previous?.incoming === played.incoming && played.decision.attempt > 1)
          expect(JSON.stringify(sent)).toBe(JSON.stringify(previous.prepared?.request))
        previous = played
      }
    },
    60_000,
  )
})
