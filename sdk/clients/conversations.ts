import { describe, expect, it } from 'vitest'
import type { Branch } from '../branch.ts'
import { createDogear } from '../dogear.ts'
import type { ContextPolicy } from '../engine/policy.ts'
import { memoryStore } from '../stores/memory.ts'
import { solution } from '../testing/rehearsal/documents.ts'
import { aiSdkMiddlewareOf, aiSdkOf } from './ai-sdk.ts'
import { anthropicOf } from './anthropic.ts'
import type { Driver } from './driver.ts'
import { googleGenAi } from './gemini.ts'
import { openAiChat, openAiResponses } from './openai.ts'

interface Client {
  readonly name: string
  readonly format: string
  readonly run: Driver
  readonly policy?: ContextPolicy
}

const clients: readonly Client[] = [
  { name: 'openai', format: 'openai-chat', run: openAiChat },
  { name: 'openai', format: 'openai-responses', run: openAiResponses },
  { name: '@anthropic-ai/sdk', format: 'anthropic', run: anthropicOf('plain') },
  { name: '@anthropic-ai/sdk, preserved thinking', format: 'anthropic', run: anthropicOf('preserved') },
  { name: '@anthropic-ai/sdk, manual thinking', format: 'anthropic', run: anthropicOf('manual') },
  {
    name: '@anthropic-ai/sdk, caching',
    format: 'anthropic',
    run: anthropicOf('plain'),
    policy: { promptCaching: true },
  },
  { name: '@google/genai, thought signatures', format: 'gemini', run: googleGenAi },
  { name: 'ai with @ai-sdk/openai', format: 'openai-chat', run: aiSdkOf('openai chat') },
  { name: 'ai with @ai-sdk/openai', format: 'openai-responses', run: aiSdkOf('openai responses') },
  { name: 'ai with @ai-sdk/anthropic', format: 'anthropic', run: aiSdkOf('anthropic') },
  { name: 'ai with @ai-sdk/google', format: 'gemini', run: aiSdkOf('google') },
  {
    name: 'ai, dogearMiddleware, @ai-sdk/openai chat',
    format: 'ai-sdk',
    run: aiSdkMiddlewareOf('openai chat'),
  },
  {
    name: 'ai, dogearMiddleware, @ai-sdk/openai responses',
    format: 'ai-sdk',
    run: aiSdkMiddlewareOf('openai responses'),
  },
  { name: 'ai, dogearMiddleware, @ai-sdk/anthropic', format: 'ai-sdk', run: aiSdkMiddlewareOf('anthropic') },
  { name: 'ai, dogearMiddleware, @ai-sdk/google', format: 'ai-sdk', run: aiSdkMiddlewareOf('google') },
]

/** Small enough that the documents, and at last the words about them, have to give way. */
const CEILING = 4500

/** Runs every client through the rehearsal: an app's ordinary loop, and nothing of dogear in it but the fetch. */
export function describeConversations(provider: { url(): string }): void {
  const cases = clients.flatMap((client) =>
    [false, true].map(
      (isStreamed) =>
        [client.format, client.name, isStreamed ? 'streamed' : 'whole', client, isStreamed] as const,
    ),
  )
  describe('a real client holds forty rounds under a ceiling', () => {
    it.each(cases)('[R97, R104, R155] %s by %s, %s', async (_format, _name, _mode, client, isStreamed) => {
      const test = await openChat(client.policy ?? {})
      const said = await client.run({ ...test, url: provider.url(), isStreamed, hasContextTool: true })
      expect(said).toBe(solution)
      const { folds, decisions, settlements } = await test.branch.journal()
      expect(decisions.length).toBeGreaterThan(30)
      expect(decisions.every(({ format, sent }) => format === client.format && sent)).toBe(true)
      expect(Math.max(...decisions.map(({ after }) => after))).toBeLessThanOrEqual(CEILING)
      // Nothing was rejected, and all of it was reported.
      expect(settlements).toHaveLength(decisions.length)
      expect(
        settlements.every(({ outcome, usage }) => outcome === 'completed' && usage?.input !== undefined),
      ).toBe(true)
      const landed = new Set(folds.flatMap(({ outcome, stage }) => (outcome === 'landed' ? [stage] : [])))
      expect([...landed]).toEqual(expect.arrayContaining(['tool_io', 'clip']))
      expect(landed.has('all') || landed.has('reset')).toBe(true)
      expect((await test.branch.verify()).ok).toBe(true)
      await test.close()
    })

    const dying = [
      ['openai', 'whole', openAiChat, false],
      ['openai', 'streamed', openAiChat, true],
      ['@anthropic-ai/sdk', 'whole', anthropicOf('plain'), false],
      ['@anthropic-ai/sdk', 'streamed', anthropicOf('plain'), true],
    ] as const

    it.each(dying)(
      '[R321, R347, R363] goes through overflows of a window that nobody knows: %s, %s',
      async (_name, _mode, run, isStreamed) => {
        const test = await openChat({ maxInputTokens: 'none' })
        const said = await run({
          ...test,
          url: provider.url(),
          isStreamed,
          hasContextTool: true,
          model: 'small',
        })
        // Whoever reads it sees answers alone.
        expect(said).toBe(solution)
        const { folds, settlements } = await test.branch.journal()
        const overflows = settlements.filter(({ overflow }) => overflow !== undefined)
        expect(overflows.length).toBeGreaterThanOrEqual(3)
        expect(
          folds.filter(({ reason, outcome }) => reason === 'overflow' && outcome === 'landed'),
        ).toHaveLength(overflows.length)
        await test.close()
      },
    )

    it('cannot tell what was folded where the context tool is taken away', async () => {
      const test = await openChat({ recovery: 'user' })
      const run = { ...test, url: provider.url(), isStreamed: false, hasContextTool: false }
      expect(await openAiChat(run)).toContain('not known')
      await test.close()
    })
  })
}

interface OpenChat {
  readonly fetch: typeof fetch
  readonly branch: Branch
  close(): Promise<void>
}

async function openChat(policy: ContextPolicy): Promise<OpenChat> {
  const dogear = createDogear({
    policy: { maxInputTokens: CEILING, ...policy },
    store: memoryStore(),
    tokenizer: { engine: 'script' },
  })
  const branch = await dogear.branch('chat')
  return { fetch: dogear.fetch({ branch: 'chat' }), branch, close: () => dogear.close() }
}
