import { describe, expect, it } from 'vitest'
import { solution } from '../testing/rehearsal/documents.ts'
import { spoiledModel, type TurnedAway } from '../testing/rehearsal/spoiled-answers.ts'
import { clients } from './clients.ts'
import { openChat } from './open-chat.ts'
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

const middlewareAsked = middlewareQuestions.flatMap(({ format, ask }) =>
  days.flatMap(([kind, status]) =>
    [false, true].map(
      (isStreamed) => [format, isStreamed ? 'streamed' : 'whole', kind, { ask, status, isStreamed }] as const,
    ),
  ),
)

const sending = clients
  .filter(({ name }) => ['openai', '@anthropic-ai/sdk', 'ai with @ai-sdk/openai'].includes(name))
  .map((client) => [client.format, client.name, client] as const)

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
      '%s by ai and the middleware, %s: settles each of its attempts where the provider is %s',
      async ([, , kind, { ask, status, isStreamed }]) => {
        const chat = await openChat({})
        const model = spoiledModel(kind, crypto.randomUUID())
        const asking = { url: provider.url(), model, isStreamed, fetch: chat.network }
        const seen = await seenBy(ask(chat.branch), asking)
        expect(seen.error).toBeNull()
        const { decisions, settlements } = await chat.branch.journal()
        expect(decisions.map(({ attempt }) => attempt)).toEqual([1, 2])
        expect(new Set(decisions.map(({ requestId }) => requestId)).size).toBe(1)
        expect(settlements).toMatchObject([
          { outcome: 'failed', attempt: 1 },
          { outcome: 'completed', attempt: 2 },
        ])
        expect(chat.sent.map((sent) => sent.status)).toEqual([status, 200])
        await chat.close()
      },
    )

    it.for(sending)(
      '%s by %s: folds and completes each of forty rounds once',
      async ([, , { run, model }]) => {
        let rounds = 0
        const interfere = (body: object): Response | null =>
          'tools' in body && ++rounds % TURNED_AWAY === 0 ? busy() : null
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

function busy(): Response {
  const body = { type: 'error', error: { type: 'rate_limit_error', message: 'Try again later' } }
  return new Response(JSON.stringify(body), {
    status: 429,
    headers: { 'content-type': 'application/json', 'retry-after-ms': '1' },
  })
}
