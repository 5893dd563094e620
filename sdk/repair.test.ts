import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from './engine/json.ts'
import type { ContextPolicy } from './engine/policy.ts'
import type { Summarize } from './ports.ts'
import { closeFetches, openFetch, post, type TestFetch } from './testing/open-fetch.ts'
import type { ProviderModel } from './testing/provider/model.ts'
import { createProvider, type Provider, type ProviderOptions } from './testing/provider/provider.ts'
import { loadRanks } from './tokenizer/load-ranks.ts'
import { createScriptCounter } from './tokenizer/script-counter.ts'

const counter = createScriptCounter(await loadRanks())

const urls = {
  'openai-chat': 'https://provider.test/v1/chat/completions',
  'openai-responses': 'https://provider.test/v1/responses',
  anthropic: 'https://provider.test/v1/messages',
  gemini: 'https://provider.test/v1beta/models/m:generateContent',
}

type Spoken = keyof typeof urls

const words = (place: number): string =>
  `Turn ${place}: ${Array.from({ length: 60 }, (_, word) => `word${(word * 7 + place) % 97}`).join(' ')}`

/** A talk in the shape of a format, `turns` long and waiting for an answer. */
function talk(format: Spoken, turns: number, isStreamed: boolean): JsonObject {
  const said = Array.from({ length: turns * 2 - 1 }, (_, place) => ({
    role: place % 2 === 0 ? 'user' : 'assistant',
    content: words(place),
  }))
  const stream = isStreamed ? { stream: true } : {}
  switch (format) {
    case 'openai-chat':
      return { model: 'm', messages: said, ...stream }
    case 'openai-responses':
      return { model: 'm', input: said, ...stream }
    case 'anthropic':
      return { model: 'm', max_tokens: 100, messages: said, ...stream }
    case 'gemini':
      return {
        contents: said.map(({ role, content }) => ({
          role: role === 'user' ? 'user' : 'model',
          parts: [{ text: content }],
        })),
      }
  }
}

/** Whether a request asks for a summary: it holds dogear's own instructions and nothing of the chat's form. */
const asksForSummary = (text: string): boolean => text.includes('You write the record that stands')

interface Repairing extends TestFetch {
  readonly provider: Provider
  send(turns: number): Promise<Response>
  post(body: JsonObject): Promise<Response>
}

function open(options: {
  readonly format: Spoken
  readonly isStreamed?: boolean
  readonly model: ProviderModel
  /** What the app believes of the window. */
  readonly window?: number
  readonly policy?: ContextPolicy
  readonly summarize?: Summarize
  readonly answer?: ProviderOptions['answer']
  readonly interfere?: ProviderOptions['interfere']
}): Repairing {
  const { format, isStreamed = false, model, window, policy, summarize, interfere } = options
  const provider = createProvider({
    models: { '*': model },
    count: (text) => counter.count(text),
    answer:
      options.answer ??
      (({ system, messages }) => ({
        text: asksForSummary(system) ? 'They counted words.' : `Heard ${messages.length}.`,
      })),
    ...(interfere ? { interfere } : {}),
  })
  const test = openFetch({
    policy: { maxInputTokens: 'none', ...policy },
    tokenizer: { engine: 'script' },
    ...(summarize ? { summarize } : {}),
    ...(window === undefined ? {} : { models: [{ model: 'm', contextWindow: window }] }),
    answer: ({ input, init }) => provider.fetch(new Request(input, init)),
  })
  const url =
    isStreamed && format === 'gemini'
      ? urls.gemini.replace('generateContent', 'streamGenerateContent?alt=sse')
      : urls[format]
  return {
    ...test,
    provider,
    send: (turns) => test.fetch(url, post(talk(format, turns, isStreamed))),
    post: (body) => test.fetch(url, post(body)),
  }
}

afterEach(closeFetches)

const formats = Object.keys(urls) as Spoken[]
const modes = formats.flatMap((format) => [
  [format, 'whole', false] as const,
  [format, 'streamed', true] as const,
])

/** Statuses of the requests that one send led to. */
async function statusesOf(
  { provider }: Repairing,
  send: () => Promise<Response>,
): Promise<readonly number[]> {
  const before = provider.requests.length
  const response = await send()
  await response.text()
  return provider.requests.slice(before).map(({ status }) => status)
}

