import { describe, expect, it } from 'vitest'
import { lintRequest } from '../lint-request.ts'
import { listedTexts } from '../testing/listed-texts.ts'
import { openTestBranch, type TestBranch } from '../testing/open-branch.ts'
import { playAtRandom, playRequest } from '../testing/play-at-random.ts'
import { messagesOf } from '../testing/play-conversation.ts'
import { type Random, seededRandom } from '../testing/random.ts'
import { randomConversation } from '../testing/random-conversation.ts'
import { randomSetting, written } from '../testing/random-setting.ts'
import { readWhole } from '../testing/read-whole.ts'
import { scriptTokenCounter } from '../testing/script-token-counter.ts'
import { seeds } from '../testing/seeds.ts'
import { callsIn, resultsIn } from '../testing/sent-request.ts'
import { loadTokenizer } from '../tokenizer.ts'

/** That people and models may curate a context as they like, and still no request breaks and nothing is lost. */

const counter = await scriptTokenCounter()
const { countRequest } = await loadTokenizer()

/** One verb with arguments that need not make sense. */
async function curate({ branch }: TestBranch, random: Random): Promise<void> {
  const { entries } = await branch.status()
  const start = random.integer(0, entries)
  const end = random.integer(0, entries + 2)
  const verbs = [
    () => branch.evict({ start, end }),
    () => branch.contextTool.run({ action: 'evict', start }),
    () => branch.evictActionResults({ keep: random.integer(0, 3) }),
    () => branch.contextTool.run({ action: 'evict_action_results', keep: random.integer(0, 2) }),
    () => branch.compact(random.chance(0.3) ? {} : { start, end }),
    () => branch.contextTool.run({ action: 'compact', start, summary: 'Looked around.' }),
    () => branch.restore({ start, end }),
    () => branch.contextTool.run({ action: 'restore', start }),
    () => branch.contextTool.run({ action: 'read_result', index: start }),
    () => branch.pin(Math.min(start, entries - 1)),
    () => branch.unpin(Math.min(start, entries - 1)),
  ] as const
  if (entries > 0) await random.pick(verbs)()
}

function faultsOf(format: 'openai-chat' | 'anthropic', request: unknown): readonly string[] {
  return lintRequest(format, request).map(({ rule }) => rule)
}

/** Calls without a result: an app may have interrupted them. */
function unanswered(request: unknown): number {
  const messages = messagesOf(request)
  return callsIn(messages).length - resultsIn(messages).length
}

describe('a context that is curated at random', () => {
  it.each(seeds(30))(
    '[R67, R100, R211] still makes sound requests, and gives everything back in the end (seed %i)',
    async (seed) => {
      const random = seededRandom(seed)
      const { conversation, options } = randomConversation(seed)
      const setting = randomSetting(random, countRequest(conversation.request).total)
      const test = await openTestBranch({ counter, ...setting, summarize: written })
      for await (const { incoming, prepared, decision } of playAtRandom(test, conversation, random)) {
        await curate(test, random)
        await curate(test, random)
        if (prepared === null) continue
        const sent = prepared.request
        expect(countRequest(sent).total).toBe(decision.counted)
        const known = faultsOf(options.format, incoming)
        expect(faultsOf(options.format, sent).filter((rule) => !known.includes(rule))).toEqual([])
        expect(unanswered(sent)).toBeLessThanOrEqual(unanswered(incoming))
      }
      const { messages } = await test.branch.getMessages({ scope: 'all' })
      const list = messages.filter(({ kind }) => kind !== 'note' && kind !== 'copy' && kind !== 'system')
      const originals = listedTexts(conversation.request)
      for (const [position, { index }] of list.entries())
        expect(await readWhole(test.branch, index)).toBe(originals[position]?.text)
      await test.branch.setPolicy({ maxInputTokens: 'none' })
      await test.branch.restore({ start: 0, end: messages.length })
      const back = await playRequest(test, conversation.request)
      expect(JSON.stringify(back.prepared?.request)).toBe(JSON.stringify(conversation.request))
    },
    60_000,
  )
})
