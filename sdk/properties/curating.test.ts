import { describe, expect, it } from 'vitest'
import type { Branch } from '../branch.ts'
import { requestAt } from '../testing/conversation.ts'
import { expectSoundRequest } from '../testing/expect-sound-request.ts'
import { openTestBranch } from '../testing/open-branch.ts'
import { type PlayedRequest, playAtRandom, playRequest } from '../testing/play-at-random.ts'
import { messagesOf } from '../testing/play-conversation.ts'
import { type Random, seededRandom } from '../testing/random.ts'
import { randomConversation } from '../testing/random-conversation.ts'
import { randomSetting } from '../testing/random-setting.ts'
import { scriptTokenCounter } from '../testing/script-token-counter.ts'
import { seeds } from '../testing/seeds.ts'
import { resultsIn } from '../testing/sent-request.ts'
import { loadTokenizer } from '../tokenizer.ts'

/** A person and a model that do at any time what they may do to a context. */

const counter = await scriptTokenCounter()
const { countRequest } = await loadTokenizer()

type Verb = (branch: Branch, random: Random, entries: number) => Promise<unknown>

function range(random: Random, entries: number): { readonly start: number; readonly end: number } {
  const start = random.integer(0, entries)
  return { start, end: start + random.integer(1, 12) }
}

const verbs: readonly [Verb, ...Verb[]] = [
  (branch, random, entries) => branch.restore(range(random, entries)),
  (branch, random, entries) => branch.evict(range(random, entries)),
  (branch, random) => branch.evictActionResults({ keep: random.integer(0, 4) }),
  (branch, random, entries) => branch.compact(range(random, entries)),
  (branch, random, entries) =>
    branch.compact({ ...range(random, entries), summary: 'What was read, in short.' }),
  (branch) => branch.preview({ maxInputTokens: 100 }),
  (branch) => branch.status(),
  (branch) => branch.clearRefusal(),
  (branch, random, entries) =>
    branch.contextTool.run({
      // A model takes nothing away before an answer of its own, which a request that is sent again has not.
      action: random.pick(['status', 'get_messages', 'read_result', 'restore', 'no_verb']),
      index: random.integer(-1, entries),
      start: random.integer(-1, entries),
      end: random.pick([entries, 'all', 2]),
    }),
  async (branch) => {
    const fold = (await branch.journal()).folds.at(-1)
    return branch.restoreFold(fold?.id ?? 'none')
  },
]

describe('a context that is curated while it is folded', () => {
  it.each(seeds(30))(
    '[R22, R67, R100, R118, R222, R229] goes on with sound requests, and all of it comes back (seed %i)',
    async (seed) => {
      const random = seededRandom(seed)
      const { conversation, options } = randomConversation(seed)
      const setting = randomSetting(random, countRequest(conversation.request).total)
      const test = await openTestBranch({ counter, ...setting })
      for await (const played of playAtRandom(test, conversation, random)) {
        expectSoundRequest(played, { format: options.format, countRequest })
        for (let verb = random.integer(0, 2); verb > 0; verb--) {
          const { entries } = await test.branch.status()
          await random.pick(verbs)(test.branch, random, entries)
        }
      }
      const { entries } = await test.branch.status()
      await test.branch.setPolicy({ maxInputTokens: 'none' })
      await test.branch.restore({ start: 0, end: entries })
      const back = await playRequest(test, conversation.request)
      expect(JSON.stringify(back.prepared?.request)).toBe(JSON.stringify(conversation.request))
      expect(await test.branch.verify()).toMatchObject({ ok: true, missing: [], altered: [] })
    },
    60_000,
  )

  it.each(seeds(20))(
    'holds what somebody pinned as it was, whatever else goes (seed %i)',
    async (seed) => {
      const random = seededRandom(seed)
      const { conversation, options } = randomConversation(seed)
      const { policy, summarize } = randomSetting(random, countRequest(conversation.request).total)
      const { toolResultMaxChars: _, ...unbounded } = policy
      const test = await openTestBranch({ counter, policy: unbounded, ...(summarize ? { summarize } : {}) })
      const pinned = new Set<number>()
      for await (const played of playAtRandom(test, conversation, random)) {
        expectSoundRequest(played, { format: options.format, countRequest })
        const { messages } = await test.branch.getMessages({ scope: 'all' })
        for (const index of pinned) expect(messages[index]?.state, `entry ${index}`).toBe('verbatim')
        expectWholeResults(
          played,
          messages.filter(({ index, kind }) => pinned.has(index) && kind === 'result').length,
        )
        const candidates = messages.filter(({ state }) => state === 'verbatim')
        const chosen = candidates[random.integer(0, candidates.length - 1)]
        if (chosen === undefined || !random.chance(0.3)) continue
        await test.branch.pin(chosen.index)
        pinned.add(chosen.index)
      }
    },
    60_000,
  )

  it.each(seeds(10))('[R68, R75, R294] leaves what it was cloned from untouched (seed %i)', async (seed) => {
    const random = seededRandom(seed)
    const { conversation } = randomConversation(seed)
    const setting = randomSetting(random, countRequest(conversation.request).total)
    const test = await openTestBranch({ counter, ...setting })
    const half = conversation.requests.slice(0, Math.ceil(conversation.requests.length / 2))
    for await (const _ of playAtRandom(test, { ...conversation, requests: half }, random));
    const before = JSON.stringify(await test.store.load('chat'))
    const clone = await test.branch.clone('copy')
    for (const length of conversation.requests.slice(half.length)) {
      const prepared = await clone.prepare(requestAt(conversation, length)).catch(() => null)
      await prepared?.settle({ usage: null })
    }
    await clone.evictActionResults({ keep: 0 })
    expect(JSON.stringify(await test.store.load('chat'))).toBe(before)
    expect(await clone.verify()).toMatchObject({ ok: true })
  })
})

/** At least so many results leave as they came. */
function expectWholeResults({ incoming, prepared }: PlayedRequest, count: number): void {
  if (prepared === null) return
  const texts = (request: unknown) => resultsIn(messagesOf(request)).map((result) => JSON.stringify(result))
  const whole = new Set(texts(incoming))
  expect(texts(prepared.request).filter((text) => whole.has(text)).length).toBeGreaterThanOrEqual(count)
}
