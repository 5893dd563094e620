import { describe, expect, it } from 'vitest'
import { solution } from '../testing/rehearsal/documents.ts'
import { modelNames } from '../testing/rehearsal/model-names.ts'
import { anthropicMessages } from './anthropic.ts'
import { openChat } from './open-chat.ts'
import { openAiChat } from './openai.ts'
import { together } from './together.ts'

const cases = [
  ['openai', 'whole', openAiChat, false],
  ['openai', 'streamed', openAiChat, true],
  ['@anthropic-ai/sdk', 'whole', anthropicMessages, false],
  ['@anthropic-ai/sdk', 'streamed', anthropicMessages, true],
] as const

/** Takes clients to a model whose window is a fraction of what nobody told dogear. */
export function describeOverflows(provider: { url(): string }): void {
  describe('a real client goes through overflows of a window that nobody knows', together, () => {
    it.each(cases)('[R321, R347, R363] by %s, %s', async (_name, _mode, run, isStreamed) => {
      const chat = await openChat({ maxInputTokens: 'none' })
      const model = modelNames.small
      const said = await run({ ...chat, url: provider.url(), model, isStreamed, hasContextTool: true })
      // Whoever reads it sees answers alone.
      expect(said).toBe(solution)
      const { folds, settlements } = await chat.branch.journal()
      const overflows = settlements.filter(({ overflow }) => overflow !== undefined)
      expect(overflows.length).toBeGreaterThanOrEqual(3)
      expect(
        folds.filter(({ reason, outcome }) => reason === 'overflow' && outcome === 'landed'),
      ).toHaveLength(overflows.length)
      await chat.close()
    })
  })
}
