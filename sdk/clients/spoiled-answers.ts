import { describe, expect, it, vi } from 'vitest'
import type { Format } from '../engine/format.ts'
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

/** What is known by what an adapter makes of the answer; it hides from the middleware the type of a response. */
function throughMiddleware(
  format: Format,
  isStreamed: boolean,
  { spoiling, outcome, warning }: Expected,
): { readonly outcome: SettlementRecord['outcome']; readonly warnings: readonly string[] } {
  // Anthropic's adapter takes no answer without usage, and Google's takes a whole one without anything.
  if (format === 'anthropic' && spoiling === 'no-usage') return { outcome: 'failed', warnings: [] }
  if (format === 'gemini' && spoiling === 'other-shape' && !isStreamed)
    return { outcome: 'completed', warnings: ['usage_missing'] }
  return { outcome, warnings: spoiling.endsWith('usage') ? [warning] : [] }
}

const middlewareCases = middlewareQuestions.flatMap(({ format, ...asks }) =>
  [false, true].flatMap((isStreamed) =>
    [...spoiled, ...(isStreamed ? [failingMidway] : [])].map((expected) => {
      const { what, spoiling } = expected
      const known = throughMiddleware(format, isStreamed, expected)
      return [
        format,
        isStreamed ? 'streamed' : 'whole',
        what,
        { ...asks, isStreamed, spoiling, known },
      ] as const
    }),
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
      '[R84] %s by ai and the middleware, %s: %s',
      async ([, , , { ask, askWithout, isStreamed, spoiling, known }]) => {
        const [chat, bare] = await Promise.all([openChat({}), openChat({})])
        const asking = { url: provider.url(), model: spoiledModel(spoiling, 'any'), isStreamed }
        const [seen, without] = await Promise.all([
          seenBy(ask(chat.branch), { ...asking, fetch: chat.network }),
          seenBy(askWithout, { ...asking, fetch: bare.network }),
        ])
        expect(seen).toEqual(without)
        expect(chat.sent).toEqual(bare.sent)
        const { decisions, settlements } = await chat.branch.journal()
        expect(settlements.map(attemptOf)).toEqual(decisions.map(attemptOf))
        expect(settlements.map(({ outcome }) => outcome)).toEqual(chat.sent.map(() => known.outcome))
        for (const { usage, scale } of settlements) {
          expect(scale).toBe(1)
          if (spoiling.endsWith('usage')) expect(usage?.input).toBeUndefined()
        }
        const told = warningsOf(chat.events).map(({ code }) => code)
        expect(told).toEqual(chat.sent.flatMap(() => known.warnings))
        const { messages } = await chat.branch.getMessages({ scope: 'all' })
        expect(messages[0]?.delivered).toBe(known.outcome === 'completed')
        await Promise.all([chat.close(), bare.close()])
      },
    )
  })
}

function attemptOf({ requestId, attempt }: Pick<SettlementRecord, 'requestId' | 'attempt'>): string {
  return `${requestId} ${attempt}`
}
