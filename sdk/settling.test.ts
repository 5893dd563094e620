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

  it('answers a second time with the first settlement', async () => {
    const { branch } = await openTestBranch()
    const prepared = await branch.prepare(conversation.request)
    const reported = prepared.decision.counted * 2
    const first = await prepared.settle({ usage: { prompt_tokens: reported } })
    expect(await prepared.settle({ error: 'late' })).toEqual(first)
    expect((await branch.journal()).settlements).toHaveLength(1)
  })

  it('refuses what is no outcome, and can be settled after it', async () => {
    const { branch } = await openTestBranch()
    const prepared = await branch.prepare(conversation.request)
    for (const wrong of [undefined, null, 'done', 5, {}])
      await expect(prepared.settle(wrong as never)).rejects.toMatchObject({ code: 'invalid_argument' })
    await prepared.settle({ usage: null })
    expect((await branch.journal()).settlements).toMatchObject([{ outcome: 'completed' }])
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
