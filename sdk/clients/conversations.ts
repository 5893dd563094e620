import { describe, expect, it } from 'vitest'
import type { FoldRecord } from '../engine/journal.ts'
import { lintRequest } from '../lint-request.ts'
import { solution } from '../testing/rehearsal/documents.ts'
import { type Client, clients } from './clients.ts'
import { type OpenChat, openChat, type SentRequest } from './open-chat.ts'
import { together } from './together.ts'

/** Small enough that the documents, and at last the words about them, have to give way. */
const CEILING = 4500

const cases = clients.flatMap((client) =>
  [false, true].map(
    (isStreamed) =>
      [client.format, client.name, isStreamed ? 'streamed' : 'whole', client, isStreamed] as const,
  ),
)

const oneOfEachFormat = [...new Map(clients.toReversed().map((client) => [client.format, client]))]

/** Takes every client through the rehearsal: an app's ordinary loop, and nothing of dogear in it but the fetch. */
export function describeConversations(provider: { url(): string }): void {
  describe('a real client holds forty rounds under a ceiling', together, () => {
    it.each(cases)('[R97, R104, R155] %s by %s, %s', async (_format, _name, _mode, client, isStreamed) => {
      const chat = await openChat({ maxInputTokens: CEILING, ...client.policy })
      const { run, model } = client
      const said = await run({ ...chat, url: provider.url(), model, isStreamed, hasContextTool: true })
      // Most of the search, the list and the three documents had to be read back for it.
      expect(said).toBe(solution)
      expect(chat.events.filter(({ type }) => type === 'result-read').length).toBeGreaterThanOrEqual(4)
      await expectUnderCeiling(chat, client)
      await expectEveryStage(chat, client)
      expectAccepted(chat, client)
      if (client.reasoning) expectReasoning(chat, client.reasoning)
      if (client.policy?.promptCaching) await expectCaching(chat)
      expect((await chat.branch.verify()).ok).toBe(true)
      await chat.close()
    })

    it.each(oneOfEachFormat.filter(([format]) => format !== 'ai-sdk'))(
      '%s is spoken by an app that needs nothing of dogear where the window is large',
      async (_format, { run, model }) => {
        const chat = await openChat({})
        const options = { ...chat, url: provider.url(), model, isStreamed: false, hasContextTool: false }
        expect(await run({ ...options, fetch: globalThis.fetch })).toBe(solution)
        expect((await chat.branch.journal()).decisions).toEqual([])
        await chat.close()
      },
    )

    it.each(oneOfEachFormat)(
      '%s cannot tell what was folded without the context tool',
      async (_format, client) => {
        const chat = await openChat({ maxInputTokens: CEILING, recovery: 'user' })
        const options = { ...chat, url: provider.url(), model: client.model, isStreamed: false }
        expect(await client.run({ ...options, hasContextTool: false })).toContain('not known')
        await chat.close()
      },
    )
  })
}

/** Each round was measured, sent and settled once, and none was over the ceiling, by its provider's own count. */
async function expectUnderCeiling({ branch }: OpenChat, { format }: Client): Promise<void> {
  const { decisions, settlements } = await branch.journal()
  expect(decisions.length).toBeGreaterThanOrEqual(40)
  for (const decision of decisions) {
    expect(decision).toMatchObject({ format, sent: true, attempt: 1 })
    expect(decision.after).toBeLessThanOrEqual(CEILING)
  }
  expect(settlements.map(({ requestId }) => requestId)).toEqual(decisions.map(({ requestId }) => requestId))
  for (const { outcome, usage } of settlements) {
    expect(outcome).toBe('completed')
    expect(usage?.input).toBeGreaterThan(0)
    expect(usage?.input).toBeLessThanOrEqual(CEILING)
  }
}

async function expectEveryStage({ branch }: OpenChat, { policy }: Client): Promise<void> {
  const { folds } = await branch.journal()
  const landed = (stage: FoldRecord['stage']): readonly FoldRecord[] =>
    folds.filter((fold) => fold.outcome === 'landed' && fold.stage === stage)
  expect(landed('tool_io')).not.toEqual([])
  expect(landed('clip')).not.toEqual([])
  const summarized = landed(policy?.promptCaching ? 'reset' : 'all')
  expect(summarized).not.toEqual([])
  for (const { summarySource } of summarized) expect(summarySource).toBe('model')
}

/** The provider rejected nothing, and had no reason to: each call is answered, and all else is in its place. */
function expectAccepted({ sent }: OpenChat, { format, sentAs }: Client): void {
  expect(sent.filter(({ status }) => status !== 200)).toEqual([])
  expect(sent.flatMap(({ body }) => lintRequest(sentAs ?? format, body))).toEqual([])
}

/** It goes back to the model, after folds as well where it may. */
function expectReasoning({ sent }: OpenChat, { text, isBound }: NonNullable<Client['reasoning']>): void {
  const brings = ({ body }: SentRequest): boolean => JSON.stringify(body).includes(text)
  const rounds = sent.filter(({ body }) => 'tools' in body)
  expect(rounds.slice(1, 4).every(brings)).toBe(true)
  expect(rounds.slice(-20).filter(brings).length).toBe(isBound ? 0 : 20)
}

async function expectCaching({ branch, sent }: OpenChat): Promise<void> {
  expect(JSON.stringify(sent.at(-1)?.body)).toContain('"cache_control":')
  const { settlements } = await branch.journal()
  const read = settlements.filter(({ usage }) => (usage?.cacheRead ?? 0) > 0)
  expect(read.length).toBeGreaterThan(10)
}
