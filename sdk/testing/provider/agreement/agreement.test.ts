import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../engine/json.ts'
import { lintRequest } from '../../../lint-request.ts'
import { seeds } from '../../seeds.ts'
import { ask, type Spoken } from '../ask-provider.ts'
import { createProvider, type Provider } from '../provider.ts'
import { anthropicAgreement } from './anthropic.ts'
import { arrangedModels, arrangements } from './arrangements.ts'
import { geminiAgreement } from './gemini.ts'
import { openAiChatAgreement } from './openai-chat.ts'
import { openAiResponsesAgreement } from './openai-responses.ts'

const SEEDS = 600

const open = (): Provider =>
  createProvider({
    models: { ...arrangedModels, '*': { window: 1_000_000 } },
    count: (text) => text.length,
    answer: () => ({ text: 'Yes.' }),
  })

const rulesOf = (format: Spoken, request: JsonObject): readonly string[] =>
  lintRequest(format, request).map(({ rule }) => rule)

describe.each([openAiChatAgreement, openAiResponsesAgreement, anthropicAgreement, geminiAgreement])(
  'the linter and the provider on requests of $format',
  ({ format, faults, differences }) => {
    it.each(faults)('both find $rule: $what', async ({ rule, request, rejection, sound }) => {
      expect(rulesOf(format, request)).toEqual([rule])
      const rejected = await ask(open(), format, request)
      expect({ status: rejected.status, body: await rejected.json() }).toEqual(rejection)
      expect(rulesOf(format, sound)).toEqual([])
      const accepted = await ask(open(), format, sound)
      expect(accepted.status, await accepted.text()).toBe(200)
    })

    if (differences.length > 0)
      it.each(differences)('they differ on $what: $why', async ({ request, rule, status }) => {
        expect(rulesOf(format, request)).toEqual(rule === null ? [] : [rule])
        expect((await ask(open(), format, request)).status).toBe(status)
        expect(rule === null).toBe(status !== 200)
      })

    it('each rule of the linter stands in one of the two lists', () => {
      const listed = [...faults, ...differences].flatMap(({ rule }) => rule ?? [])
      expect([...new Set(listed)].sort()).toEqual(rulesIn(format))
    })

    it(`they agree on requests that are put together at random (${seeds(SEEDS).length} seeds)`, async () => {
      const provider = open()
      for (const seed of seeds(SEEDS)) {
        const request = arrangements[format](seed)
        const rules = rulesOf(format, request)
        const response = await ask(provider, format, request)
        const said = await response.text()
        const about = `seed ${seed}: ${JSON.stringify(request)}\n${rules.join()}\n${said}`
        expect(response.status, about).toBe(rules.length === 0 ? 200 : 400)
      }
    })

    it('of requests that are put together at random a good part is sound, and a good part is not', () => {
      const sound = Array.from({ length: SEEDS }, (_, seed) =>
        rulesOf(format, arrangements[format](seed)),
      ).filter((rules) => rules.length === 0).length
      expect(sound).toBeGreaterThan(SEEDS / 5)
      expect(sound).toBeLessThan((SEEDS * 4) / 5)
    })
  },
)

/** Every rule that the source of a format names. */
function rulesIn(format: Spoken): readonly string[] {
  const folder = join(import.meta.dirname, '../../../wire', format)
  const sources = readdirSync(folder).filter((name) => /rules\.ts$/.test(name))
  const named = sources.flatMap((name) => [
    ...readFileSync(join(folder, name), 'utf8').matchAll(/rule: '([a-z_]+)'/g),
  ])
  return [...new Set(['malformed', ...named.map(([, rule = '']) => rule)])].sort()
}
