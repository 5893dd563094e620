import { afterEach, describe, expect, it } from 'vitest'
import { closeFetches } from './testing/open-fetch.ts'
import { asksForSummary, modes, openRepairing, words } from './testing/open-repairing.ts'
import type { ProviderOptions } from './testing/provider/provider.ts'

afterEach(closeFetches)

/** What the app believes of a window of 3,600. */
const beliefs = [
  ['a tenth too large', 3960],
  ['four times too large', 14_400],
  ['unknown', undefined],
] as const

const writers: Readonly<
  Record<string, (place: number) => ReturnType<NonNullable<ProviderOptions['interfere']>> | string>
> = {
  'fails once': (place) => (place === 1 ? { type: 'reject', status: 500 } : 'Words.'),
  'fails always': () => ({ type: 'reject', status: 500 }),
  'is empty': () => '',
  'is larger than what it replaces': () => Array.from({ length: 80 }, (_, place) => words(place)).join('\n'),
  'is itself rejected': () => ({
    type: 'reject',
    status: 400,
    body: { error: { code: 'context_length_exceeded', message: 'too long', type: 'invalid_request_error' } },
  }),
}

describe.each(modes)('a conversation that grows past its window: %s, %s', (format, _, isStreamed) => {
  const cases = beliefs.flatMap(([belief, window]) =>
    Object.keys(writers).map((writer) => [belief, writer, window] as const),
  )

  it.each(cases)(
    '[R329, R347, R363] window %s, a summary that %s: goes on or fails in bounded calls',
    async (_belief, writer, window) => {
      let asked = 0
      let written = ''
      const test = openRepairing({
        format,
        isStreamed,
        model: { window: 3600 },
        ...(window === undefined ? {} : { window }),
        interfere: ({ turn }) => {
          if (!asksForSummary(turn.system)) return null
          const made = writers[writer]?.(++asked) ?? ''
          if (typeof made !== 'string') return made
          written = made
          return null
        },
        answer: ({ system }) => ({ text: asksForSummary(system) ? written : 'Heard.' }),
      })
      let failed = 0
      for (let turns = 2; turns <= 40; turns += 2) {
        const before = test.provider.requests.length
        const response = await test.send(turns)
        const text = await response.text()
        if (response.status === 200) expect(text).toContain('Heard.')
        else failed++
        // Rejected, a summary, and what takes the place; never more.
        expect(test.provider.requests.length - before).toBeLessThanOrEqual(3)
      }
      // Without a summary the lists of the note stand alone, which is small enough for such a talk.
      if (writer !== 'is larger than what it replaces') expect(failed).toBe(0)
    },
  )
})
