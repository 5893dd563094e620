import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from './engine/json.ts'
import { lintRequest } from './lint-request.ts'
import { asResponses } from './testing/as-responses.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { playRequest } from './testing/play-at-random.ts'
import { scriptTokenCounter } from './testing/script-token-counter.ts'
import { loadTokenizer } from './tokenizer.ts'
import { parseTranscript } from './transcript/transcript.ts'
import { itemsOf } from './wire/openai-responses/items.ts'
import { readRequest } from './wire/openai-responses/read.ts'

const corpus = join(process.env.DOGEAR_SHARED ?? '', 'data', 'corpus')
const counter = await scriptTokenCounter()
const { countRequest } = await loadTokenizer()
const summarize = async () => 'Files were read and compared; nothing was missing.'
const stages = new Set<string>()

/** The requests of a recorded list: one for every answer in it, and the whole list. */
function requestsOf(request: JsonObject): readonly JsonObject[] {
  const { input } = request
  const outcome = readRequest(request)
  if (outcome.type === 'fault' || !Array.isArray(input)) return [request]
  const { leading, messages } = outcome.request
  const lengths: number[] = []
  let length = leading.length
  for (const message of messages) {
    const [first] = itemsOf(message)
    const isAnswer = first?.role === 'assistant' || /reasoning|_call$/.test(`${first?.type}`)
    if (isAnswer && length > leading.length) lengths.push(length)
    length += itemsOf(message).length
  }
  return [...lengths.map((end) => ({ ...request, input: input.slice(0, end) })), request]
}

function recorded(folder: string): readonly (readonly [name: string, text: string])[] {
  return readdirSync(join(corpus, folder))
    .filter((name) => name.endsWith('.json'))
    .map((name) => [`${folder}/${name}`, readFileSync(join(corpus, folder, name), 'utf8')])
}

const own = recorded('openai-responses').flatMap(([name, text]) => {
  const request: unknown = JSON.parse(text)
  // What goes on from a response cannot be played without it.
  return isObject(request) && request.previous_response_id === undefined
    ? [[name, requestsOf(request)] as const]
    : []
})

const mapped = recorded('openai-chat').map(([name, text]) => {
  const { request, messages, rounds } = parseTranscript(text)
  return [name, rounds.map((end) => asResponses({ ...request, messages: messages.slice(0, end) }))] as const
})

function countOf(rules: readonly string[], rule: string): number {
  return rules.filter((other) => other === rule).length
}

function rulesOf(request: unknown): readonly string[] {
  return lintRequest('openai-responses', request).map(({ rule }) => rule)
}

afterAll(() => {
  process.stdout.write(
    `responses: ${own.length + mapped.length} transcripts, folded by ${[...stages].join(', ')}\n`,
  )
})

describe.each([2, 5])('a recorded conversation in Responses, under a %ith of its size', (part) => {
  it.each([...own, ...mapped])(
    '[R100, R380] %s stays sound, and all of it comes back',
    async (_name, requests) => {
      const whole = requests.at(-1) ?? {}
      const maxInputTokens = Math.max(1, Math.floor(countRequest(whole).total / part))
      const policy = { maxInputTokens, run: 'iterative' } as const
      const test = await openTestBranch({ counter, summarize, policy })
      for (const incoming of requests) {
        const { prepared, decision } = await playRequest(test, incoming)
        const known = rulesOf(incoming)
        if (prepared === null) continue
        const faults = rulesOf(prepared.request)
        for (const rule of faults) expect(countOf(faults, rule)).toBeLessThanOrEqual(countOf(known, rule))
        expect(countRequest(prepared.request).total).toBe(decision.counted)
        expect(decision.after).toBeLessThanOrEqual(maxInputTokens)
        await prepared.settle({ usage: null })
      }
      for (const event of test.events)
        if (event.type === 'stage-applied' && event.fold.outcome === 'landed') stages.add(event.fold.stage)
      await test.branch.setPolicy({ maxInputTokens: 'none' })
      const { entries } = await test.branch.status()
      await test.branch.restore({ start: 0, end: entries })
      expect((await test.branch.prepare(whole)).request).toBe(whole)
      expect(await test.branch.lines()).toHaveLength(1)
    },
  )
})

describe('the recorded conversations in Responses as a whole', () => {
  it('are folded by every stage somewhere, or nothing was proved', () => {
    expect([...stages].sort()).toEqual(['all', 'clip', 'tool_io'])
  })
})
