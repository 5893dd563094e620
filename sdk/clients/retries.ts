import { describe, expect, it } from 'vitest'
import type { SettlementRecord } from '../engine/journal.ts'
import { solution } from '../testing/rehearsal/documents.ts'
import { spoiledModel, type TurnedAway } from '../testing/rehearsal/spoiled-answers.ts'
import { clients } from './clients.ts'
import { type OpenChat, openChat } from './open-chat.ts'
import { middlewareQuestions, questions, seenBy } from './questions.ts'
import { together } from './together.ts'

const days = [
  ['busy-once', 429],
  ['down-once', 500],
] as const satisfies readonly (readonly [TurnedAway, number])[]

const asked = questions.flatMap(([format, name, ask]) =>
  days.flatMap(([kind, status]) =>
    [false, true].map(
      (isStreamed) =>
        [format, name, isStreamed ? 'streamed' : 'whole', kind, { ask, status, isStreamed }] as const,
    ),
  ),
)

/** How a first attempt fails, and with which status; null: no response came. */
const failures = [
  ['busy', 429, () => turnedAway(429)],
  ['down', 500, () => turnedAway(500)],
  ['out of reach', null, () => fetch(NOWHERE)],
] as const

const middlewareAsked = middlewareQuestions.flatMap(({ format, ...asks }) =>
  failures.flatMap(([what, status, fail]) =>
    [false, true].map(
      (isStreamed) =>
        [format, isStreamed ? 'streamed' : 'whole', what, { ...asks, status, fail, isStreamed }] as const,
    ),
  ),
)

/** They have retries of their own. */
const sendingAgain = /^(openai|@anthropic-ai\/sdk|ai with @ai-sdk\/openai|ai, dogearMiddleware, .*)$/

const sending = clients
  .filter(({ name }) => sendingAgain.test(name))
  .map((client) => [client.format, client.name, client] as const)

/** Nothing listens there, in a page or out of it. */
const NOWHERE = 'http://127.0.0.1:1/'

/** Every so many sends of a round are turned away. */
const TURNED_AWAY = 4

