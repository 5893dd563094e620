import { expect, it } from 'vitest'
import { lintRequest } from './lint-request.ts'
import { asGemini } from './testing/as-gemini.ts'
import { makeConversation, requestAt } from './testing/conversation.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { playRequest } from './testing/play-at-random.ts'
import { seededRandom } from './testing/random.ts'

const faultsOf = (request: unknown): number => lintRequest('gemini', request).length

it.each([3, 5, 8, 13, 21, 34, 55, 89])(
  'a Gemini conversation that somebody curates gets no fault that it did not bring (seed %i)',
  async (seed) => {
    const random = seededRandom(seed)
    const shapes = random.pick(['plain', 'varied'] as const)
    const conversation = makeConversation({
      seed,
      format: 'openai-chat',
      rounds: 8,
      contextTool: true,
      shapes,
    })
    const ids = random.pick(['none', 'calls', 'both'] as const)
    const test = await openTestBranch({
      policy: { maxInputTokens: random.pick([3_000, 6_000, 'none']), run: 'iterative' },
      summarize: async () => 'They read notes.',
    })
    for (const length of conversation.requests) {
      const incoming = asGemini(requestAt(conversation, length), ids)
      const { entries } = await test.branch.status()
      const start = random.integer(0, Math.max(0, entries - 1))
      const range = { start, end: start + random.integer(1, 6) }
      const verb = random.pick(['evict', 'evict', 'compact', 'restore', 'none'] as const)
      if (verb === 'compact') await test.branch.compact({ ...range, summary: 'They read on.' })
      else if (verb !== 'none') await test.branch[verb](range)
      const { prepared } = await playRequest(test, incoming)
      if (prepared === null) continue
      expect(faultsOf(prepared.request)).toBeLessThanOrEqual(faultsOf(incoming))
      await prepared.settle({ usage: null })
    }
  },
)
