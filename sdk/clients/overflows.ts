import { describe, expect, it } from 'vitest'
import type { ContextDecision } from '../engine/journal.ts'
import type { JsonObject } from '../engine/json.ts'
import { solution } from '../testing/rehearsal/documents.ts'
import { modelNames } from '../testing/rehearsal/model-names.ts'
import { aiSdkMiddlewareOf } from './ai-sdk.ts'
import { anthropicMessages } from './anthropic.ts'
import type { Driver } from './driver.ts'
import { type OpenChat, openChat, type SentRequest } from './open-chat.ts'
import { openAiChat } from './openai.ts'
import { together } from './together.ts'

/** But for Responses: its rejections name no limit, so that a repair cannot know what is small enough. */
const middlewareDrivers = [
  ['ai, dogearMiddleware, @ai-sdk/openai chat', aiSdkMiddlewareOf('openai-chat')],
  ['ai, dogearMiddleware, @ai-sdk/anthropic', aiSdkMiddlewareOf('anthropic')],
  ['ai, dogearMiddleware, @ai-sdk/google', aiSdkMiddlewareOf('gemini')],
] as const

const drivers = [
  ['openai', openAiChat],
  ['@anthropic-ai/sdk', anthropicMessages],
  ...middlewareDrivers,
] as const

/** Takes clients to a model whose window is a fraction of what nobody told dogear. */
export function describeOverflows(provider: { url(): string }): void {
  const work = (run: Driver, chat: OpenChat, isStreamed: boolean): Promise<string> =>
    run({ ...chat, url: provider.url(), model: modelNames.small, isStreamed, hasContextTool: true })

  describe('a real client goes through overflows of a window that nobody knows', together, () => {
    it.each(bothWays(drivers))('[R321, R347, R363] by %s, %s', async (_name, _mode, run, isStreamed) => {
      const chat = await openChat({ maxInputTokens: 'none' })
      // Whoever reads it sees answers alone.
      expect(await work(run, chat, isStreamed)).toBe(solution)
      expect(await countRepairs(chat)).toBeGreaterThanOrEqual(3)
      await chat.close()
    })

    it.each(bothWays(middlewareDrivers))(
      '[R25, R321, R363] by %s, %s, where what was made to fit is turned away once',
      async (_name, _mode, run, isStreamed) => {
        const chat = await openInterfered((before) => (before?.status === 400 ? busy() : null))
        expect(await work(run, chat, isStreamed)).toBe(solution)
        expect(await countRepairs(chat)).toBeGreaterThanOrEqual(3)
        const rounds = chat.sent.filter(isRound)
        for (const [place, { status, body }] of rounds.entries()) {
          if (status !== 429) continue
          expect(rounds[place + 1]).toEqual({ status: 200, body })
        }
        for (const outcomes of await outcomesByRequest(chat))
          expect([['completed'], ['failed', 'failed', 'completed']]).toContainEqual(outcomes)
        await chat.close()
      },
    )

    it.each(bothWays(middlewareDrivers))(
      '[R329, R363] by %s, %s, where nothing is short enough any more: one repair, and no retry',
      async (_name, _mode, run, isStreamed) => {
        let isTooLong = false
        const chat = await openInterfered((before) => {
          isTooLong ||= before?.status === 400
          return isTooLong ? tooLong() : null
        })
        await expect(work(run, chat, isStreamed)).rejects.toMatchObject({ statusCode: 400 })
        const refused = chat.sent.filter(isRound).filter(({ status }) => status !== 200)
        expect(refused.map(({ status }) => status)).toEqual([400, 400])
        expect((await outcomesByRequest(chat)).at(-1)).toEqual(['failed', 'failed'])
        const { decisions } = await chat.branch.journal()
        expect(decisions.filter(({ action }) => action === 'repair')).toHaveLength(1)
        await chat.close()
      },
    )
  })
}

function bothWays<Name extends string>(
  all: readonly (readonly [Name, Driver])[],
): readonly (readonly [Name, string, Driver, boolean])[] {
  return all.flatMap(([name, run]) => [
    [name, 'whole', run, false] as const,
    [name, 'streamed', run, true] as const,
  ])
}

/** A chat whose rounds are answered by what became of the round before, or else by the provider. */
async function openInterfered(
  answer: (before: SentRequest | undefined) => Response | null,
): Promise<OpenChat> {
  const interfere = (body: JsonObject): Response | null =>
    'tools' in body ? answer(chat.sent.filter(isRound).at(-1)) : null
  const chat: OpenChat = await openChat({ maxInputTokens: 'none' }, { interfere })
  return chat
}

/** And no request of dogear's own. */
function isRound({ body }: SentRequest): boolean {
  return 'tools' in body
}

/** Of rejections for length, each of which was followed by one. */
async function countRepairs({ branch }: OpenChat): Promise<number> {
  const { folds, settlements } = await branch.journal()
  const overflows = settlements.filter(({ overflow }) => overflow !== undefined)
  const repairs = folds.filter(({ reason, outcome }) => reason === 'overflow' && outcome === 'landed')
  expect(repairs).toHaveLength(overflows.length)
  return overflows.length
}

/** How the attempts at each request ended; each of them was settled once. */
async function outcomesByRequest({ branch }: OpenChat): Promise<readonly (readonly string[])[]> {
  const { decisions, settlements } = await branch.journal()
  const attempts = ({ requestId, attempt }: Pick<ContextDecision, 'requestId' | 'attempt'>) => [
    requestId,
    attempt,
  ]
  expect(settlements.map(attempts)).toEqual(decisions.map(attempts))
  const requests = [...new Set(settlements.map(({ requestId }) => requestId))]
  return requests.map((id) =>
    settlements.filter(({ requestId }) => requestId === id).map(({ outcome }) => outcome),
  )
}

function busy(): Response {
  const error = { type: 'server_error', message: 'Try again later', code: 429, status: 'UNAVAILABLE' }
  return Response.json({ type: 'error', error }, { status: 429, headers: { 'retry-after-ms': '1' } })
}

function tooLong(): Response {
  const message = 'prompt is too long: 9000 tokens > 100 maximum'
  const error = { type: 'invalid_request_error', message, code: 400, status: 'INVALID_ARGUMENT' }
  return Response.json({ type: 'error', error }, { status: 400 })
}
