import { afterEach, describe, expect, it } from 'vitest'
import { openTestBranch } from './testing/open-branch.ts'
import { closeFetches, completion, jsonResponse, openFetch, post } from './testing/open-fetch.ts'
import { asksForSummary, openRepairing, statusesOf, talk, urls } from './testing/open-repairing.ts'

const url = urls['openai-chat']
const tooLong = { error: { code: 'context_length_exceeded', message: 'x', type: 'invalid_request_error' } }

afterEach(closeFetches)

describe('a repair that is interrupted', () => {
  it('ends with an app that gives up while a rejection still comes, and leaves the round settled', async () => {
    const stop = new AbortController()
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('{"error": '))
        return new Promise(() => undefined)
      },
    })
    const test = openFetch({
      answer: () => {
        setTimeout(() => stop.abort(new Error('enough')), 5)
        return new Response(endless, { status: 400 })
      },
    })
    const sending = test.fetch(url, { ...post(talk('openai-chat', 2, false)), signal: stop.signal })
    await expect(sending).rejects.toThrow('enough')
    const { settlements } = await (await test.dogear.branch('chat')).journal()
    expect(settlements).toMatchObject([{ outcome: 'failed' }])
  })

  it('settles what takes the place as aborted where the app gives up on that', async () => {
    const stop = new AbortController()
    let isBegun = false
    const test = openFetch({
      policy: { maxInputTokens: 'none' },
      answer: ({ init }) => {
        const text = String(init?.body)
        if (asksForSummary(text)) isBegun = true
        else if (isBegun) {
          stop.abort(new Error('enough'))
          throw stop.signal.reason
        } else if (JSON.parse(text).messages.length > 15) return jsonResponse(tooLong, { status: 400 })
        return jsonResponse(completion())
      },
    })
    for (const turns of [2, 5, 7])
      await (await test.fetch(url, post(talk('openai-chat', turns, false)))).text()
    const sending = test.fetch(url, { ...post(talk('openai-chat', 12, false)), signal: stop.signal })
    await expect(sending).rejects.toThrow('enough')
    const branch = await test.dogear.branch('chat')
    const { settlements } = await branch.journal()
    expect(settlements.slice(-2).map(({ outcome }) => outcome)).toEqual(['failed', 'aborted'])
    expect((await branch.verify()).ok).toBe(true)
  })

  it('lets go of the other response where the app stops reading while that is on its way', async () => {
    let goOn = (): void => undefined
    const isCancelled = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let isAsked = false
    const test = openRepairing({
      format: 'openai-responses',
      isStreamed: true,
      model: { window: 3600, overflow: 'responses-in-stream' },
      answer: async ({ system }) => {
        if (!asksForSummary(system)) return { text: 'Heard.' }
        isAsked = true
        await isCancelled
        return { text: 'They counted words.' }
      },
    })
    for (const turns of [2, 6, 11]) await (await test.send(turns)).text()
    const reader = (await test.send(16)).body?.getReader()
    const waiting = (async () => {
      while (!(await reader?.read())?.done);
    })().catch(() => undefined)
    await expect.poll(() => isAsked).toBe(true)
    await reader?.cancel('enough')
    goOn()
    await waiting
    const branch = await test.dogear.branch('chat')
    const ends = async (): Promise<readonly string[]> =>
      (await branch.journal()).settlements.slice(3).map(({ outcome }) => outcome)
    await expect.poll(ends).toEqual(['failed', 'aborted'])
    expect(await (await test.send(17)).text()).toContain('Heard')
    expect((await branch.verify()).ok).toBe(true)
  })

  it.each(['\n', '\r\n'])(
    'leaves an error as it came where its beginning was passed on before it was known, lines ending with %j',
    async (end) => {
      const event = `data: ${JSON.stringify({ error: { code: 400, message: 'x', metadata: { error_type: 'context_length_exceeded' } } })}`
      const bytes = new TextEncoder().encode(`: working${end}${end}${event}${end}${end}`)
      const byteWise = (): Response => {
        let next = 0
        const body = new ReadableStream({
          pull(controller) {
            if (next < bytes.length) controller.enqueue(bytes.slice(next, ++next))
            else controller.close()
          },
        })
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
      }
      const test = openFetch({
        policy: { maxInputTokens: 'none' },
        answer: ({ init }) => {
          const { messages, stream } = JSON.parse(String(init?.body))
          return stream && messages.length > 15 ? byteWise() : jsonResponse(completion())
        },
      })
      for (const turns of [2, 5, 7])
        await (await test.fetch(url, post(talk('openai-chat', turns, false)))).text()
      const response = await test.fetch(url, post(talk('openai-chat', 12, true)))
      expect(await response.text()).toBe(new TextDecoder().decode(bytes))
      const { settlements } = await (await test.dogear.branch('chat')).journal()
      expect(settlements.at(-1)?.outcome).toBe('failed')
    },
  )
})

describe('a provider that rejects everything', () => {
  it('[R328, R329] costs three requests a send at the most, for ever', async () => {
    const test = openFetch({
      policy: { maxInputTokens: 'none' },
      answer: () => jsonResponse(tooLong, { status: 400 }),
    })
    for (let turns = 1; turns <= 12; turns++) {
      const before = test.sent.length
      expect((await test.fetch(url, post(talk('openai-chat', turns, false)))).status).toBe(400)
      expect(test.sent.length - before).toBeLessThanOrEqual(3)
    }
    expect((await (await test.dogear.branch('chat')).verify()).ok).toBe(true)
  })
})

describe('a rejection that is told late', () => {
  const rejected = { error: tooLong, status: 400 }

  it('[R363] makes nothing of a list that is no longer the newest, and of one only once', async () => {
    const { branch } = await openTestBranch({ summarize: async () => 'So far.' })
    const old = await branch.prepare(talk('openai-chat', 6, false))
    const newer = await branch.prepare(talk('openai-chat', 9, false))
    expect((await old.settle(rejected)).retry).toBeUndefined()
    await newer.settle({ usage: null })
    const newest = await branch.prepare(talk('openai-chat', 12, false))
    const [first, second] = await Promise.all([newest.settle(rejected), newest.settle({ usage: null })])
    expect(second).toBe(first)
    expect((await first.retry?.settle(rejected))?.retry).toBeUndefined()
    expect((await branch.verify()).ok).toBe(true)
  })

  it('is repaired for the newest of equal requests that are under way at once', async () => {
    const test = openRepairing({ format: 'openai-chat', model: { window: 3600 } })
    for (const turns of [2, 6, 11]) await (await test.send(turns)).text()
    const twice = await Promise.all([test.send(16), test.send(16)])
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await statusesOf(test, () => test.send(17))).toEqual([200])
  })
})