const types = ({ events }: TestFetch): readonly string[] => events.map(({ type }) => type)

describe('a round that its provider rejects for its length', () => {
  it.each(modes)(
    '[R321, R322, R337, R347, R363, R366] goes on by a summary: %s, %s',
    async (format, _, isStreamed) => {
      const test = open({ format, isStreamed, model: { window: 3600 } })
      for (const turns of [2, 6, 11]) expect((await test.send(turns)).status).toBe(200)
      const before = test.provider.requests.length
      const response = await test.send(16)
      expect(response.status).toBe(200)
      expect(await response.text()).toContain('Heard')
      const sent = test.provider.requests.slice(before)
      expect(sent.map(({ status }) => status)).toEqual([400, 200, 200])
      expect(asksForSummary(sent[1]?.turn.system ?? '')).toBe(true)
      expect(sent[1]?.turn.tools).toEqual([])
      const said = JSON.stringify(sent[2]?.turn.messages)
      expect(said).toContain('They counted words.')
      expect(said).toContain('This summary replaces earlier history')
      expect(said).toContain(words(30))
      expect(test.events.find(({ type }) => type === 'round-repaired')).toMatchObject({
        trigger: 'overflow',
        mode: 'summarize',
      })
      expect(types(test)).toContain('overflow-classified')
      expect(await statusesOf(test, () => test.send(17))).toEqual([200])
      expect(test.provider.requests.at(-1)?.input).toBeLessThan(3000)
    },
  )

  it.each(['responses-in-stream', 'openrouter-in-stream'] as const)(
    '[R322] goes on within the same stream: %s',
    async (overflow) => {
      const format = overflow.startsWith('responses') ? 'openai-responses' : 'openai-chat'
      const test = open({ format, isStreamed: true, model: { window: 3600, overflow } })
      for (const turns of [2, 6, 11]) await (await test.send(turns)).text()
      const before = test.provider.requests.length
      const text = await (await test.send(16)).text()
      expect(text).toContain('Heard')
      expect(text).not.toMatch(/error"?:\s*\{|response\.failed/)
      expect(test.provider.requests.slice(before)).toHaveLength(3)
    },
  )

  it("[R329, R363, R397] fails with its provider's words where nothing can be taken away", async () => {
    const test = open({ format: 'openai-chat', model: { window: 3600 } })
    const huge = { role: 'user', content: Array.from({ length: 300 }, (_, place) => words(place)).join('\n') }
    const first = { model: 'm', messages: [huge] }
    expect(await statusesOf(test, () => test.post(first))).toEqual([400])
    const body = { model: 'm', messages: [...(talk('openai-chat', 8, false).messages as JsonObject[]), huge] }
    const response = await test.post(body)
    expect(response.status).toBe(400)
    expect((await response.json()).error.code).toBe('context_length_exceeded')
    const before = test.provider.requests.length
    // Sent again by the app, it is rejected again, and nothing more is asked for it.
    await test.post(body)
    expect(test.provider.requests.length - before).toBe(1)
  })

  it('[R328, R363] is repaired once, however often the app sends it', async () => {
    const test = open({ format: 'openai-chat', model: { window: 3600 } })
    for (const turns of [2, 6, 11]) await test.send(turns)
    let isSmall = false
    const shrunk = open({
      format: 'openai-chat',
      model: { window: 100_000 },
      interfere: ({ turn }) =>
        isSmall && !asksForSummary(turn.system)
          ? {
              type: 'reject',
              status: 400,
              body: {
                error: {
                  code: 'context_length_exceeded',
                  message: 'too long',
                  type: 'invalid_request_error',
                },
              },
            }
          : null,
    })
    for (const turns of [2, 6, 12]) await shrunk.send(turns)
    isSmall = true
    expect(await statusesOf(shrunk, () => shrunk.send(16))).toEqual([400, 200, 400])
    expect(await statusesOf(shrunk, () => shrunk.send(16))).toEqual([400])
    expect(await statusesOf(shrunk, () => shrunk.send(16))).toEqual([400])
  })

  it('[R344] keeps its error where the policy wants no repair', async () => {
    const policy: ContextPolicy = { compaction: { mode: 'off' } }
    const test = open({ format: 'anthropic', model: { window: 3600 }, policy })
    for (const turns of [2, 6, 11]) await test.send(turns)
    const response = await test.send(16)
    expect(response.status).toBe(400)
    expect((await response.json()).error.message).toMatch(/^prompt is too long: \d+ tokens > 3600 maximum$/)
    expect(types(test)).toContain('overflow-classified')
    expect(types(test)).not.toContain('round-repaired')
  })

  it("[R339, R341] reads a summary of the app's own function in the same place", async () => {
    const test = open({
      format: 'openai-chat',
      model: { window: 3600 },
      policy: { compaction: { mode: 'delegate' } },
      summarize: async () => 'By the app.',
    })
    for (const turns of [2, 6, 11]) await test.send(turns)
    expect(await statusesOf(test, () => test.send(16))).toEqual([400, 200])
    expect(JSON.stringify(test.provider.requests.at(-1)?.turn.messages)).toContain('By the app.')
    expect(test.events.find(({ type }) => type === 'round-repaired')).toMatchObject({ mode: 'delegate' })
  })

  it('[R342] asks the model once in place of a function that fails, and says so', async () => {
    const test = open({
      format: 'openai-chat',
      model: { window: 3600 },
      policy: { compaction: { mode: 'delegate' } },
      summarize: async () => {
        throw new Error('nobody home')
      },
    })
    for (const turns of [2, 6, 11]) await test.send(turns)
    expect(await statusesOf(test, () => test.send(16))).toEqual([400, 200, 200])
    const { folds } = await (await test.dogear.branch('chat')).journal()
    expect(folds.at(-1)).toMatchObject({
      fallback: { from: 'delegate', reason: 'failed' },
      summarySource: 'model',
    })
  })

  it('[R345] ends with the app that gives up while it is repaired', async () => {
    const stop = new AbortController()
    const test = open({
      format: 'openai-chat',
      model: { window: 3600 },
      answer: async ({ system }) => {
        if (!asksForSummary(system)) return { text: 'Heard.' }
        stop.abort(new Error('enough'))
        return new Promise(() => undefined)
      },
    })
    for (const turns of [2, 6, 11]) await test.send(turns)
    const sending = test.fetch(urls['openai-chat'], {
      ...post(talk('openai-chat', 16, false)),
      signal: stop.signal,
    })
    await expect(sending).rejects.toThrow('enough')
    expect(test.provider.requests.at(-1)?.status).toBe(400)
  })
})

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
      const test = open({
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

describe('a round that is over its window before it is sent', () => {
  it('[R311, R316, R317] is repaired by what was reported last', async () => {
    const test = open({ format: 'openai-chat', model: { window: 3600, factor: 1.2 }, window: 3600 })
    for (const turns of [2, 6, 10]) await (await test.send(turns)).text()
    expect(await statusesOf(test, () => test.send(14))).toEqual([200, 200])
    expect(test.events.find(({ type }) => type === 'round-repaired')).toMatchObject({ trigger: 'usage' })
  })

  it('[R318, R319] is repaired by the count where nothing was reported, and never refused by it', async () => {
    const test = open({ format: 'openai-chat', model: { window: 100_000 }, window: 3600 })
    expect(await statusesOf(test, () => test.send(20))).toEqual([200, 200])
    expect(test.events.find(({ type }) => type === 'round-repaired')).toMatchObject({
      trigger: 'wall',
      limit: 3600,
    })
    const alone = open({ format: 'openai-chat', model: { window: 100_000 }, window: 600 })
    const one = {
      model: 'm',
      messages: [{ role: 'user', content: Array.from({ length: 9 }, (_, i) => words(i)).join() }],
    }
    expect(await statusesOf(alone, () => alone.post(one))).toEqual([200])
  })

  it('[R331, R333, R335, R365] is repaired by clearing results alone where they are enough', async () => {
    const test = open({ format: 'openai-chat', model: { window: 100_000 }, window: 6000 })
    const rounds = (count: number): JsonObject[] =>
      Array.from({ length: count }, (_, place) => [
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: `c${place}`,
              type: 'function',
              function: { name: 'read', arguments: `{"path":"p${place}.ts"}` },
            },
          ],
        },
        { role: 'tool', tool_call_id: `c${place}`, content: words(place).repeat(2) },
      ]).flat()
    const chat = (count: number): JsonObject => ({
      model: 'm',
      tools: [
        { type: 'function', function: { name: 'read', parameters: { type: 'object', properties: {} } } },
      ],
      messages: [{ role: 'user', content: 'Read them all.' }, ...rounds(count)],
    })
    for (let count = 1; count <= 24; count++) await test.post(chat(count))
    const repaired = test.events.find(({ type }) => type === 'round-repaired')
    expect(repaired).toMatchObject({ mode: 'prune' })
    const { folds } = await (await test.dogear.branch('chat')).journal()
    const fold = folds.find(({ stage, outcome }) => stage === 'prune' && outcome === 'landed')
    expect(fold?.clearedTotal).toBeGreaterThan(3)
    expect(fold?.prunedBefore).toBeGreaterThan(0)
    expect(test.provider.requests.every(({ status }) => status === 200)).toBe(true)
    const last = JSON.stringify(test.provider.requests.at(-1)?.turn.messages)
    expect(last).toContain('Older tool result cleared')
    expect(last).toContain(words(23))
  })
})

