import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from '../engine/json.ts'
import { openTestBranch, type TestBranch } from '../testing/open-branch.ts'
import { type PlayedRequest, playAtRandom } from '../testing/play-at-random.ts'
import { messagesOf } from '../testing/play-conversation.ts'
import { seededRandom } from '../testing/random.ts'
import { randomConversation } from '../testing/random-conversation.ts'
import { randomSetting } from '../testing/random-setting.ts'
import { scriptTokenCounter } from '../testing/script-token-counter.ts'
import { seeds } from '../testing/seeds.ts'
import { inBlocks, textsOf, withoutMarks } from '../testing/sent-request.ts'
import { loadTokenizer } from '../tokenizer.ts'

/** What stays where it is while the provider's cache is placed, in bytes, marks aside. */

const counter = await scriptTokenCounter()
const { countRequest } = await loadTokenizer()

function bytesOf(sent: JsonObject): string {
  const { messages: _, ...rest } = withoutMarks(sent)
  return JSON.stringify([rest, messagesOf(withoutMarks(sent))])
}

/** The bytes of a request through its newest note; null where it holds none. */
function bytesThroughNote(sent: JsonObject, incoming: JsonObject): string | null {
  const said = new Set(textsOf(incoming, 'user'))
  const note = textsOf(withoutMarks(sent), 'user').findLast((text) => !said.has(text))
  if (note === undefined) return null
  const bytes = bytesOf(sent)
  const block = JSON.stringify(note)
  return bytes.slice(0, bytes.lastIndexOf(block) + block.length)
}

function resets({ decision }: PlayedRequest): boolean {
  return decision.trace.some(
    (step) => step.type === 'stage' && step.stage === 'reset' && step.outcome === 'landed',
  )
}

describe('the bytes of a request while the cache is placed', () => {
  it.each(seeds(40))(
    '[R276, R281, R389] go on through the newest note of the one before, until a reset (seed %i)',
    async (seed) => {
      const random = seededRandom(seed)
      const { conversation } = randomConversation(seed, { format: 'anthropic' })
      const { policy, summarize } = randomSetting(random, countRequest(conversation.request).total)
      const test = await openTestBranch({
        counter,
        // The notice is said once, so it would be taken for a note.
        policy: { ...policy, promptCaching: true, notice: false },
        ...(summarize ? { summarize } : {}),
      })
      let before: string | null = null
      for await (const played of playAtRandom(test, conversation, random)) {
        const sent = played.prepared?.request
        if (resets(played)) before = null
        if (sent === undefined) continue
        if (before !== null) expect(bytesOf(sent).slice(0, before.length)).toBe(before)
        before = bytesThroughNote(sent, played.incoming)
      }
    },
    60_000,
  )

  it.each(seeds(25))(
    '[R266, R267, R272, R275, R284] hold an included first round as it was when it was decided (seed %i)',
    async (seed) => {
      const random = seededRandom(seed)
      const { conversation } = randomConversation(seed, {
        format: 'anthropic',
        rounds: 20,
        resultWords: 2000,
      })
      const tokens = countRequest(conversation.request).total
      const { policy, summarize } = randomSetting(random, tokens)
      // Large enough for a round with long results to be a tenth of it.
      const caching = { ...policy, maxInputTokens: tokens, contextFoldTarget: 0.3, promptCaching: true }
      const test = await openTestBranch({ counter, policy: caching, ...(summarize ? { summarize } : {}) })
      let round: readonly string[] | null = null
      for await (const { prepared, decision } of playAtRandom(test, conversation, random)) {
        if (prepared === null) continue
        const blocks = blocksOf(prepared.request)
        if (decision.frontier === 'decided' && (await includesFirstRound(test)))
          round = blocks.slice(0, firstRoundLength(prepared.request))
        if (round === null) continue
        expect(decision.frontier).not.toBe('changed')
        expect(blocks.slice(0, round.length)).toEqual(round)
        // Whatever the app settles on later, the round goes on as it was decided.
        if (random.chance(0.3))
          await test.branch.setPolicy({ ...caching, toolResultMaxChars: random.pick([1024, 4000]) })
      }
    },
    60_000,
  )
})

function blocksOf(sent: JsonObject): readonly string[] {
  return messagesOf(inBlocks(sent)).flatMap(({ role, content }) =>
    (Array.isArray(content) ? content : []).map((block) => JSON.stringify([role, block])),
  )
}

/** Blocks of the first instruction, its answer and the results that follow. */
function firstRoundLength(sent: JsonObject): number {
  const [asked, answered, results] = messagesOf(inBlocks(sent))
  const own = Array.isArray(results?.content) ? results.content : []
  const isResult = (block: unknown) => isObject(block) && block.type === 'tool_result'
  return blocksOf({ messages: [asked ?? {}, answered ?? {}] }).length + own.filter(isResult).length
}

async function includesFirstRound({ store }: TestBranch): Promise<boolean> {
  const stored = await store.load('chat')
  return stored?.lines.some(({ firstRound }) => firstRound?.included === true) ?? false
}
