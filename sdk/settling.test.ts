import { describe, expect, it } from 'vitest'
import { memoryStore } from './stores/memory.ts'
import { makeConversation } from './testing/conversation.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { messagesOf } from './testing/play-conversation.ts'

describe('settling', () => {
  const conversation = makeConversation({ seed: 41, format: 'openai-chat', rounds: 30 })

  it('[R29, R30, R34] raises the scale to what was reported, and measures the next request by it', async () => {
    const { branch, events } = await openTestBranch()
    const first = await branch.prepare(conversation.request)
    const reported = Math.ceil(first.decision.counted * 1.25)
    expect(await first.settle({ usage: { prompt_tokens: reported } })).toMatchObject({ scale: 1.25 })
    expect(events.some((event) => event.type === 'calibration-updated')).toBe(true)
    const more = [...messagesOf(conversation.request), { role: 'user', content: 'Go on.' }]
    const next = await branch.prepare({ ...conversation.request, messages: more })
    expect(next.decision.method).toBe('anchored')
    expect(next.decision.before).toBeCloseTo(
      reported + (next.decision.counted - first.decision.counted) * (reported / first.decision.counted),
      6,
    )
  })

  it('[R84] teaches nothing when the request failed or was aborted', async () => {
    const { branch } = await openTestBranch()
    const first = await branch.prepare(conversation.request)
    expect(await first.settle({ error: new Error('no'), status: 500 })).toEqual({ scale: 1 })
    const second = await branch.prepare(conversation.request)
    expect(await second.settle({ aborted: true })).toEqual({ scale: 1 })
    const { settlements } = await branch.journal()
    expect(settlements.map(({ outcome }) => outcome)).toEqual(['failed', 'aborted'])
  })

  it('[R322] knows who answered as the request said, for one provider rejects without a word', async () => {
    const { branch } = await openTestBranch()
    const rejected = { error: '', status: 400 }
    const unnamed = await branch.prepare(conversation.request)
    expect((await unnamed.settle(rejected)).overflow).toBeUndefined()
    const named = await branch.prepare(conversation.request, { provider: 'cerebras' })
    expect((await named.settle(rejected)).overflow).toMatchObject({ kind: 'context', provider: 'cerebras' })
  })

  it('answers a second time with the first settlement', async () => {
    const { branch } = await openTestBranch()
    const prepared = await branch.prepare(conversation.request)
    const reported = prepared.decision.counted * 2
    const first = await prepared.settle({ usage: { prompt_tokens: reported } })
    expect(await prepared.settle({ error: 'late' })).toEqual(first)
    expect((await branch.journal()).settlements).toHaveLength(1)
  })

  it.each([
    ['nothing', { prompt_tokens: 0 }],
    ['less than could be', { prompt_tokens: 500 }],
    ['a total over several requests', { prompt_tokens: 90_000, server_tool_use: { web_search_requests: 2 } }],
  ])('takes no anchor and no scale from a report of %s', async (name, usage) => {
    const { branch } = await openTestBranch()
    const format = name.startsWith('a total') ? 'anthropic' : 'openai-chat'
    const { request } = makeConversation({ seed: 41, format, rounds: 30 })
    const reported = format === 'anthropic' ? { ...usage, input_tokens: 90_000 } : usage
    expect(await (await branch.prepare(request)).settle({ usage: reported })).toMatchObject({ scale: 1 })
    const more = [
      ...messagesOf(request),
      { role: 'assistant', content: 'So.' },
      { role: 'user', content: 'On.' },
    ]
    const { decision } = await branch.prepare({ ...request, messages: more })
    expect(decision).toMatchObject({ method: 'counted', before: decision.counted })
  })

  it('measures from the last completed request only, and never below nothing', async () => {
    const { branch } = await openTestBranch()
    const send = async (extra: object[], usage: unknown, tools = conversation.request.tools) => {
      const prepared = await branch.prepare({
        ...conversation.request,
        tools,
        messages: [...messagesOf(conversation.request), ...extra],
      })
      await prepared.settle({ usage })
      return prepared.decision
    }
    const first = await send([], { prompt_tokens: 20_000 })
    const turn = [
      { role: 'assistant', content: 'So.' },
      { role: 'user', content: 'On.' },
    ]
    expect(first.counted).toBeLessThan(40_000)
    expect((await send(turn, null)).method).toBe('anchored')
    expect((await send([...turn, ...turn], null)).method).toBe('counted')
  })

  it('[R84] marks nothing delivered when the request failed or was aborted', async () => {
    for (const outcome of [{ error: new Error('no') }, { aborted: true as const }]) {
      const { branch } = await openTestBranch()
      const fresh = { model: 'm', messages: [{ role: 'user', content: 'Read.' }] }
      await (await branch.prepare(fresh)).settle(outcome)
      expect((await branch.getMessages()).messages.map(({ delivered }) => delivered)).toEqual([false])
      await (await branch.prepare(fresh)).settle({ usage: null })
      expect((await branch.getMessages()).messages.map(({ delivered }) => delivered)).toEqual([true])
    }
  })

  it('refuses what is no outcome, and can be settled after it', async () => {
    const { branch } = await openTestBranch()
    const prepared = await branch.prepare(conversation.request)
    for (const wrong of [undefined, null, 'done', 5, {}])
      await expect(prepared.settle(wrong as never)).rejects.toMatchObject({ code: 'invalid_argument' })
    await prepared.settle({ usage: null })
    expect((await branch.journal()).settlements).toMatchObject([{ outcome: 'completed' }])
  })

  it('refuses a response that was not read, and can be settled after it', async () => {
    const { branch } = await openTestBranch()
    const prepared = await branch.prepare(conversation.request)
    const response = new Response('{}')
    await expect(prepared.settle({ response })).rejects.toThrow(/await response\.json\(\)/)
    expect(await prepared.settle({ response: await response.json() })).toMatchObject({ scale: 1 })
  })

  it('stores a usage that is no plain data, and every step after it', async () => {
    const store = memoryStore()
    const { branch, events } = await openTestBranch({ store })
    const prepared = await branch.prepare(conversation.request)
    const details = new Proxy({ cached_tokens: 1 }, {})
    await prepared.settle({
      usage: { prompt_tokens: 100, prompt_tokens_details: details, more: () => 1, big: 1n },
    })
    await branch.prepare({
      ...conversation.request,
      messages: [...messagesOf(conversation.request), { role: 'user', content: 'On.' }],
    })
    expect(events.some(({ type }) => type === 'store-failed')).toBe(false)
    expect((await store.load('chat'))?.entries).toHaveLength((await branch.status()).entries)
  })

  it('[R35] keeps the scale with the branch', async () => {
    const store = memoryStore()
    const first = await openTestBranch({ store })
    const prepared = await first.branch.prepare(conversation.request)
    await prepared.settle({ usage: { prompt_tokens: prepared.decision.counted * 2 } })
    const second = await openTestBranch({ store })
    const { decision } = await second.branch.prepare(conversation.request)
    expect(decision.scale).toBe(2)
  })
})
