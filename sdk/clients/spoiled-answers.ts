import { describe, expect, it, vi } from 'vitest'
import type { SettlementRecord } from '../engine/journal.ts'
import { warningsOf } from '../testing/open-fetch.ts'
import { type Spoiling, spoiledModel, type TurnedAway } from '../testing/rehearsal/spoiled-answers.ts'
import { openChat } from './open-chat.ts'
import { type Ask, questions } from './questions.ts'
import { together } from './together.ts'

interface Expected {
  readonly what: string
  readonly spoiling: Spoiling
  readonly outcome: SettlementRecord['outcome']
  /** Of a whole answer and of a streamed one; null: nothing more than what the app sees itself. */
  readonly warnings: readonly [whole: string | null, streamed: string | null]
}

const spoiled: readonly Expected[] = [
  {
    what: 'an answer that ends early',
    spoiling: 'ends-early',
    outcome: 'failed',
    warnings: ['response_unreadable', 'response_truncated'],
  },
  {
    what: 'a connection that breaks',
    spoiling: 'breaks-off',
    outcome: 'failed',
    warnings: [null, null],
  },
  {
    what: 'no usage',
    spoiling: 'no-usage',
    outcome: 'completed',
    warnings: ['usage_missing', 'usage_missing'],
  },
  {
    what: 'negative usage',
    spoiling: 'negative-usage',
    outcome: 'completed',
    warnings: ['usage_unreadable', 'usage_unreadable'],
  },
  {
    what: 'absurd usage',
    spoiling: 'absurd-usage',
    outcome: 'completed',
    warnings: ['usage_unreadable', 'usage_unreadable'],
  },
  {
    what: 'another content type',
    spoiling: 'other-type',
    outcome: 'completed',
    warnings: ['response_of_other_type', 'response_of_other_type'],
  },
  {
    what: 'a body that is no JSON',
    spoiling: 'no-json',
    outcome: 'failed',
    warnings: ['response_unreadable', 'response_unreadable'],
  },
  {
    what: 'JSON of another shape',
    spoiling: 'other-shape',
    outcome: 'failed',
    warnings: ['response_unreadable', 'response_unreadable'],
  },
]

const failingMidway: Expected = {
  what: 'an error after some of the answer',
  spoiling: 'fails-midway',
  outcome: 'failed',
  warnings: [null, 'response_failed'],
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
      const warning = expected.warnings[isStreamed ? 1 : 0]
      const told = warningsOf(chat.events).map(({ code }) => code)
      expect(told).toEqual(warning === null ? [] : chat.sent.map(() => warning))
      await chat.close()
    })
  })

  const retried = questions.flatMap(([format, name, ask]) =>
    (['busy-once', 'down-once'] as const satisfies readonly TurnedAway[]).flatMap((spoiling) =>
      [false, true].map(
        (isStreamed) => [format, name, isStreamed ? 'streamed' : 'whole', spoiling, ask] as const,
      ),
    ),
  )

  describe('a client that sends again', together, () => {
    it.each(retried)(
      '%s by %s, %s: settles one request, by its second attempt, where the provider is %s',
      async (format, name, mode, spoiling, ask) => {
        const chat = await openChat({})
        const model = spoiledModel(spoiling, crypto.randomUUID())
        const isStreamed = mode === 'streamed'
        const seen = await seenBy(ask, { url: provider.url(), model, isStreamed, fetch: chat.fetch })
        expect(seen.error, `${format} by ${name}`).toBeNull()
        const { decisions, settlements } = await chat.branch.journal()
        expect(new Set(decisions.map(({ requestId }) => requestId)).size).toBe(1)
        expect(settlements).toMatchObject([
          { outcome: 'failed', attempt: 1 },
          { outcome: 'completed', attempt: 2 },
        ])
        expect(chat.sent.map(({ status }) => status)).toEqual([spoiling === 'busy-once' ? 429 : 500, 200])
        expect(chat.sent[1]?.body).toEqual(chat.sent[0]?.body)
        await chat.close()
      },
    )
  })
}

interface Seen {
  readonly values: readonly unknown[]
  readonly error: unknown
}

/** What an app sees, but for the names that the provider gives anew each time. */
async function seenBy(ask: Ask, options: Parameters<Ask>[0]): Promise<Seen> {
  const values: unknown[] = []
  const error: unknown = await ask(options, (value) => values.push(value)).then(
    () => null,
    (reason: unknown) => reason,
  )
  return { values: values.map(nameless), error: nameless(error) }
}

function nameless(value: unknown): unknown {
  if (value === undefined) return 'undefined'
  const shown = value instanceof Error ? errorFacts(value) : value
  return JSON.parse(JSON.stringify(shown).replaceAll(/(?<!\d)\d{6}(?!\d)/g, 'N'))
}

function errorFacts(error: Error): object {
  const { name, message, cause } = error
  const { status, code } = error as { readonly status?: unknown; readonly code?: unknown }
  return { name, message, status, code, ...(cause instanceof Error ? { cause: errorFacts(cause) } : {}) }
}
