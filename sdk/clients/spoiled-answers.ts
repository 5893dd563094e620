import { describe, expect, it, vi } from 'vitest'
import type { SettlementRecord } from '../engine/journal.ts'
import { warningsOf } from '../testing/open-fetch.ts'
import { type Spoiling, spoiledModel } from '../testing/rehearsal/spoiled-answers.ts'
import { openChat } from './open-chat.ts'
import { middlewareQuestions, questions, seenBy } from './questions.ts'
import { together } from './together.ts'

interface Expected {
  readonly what: string
  readonly spoiling: Spoiling
  readonly outcome: SettlementRecord['outcome']
  readonly warning: string
  /** Where that of a stream is another one. */
  readonly streamedWarning?: string
}

const spoiled: readonly Expected[] = [
  {
    what: 'an answer that ends early',
    spoiling: 'ends-early',
    outcome: 'failed',
    warning: 'response_unreadable',
    streamedWarning: 'response_truncated',
  },
  {
    what: 'a connection that breaks',
    spoiling: 'breaks-off',
    outcome: 'failed',
    warning: 'response_truncated',
  },
  { what: 'no usage', spoiling: 'no-usage', outcome: 'completed', warning: 'usage_missing' },
  { what: 'negative usage', spoiling: 'negative-usage', outcome: 'completed', warning: 'usage_unreadable' },
  { what: 'absurd usage', spoiling: 'absurd-usage', outcome: 'completed', warning: 'usage_unreadable' },
  {
    what: 'another content type',
    spoiling: 'other-type',
    outcome: 'completed',
    warning: 'response_of_other_type',
  },
  { what: 'a body that is no JSON', spoiling: 'no-json', outcome: 'failed', warning: 'response_unreadable' },
  {
    what: 'JSON of another shape',
    spoiling: 'other-shape',
    outcome: 'failed',
    warning: 'response_unreadable',
  },
]

const failingMidway: Expected = {
  what: 'an error after some of the answer',
  spoiling: 'fails-midway',
  outcome: 'failed',
  warning: 'response_failed',
}

const cases = questions.flatMap(([format, name, ask]) =>
  [false, true].flatMap((isStreamed) =>
    [...spoiled, ...(isStreamed ? [failingMidway] : [])].map(
      (expected) =>
        [
          format,
          name,
          isStreamed ? 'streamed' : 'whole',
          expected.what,
          { ask, isStreamed, expected },
        ] as const,
    ),
  ),
)

const middlewareCases = middlewareQuestions.flatMap(({ format, ...asks }) =>
  [false, true].flatMap((isStreamed) =>
    [...spoiled, ...(isStreamed ? [failingMidway] : [])].map(
      ({ what, spoiling }) =>
        [format, isStreamed ? 'streamed' : 'whole', what, { ...asks, isStreamed, spoiling }] as const,
    ),
  ),
)

/** Asks every client a question whose answer is not what it should be, with dogear and without. */
export function describeSpoiledAnswers(provider: { url(): string }): void {
  describe('a client gets what it would have got without dogear', together, () => {
    it.for(cases)('%s by %s, %s: %s', async ([, , , , { ask, isStreamed, expected }]) => {
      const asking = { url: provider.url(), model: spoiledModel(expected.spoiling, 'any'), isStreamed }
      const chat = await openChat({})
      const [seen, without] = await Promise.all([
        seenBy(ask, { ...asking, fetch: chat.fetch }),
        seenBy(ask, { ...asking, fetch: globalThis.fetch }),
      ])
      expect(seen).toEqual(without)
      // Some clients tell their app of a failure and then read on.
      const outcomes = async (): Promise<readonly string[]> =>
        (await chat.branch.journal()).settlements.map(({ outcome }) => outcome)
      await vi.waitFor(async () => expect(await outcomes()).toEqual(chat.sent.map(() => expected.outcome)))
      const { settlements } = await chat.branch.journal()
      for (const { usage, scale } of settlements) {
        expect(scale).toBe(1)
        if (expected.spoiling.endsWith('usage')) expect(usage?.input).toBeUndefined()
      }
      const { warning, streamedWarning = warning } = expected
      const told = warningsOf(chat.events).map(({ code }) => code)
      expect(told).toEqual(chat.sent.map(() => (isStreamed ? streamedWarning : warning)))
      await chat.close()
    })

    it.for(middlewareCases)(
      '%s by ai and the middleware, %s: %s',
      async ([, , , { ask, askWithout, isStreamed, spoiling }]) => {
        const chat = await openChat({})
        const asking = { url: provider.url(), model: spoiledModel(spoiling, 'any'), isStreamed }
        const [seen, without] = await Promise.all([
          seenBy(ask(chat.branch), { ...asking, fetch: chat.network }),
          seenBy(askWithout, { ...asking, fetch: globalThis.fetch }),
        ])
        expect(seen).toEqual(without)
        await vi.waitFor(async () =>
          expect((await chat.branch.journal()).settlements).toHaveLength(chat.sent.length),
        )
        // An adapter ends some answers well of which little came, and what it says is all that can be known.
        const outcome = seen.error === null ? 'completed' : 'failed'
        const { settlements } = await chat.branch.journal()
        expect(settlements.map((settlement) => settlement.outcome)).toEqual(chat.sent.map(() => outcome))
        for (const { scale } of settlements) expect(scale).toBe(1)
        const isReported = settlements.some(({ usage }) => usage?.input !== undefined)
        const told = warningsOf(chat.events).map(({ code }) => code)
        const missed =
          spoiling === 'negative-usage' || spoiling === 'absurd-usage' ? 'usage_unreadable' : 'usage_missing'
        expect(told).toEqual(outcome === 'failed' || isReported ? [] : [missed])
        await chat.close()
      },
    )
  })
}