describe('a report that is lower than it can be', () => {
  it('[R324, R396] is said, and nothing is done about it', async () => {
    const test = open({ format: 'openai-chat', model: { window: 1500, truncatesSilently: true } })
    for (const turns of [2, 6, 10, 14]) await (await test.send(turns)).text()
    expect(types(test)).not.toContain('truncation-suspected')
    const lower = open({
      format: 'openai-chat',
      model: { window: 100_000 },
      interfere: (_, place) =>
        place === 3 ? { type: 'report', usage: { input: 700, cacheRead: 0, cacheWrite: 0 } } : null,
    })
    for (const turns of [2, 6, 10]) await (await lower.send(turns)).text()
    await (await lower.dogear.branch('chat')).status()
    const { settlements } = await (await lower.dogear.branch('chat')).journal()
    expect(settlements.at(-1)?.inputTruncationSuspected).toBe(true)
    expect(types(lower)).toContain('truncation-suspected')
    expect(types(lower)).not.toContain('round-repaired')
  })
})

describe('compactNow', () => {
  const summarize: Summarize = async () => 'So far.'

  it('[R323, R362] summarises at once where the app can, and says where it cannot', async () => {
    const test = open({ format: 'openai-chat', model: { window: 100_000 }, summarize })
    const branch = await test.dogear.branch('chat')
    for (const turns of [2, 6, 10]) await (await test.send(turns)).text()
    const outcome = await branch.compactNow()
    expect(outcome).toMatchObject({ type: 'compacted' })
    expect(await branch.compactNow()).toEqual({ type: 'refused', code: 'already_compacted' })
    await test.send(11)
    const messages = JSON.stringify(test.provider.requests.at(-1)?.turn.messages)
    expect(messages).toContain('So far.')
    expect(messages).not.toContain(words(4))
    const { folds } = await branch.journal()
    expect(folds).toMatchObject([{ reason: 'manual', stage: 'summary', outcome: 'landed' }])
  })

  it('[R323, R362] waits for the next request where only its model can, and then repairs it', async () => {
    const test = open({ format: 'openai-chat', model: { window: 100_000 } })
    const branch = await test.dogear.branch('chat')
    for (const turns of [2, 6, 10]) await (await test.send(turns)).text()
    expect(await branch.compactNow()).toEqual({ type: 'armed' })
    expect(await statusesOf(test, () => test.send(11))).toEqual([200, 200])
    expect(test.events.find(({ type }) => type === 'round-repaired')).toMatchObject({ trigger: 'manual' })
    expect(await statusesOf(test, () => test.send(12))).toEqual([200])
  })

  it('[R362] refuses by name', async () => {
    const test = open({ format: 'openai-chat', model: { window: 100_000 }, summarize })
    const branch = await test.dogear.branch('chat')
    await test.send(1)
    expect(await branch.compactNow()).toEqual({ type: 'refused', code: 'nothing_to_compact' })
    await branch.setPolicy({ compaction: { mode: 'off' } })
    expect(await branch.compactNow()).toEqual({ type: 'refused', code: 'compaction_disabled' })
  })
})
