import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from './engine/json.ts'
import type { ContextPolicy } from './engine/policy.ts'
import { closeFetches, post } from './testing/open-fetch.ts'
import {
  asksForSummary,
  modes,
  openRepairing,
  statusesOf,
  talk,
  types,
  urls,
  words,
} from './testing/open-repairing.ts'

afterEach(closeFetches)

describe('a round that its provider rejects for its length', () => {
  it.each(modes)(
    '[R321, R322, R337, R347, R363, R366] goes on by a summary: %s, %s',
    async (format, _, isStreamed) => {
      const test = openRepairing({ format, isStreamed, model: { window: 3600 } })
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
      const test = openRepairing({ format, isStreamed: true, model: { window: 3600, overflow } })
      for (const turns of [2, 6, 11]) await (await test.send(turns)).text()
      const before = test.provider.requests.length
      const text = await (await test.send(16)).text()
      expect(text).toContain('Heard')
      expect(text).not.toMatch(/error"?:\s*\{|response\.failed/)
      expect(test.provider.requests.slice(before)).toHaveLength(3)
    },
  )

  it('[R313, R314, R338] asks the same model without tools, and adds no turn', async () => {
    const test = openRepairing({ format: 'openai-chat', model: { window: 3600 } })
    for (const turns of [2, 6, 11, 16]) await test.send(turns)
    const [asked, repaired] = test.provider.requests.slice(-2)
    expect(asked?.body.model).toBe('m')
    expect(asked?.body.tools).toBeUndefined()
    expect(repaired?.turn.messages.at(-1)?.text).toBe(words(30))
    const { messages } = await (await test.dogear.branch('chat')).getMessages({ scope: 'all' })
    expect(messages.filter(({ kind }) => kind === 'instruction')).toHaveLength(16)
    expect(messages.filter(({ kind }) => kind === 'note')).toHaveLength(1)
  })

  it('[R338] asks the model that the policy names', async () => {
    const policy: ContextPolicy = { compaction: { mode: 'summarize', model: 'other' } }
    const test = openRepairing({ format: 'openai-chat', model: { window: 3600 }, policy })
    for (const turns of [2, 6, 11, 16]) await test.send(turns)
    expect(test.provider.requests.slice(-2).map(({ body }) => body.model)).toEqual(['other', 'm'])
  })

  it('[R345, R346] is continued by the very bytes that it was repaired to', async () => {
    const test = openRepairing({ format: 'openai-chat', model: { window: 3600 } })
    for (const turns of [2, 6, 11, 16, 17]) await test.send(turns)
    const [repaired, next] = test.provider.requests.slice(-2).map(({ body }) => body.messages as JsonObject[])
    expect(JSON.stringify(next).startsWith(JSON.stringify(repaired).slice(0, -1))).toBe(true)
  })

  it('[R325, R327] changes neither the output that is asked for nor what the app says of the window', async () => {
    const test = openRepairing({ format: 'openai-chat', model: { window: 3600 }, window: 14_400 })
    for (const turns of [2, 6, 11, 16])
      await test.post({ ...talk('openai-chat', turns, false), max_tokens: 100 })
    expect(test.provider.requests.at(-1)?.body.max_tokens).toBe(100)
    const { decisions } = await (await test.dogear.branch('chat')).journal()
    expect(decisions.map(({ window }) => window)).toEqual(decisions.map(() => 14_400))
  })

  it("[R329, R363, R397] fails with its provider's words where nothing can be taken away", async () => {
    const test = openRepairing({ format: 'openai-chat', model: { window: 3600 } })
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
    let isSmall = false
    const test = openRepairing({
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
    for (const turns of [2, 6, 12]) await test.send(turns)
    isSmall = true
    expect(await statusesOf(test, () => test.send(16))).toEqual([400, 200, 400])
    expect(await statusesOf(test, () => test.send(16))).toEqual([400])
    expect(await statusesOf(test, () => test.send(16))).toEqual([400])
  })

  it('names no key of a request that is not sent again', async () => {
    const test = openRepairing({ format: 'openai-chat', model: { window: 3600 } })
    for (const turns of [2, 6, 11]) await test.send(turns)
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'k1' }
    await test.fetch(urls['openai-chat'], { ...post(talk('openai-chat', 16, false)), headers })
    const keys = test.provider.requests.slice(-3).map((request) => request.headers['idempotency-key'])
    expect(keys).toEqual(['k1', undefined, undefined])
    // A client's own retry is the same request.
    await test.fetch(urls['openai-chat'], { ...post(talk('openai-chat', 17, false)), headers })
    expect(test.provider.requests.at(-1)?.headers['idempotency-key']).toBe('k1')
  })

  it('[R344] keeps its error where the policy wants no repair', async () => {
    const policy: ContextPolicy = { compaction: { mode: 'off' } }
    const test = openRepairing({ format: 'anthropic', model: { window: 3600 }, policy })
    for (const turns of [2, 6, 11]) await test.send(turns)
    const response = await test.send(16)
    expect(response.status).toBe(400)
    expect((await response.json()).error.message).toMatch(/^prompt is too long: \d+ tokens > 3600 maximum$/)
    expect(types(test)).toContain('overflow-classified')
    expect(types(test)).not.toContain('round-repaired')
  })

  it("[R339, R341] reads a summary of the app's own function in the same place", async () => {
    const test = openRepairing({
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
    const test = openRepairing({
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
    const test = openRepairing({
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
