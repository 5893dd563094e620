import { describe, expect, it } from 'vitest'
import { expectSoundRequest } from '../testing/expect-sound-request.ts'
import { openTestBranch } from '../testing/open-branch.ts'
import { type PlayedRequest, playAtRandom } from '../testing/play-at-random.ts'
import { seededRandom } from '../testing/random.ts'
import { randomConversation } from '../testing/random-conversation.ts'
import { randomSetting } from '../testing/random-setting.ts'
import { scriptTokenCounter } from '../testing/script-token-counter.ts'
import { seeds } from '../testing/seeds.ts'
import { loadTokenizer } from '../tokenizer.ts'

const counter = await scriptTokenCounter()
/** Another way to the same figure: the written request read anew and counted whole. */
const { countRequest } = await loadTokenizer()

describe('a request on its way', () => {
  it.each(seeds(40))(
    '[R23, R64, R89, R98, R99, R100] is under the ceiling, no less sound, and holds head, task and what is unread (seed %i)',
    async (seed) => {
      const random = seededRandom(seed)
      const { conversation, options } = randomConversation(seed)
      const setting = randomSetting(random, countRequest(conversation.request).total)
      const test = await openTestBranch({ counter, ...setting })
      const share = random.pick([null, 1, 1.25, 1.6])
      const reported = (counted: number) => (share === null ? null : Math.ceil(counted * share))
      let previous: PlayedRequest | null = null
      for await (const played of playAtRandom(test, conversation, random, reported)) {
        expectSoundRequest(played, { format: options.format, countRequest })
        const { prepared, incoming, decision } = played
        if (prepared && previous?.incoming === incoming && decision.attempt > 1)
          expect(JSON.stringify(prepared.request)).toBe(JSON.stringify(previous.prepared?.request))
        previous = played
      }
    },
    60_000,
  )

  it.each(seeds(2))(
    '[R23, R64, R89, R98, R99, R100] is so after 2,000 entries too (seed %i)',
    async (seed) => {
      const random = seededRandom(seed)
      const { conversation, options } = randomConversation(seed, { rounds: 330, resultWords: 60 })
      const setting = randomSetting(random, countRequest(conversation.request).total)
      const test = await openTestBranch({ counter, ...setting })
      // An app that was away for a while comes back with many rounds at once.
      const requests = conversation.requests.filter(
        (_, position, { length }) => position % 40 === length % 40,
      )
      for await (const played of playAtRandom(test, { ...conversation, requests }, random))
        expectSoundRequest(played, { format: options.format, countRequest })
      const { entries } = await test.branch.status()
      expect(entries).toBeGreaterThan(1500)
    },
    60_000,
  )
})