/** Lets clients send again what a provider turned away. */
export function describeRetries(provider: { url(): string }): void {
  describe('a client that sends again', together, () => {
    it.for(asked)(
      '%s by %s, %s: completes one request by its second attempt where the provider is %s',
      async ([, , , kind, { ask, status, isStreamed }]) => {
        const chat = await openChat({})
        const model = spoiledModel(kind, crypto.randomUUID())
        const seen = await seenBy(ask, { url: provider.url(), model, isStreamed, fetch: chat.fetch })
        expect(seen.error).toBeNull()
        const { decisions, settlements } = await chat.branch.journal()
        expect(new Set(decisions.map(({ requestId }) => requestId)).size).toBe(1)
        expect(settlements).toMatchObject([
          { outcome: 'failed', attempt: 1 },
          { outcome: 'completed', attempt: 2 },
        ])
        expect(chat.sent.map((sent) => sent.status)).toEqual([status, 200])
        expect(chat.sent[1]?.body).toEqual(chat.sent[0]?.body)
        await chat.close()
      },
    )

    it.for(middlewareAsked)(
      '[R25] %s by ai and the middleware, %s: tries as often as without it where the provider was %s once',
      async ([, , , { ask, askWithout, status, fail, isStreamed }]) => {
        const [chat, bare] = await Promise.all([openFailing(fail, 1), openFailing(fail, 1)])
        const asking = { url: provider.url(), model: 'plain', isStreamed }
        const [seen, without] = await Promise.all([
          seenBy(ask(chat.branch), { ...asking, fetch: chat.network }),
          seenBy(askWithout, { ...asking, fetch: bare.network }),
        ])
        expect(seen).toEqual(without)
        expect(chat.tried).toEqual(bare.tried)
        // In a page the AI SDK takes a network that fails for something that it cannot mend.
        if (status !== null) expect(chat.sent.map((sent) => sent.status)).toEqual([status, 200])
        await expectAttempts(chat, seen.error === null ? 'completed' : 'failed')
        await Promise.all([chat.close(), bare.close()])
      },
    )

    it.for(middlewareAsked)(
      '[R25, R84] %s by ai and the middleware, %s: gives up when it would without it where the provider stays %s',
      async ([, , , { ask, askWithout, fail, isStreamed }]) => {
        const [chat, bare] = await Promise.all([openFailing(fail), openFailing(fail)])
        const asking = { url: provider.url(), model: 'plain', isStreamed }
        const [seen, without] = await Promise.all([
          seenBy(ask(chat.branch), { ...asking, fetch: chat.network }),
          seenBy(askWithout, { ...asking, fetch: bare.network }),
        ])
        expect(seen.error).not.toBeNull()
        expect(seen).toEqual(without)
        expect(chat.tried).toEqual(bare.tried)
        await expectAttempts(chat, 'failed')
        await Promise.all([chat.close(), bare.close()])
      },
    )

    it.for(sending)(
      '%s by %s: folds and completes each of forty rounds once',
      async ([, , { run, model }]) => {
        let rounds = 0
        const interfere = (body: object): Response | null =>
          'tools' in body && ++rounds % TURNED_AWAY === 0 ? turnedAway(429) : null
        const chat = await openChat({ maxInputTokens: 4500 }, { interfere })
        const options = { ...chat, url: provider.url(), model, isStreamed: false, hasContextTool: true }
        expect(await run(options)).toBe(solution)
        const { decisions, folds, settlements } = await chat.branch.journal()
        const again = decisions.filter(({ attempt }) => attempt > 1)
        expect(again.length).toBeGreaterThanOrEqual(10)
        expect(decisions.length - again.length).toBeGreaterThanOrEqual(40)
        const requests = new Set(decisions.map(({ requestId }) => requestId))
        expect(Math.max(...decisions.map(({ attempt }) => attempt))).toBe(2)
        const completed = settlements.filter(({ outcome }) => outcome === 'completed')
        expect(completed.map(({ requestId }) => requestId)).toEqual([...requests])
        expect(settlements.length - completed.length).toBe(again.length)
        // A second attempt is the very request of the first, with nothing folded for it.
        const bodies = chat.sent.filter(({ body }) => 'tools' in body)
        for (const [place, { body, status }] of bodies.entries())
          if (status === 429) expect(bodies[place + 1]?.body).toEqual(body)
        expect(folds.some(({ outcome, stage }) => outcome === 'landed' && stage === 'all')).toBe(true)
        await chat.close()
      },
    )
  })
}

interface FailingChat extends OpenChat {
  /** What was sent, whether or not anything came back. */
  readonly tried: readonly object[]
}

/** A chat whose first so many sends fail. */
async function openFailing(fail: () => Response | Promise<Response>, times = Infinity): Promise<FailingChat> {
  const tried: object[] = []
  const interfere = (body: object) => (tried.push(body) <= times ? fail() : null)
  return { ...(await openChat({}, { interfere })), tried }
}

/** One request with an attempt for each send, the very same each time, and each settled once. */
async function expectAttempts(
  { branch, tried }: FailingChat,
  last: SettlementRecord['outcome'],
): Promise<void> {
  const { decisions, settlements } = await branch.journal()
  expect(new Set(decisions.map(({ requestId }) => requestId)).size).toBe(1)
  expect(decisions.map(({ attempt }) => attempt)).toEqual(tried.map((_, place) => place + 1))
  expect(settlements.map(({ attempt }) => attempt)).toEqual(decisions.map(({ attempt }) => attempt))
  expect(settlements.map(({ outcome }) => outcome)).toEqual([...tried.slice(1).map(() => 'failed'), last])
  for (const body of tried) expect(body).toEqual(tried[0])
}

/** Tells whoever tries again to wait no longer than a moment. */
function turnedAway(status: number): Response {
  const body = { type: 'error', error: { type: 'server_error', message: 'Try again later' } }
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'retry-after-ms': '1' },
  })
}
