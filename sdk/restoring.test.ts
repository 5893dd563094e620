import { describe, expect, it } from 'vitest'
import type { FindModel } from './ports.ts'
import { memoryStore } from './stores/memory.ts'
import { makeConversation } from './testing/conversation.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { countedTokens, playConversation } from './testing/play-conversation.ts'

const conversation = makeConversation({ seed: 21, format: 'openai-chat', rounds: 30 })

describe('a restore', () => {
  it('[R224, R225] is refused where the next request would not fit with it, and changes nothing', async () => {
    const ceiling = Math.floor((await countedTokens(conversation)) / 4)
    const test = await openTestBranch({ policy: { maxInputTokens: ceiling } })
    await playConversation(test, conversation)
    const before = await test.branch.getMessages()
    const reply = await test.branch.restore({ start: 0, end: 500 })
    expect(reply).toMatchObject({ success: false, reason: expect.stringContaining(`ceiling of ${ceiling}`) })
    expect(await test.branch.getMessages()).toEqual(before)
    const { messages } = await test.branch.getMessages({ scope: 'all' })
    const small = messages.filter(({ kind, state }) => kind === 'result' && state === 'out')
    const shortest = small.toSorted((a, b) => a.chars - b.chars)[0]
    expect(await test.branch.restore({ start: shortest?.index ?? 0 })).toMatchObject({ success: true })
  })

  it('[R224] before any request was seen is not admitted under a ceiling, and is asked again after one', async () => {
    const ceiling = Math.floor((await countedTokens(conversation)) / 4)
    const store = memoryStore()
    const policy = { maxInputTokens: ceiling }
    await playConversation(await openTestBranch({ policy, store }), conversation)
    const { branch } = await openTestBranch({ policy, store })
    const before = await branch.getMessages()
    expect(await branch.restore({ start: 0, end: 500 })).toEqual({
      success: false,
      reason: expect.stringContaining('prepare one before restore'),
    })
    expect(await branch.getMessages()).toEqual(before)
    await branch.prepare(conversation.request)
    const { messages } = await branch.getMessages({ scope: 'all' })
    const shortest = messages
      .filter(({ kind, state }) => kind === 'result' && state === 'out')
      .toSorted((a, b) => a.chars - b.chars)[0]
    expect(await branch.restore({ start: shortest?.index ?? 0 })).toMatchObject({ success: true })
  })

  it('[R224] before any request was seen knows the ceiling of the model that the branch was stored with', async () => {
    const store = memoryStore()
    const policy = { maxInputTokens: 'auto' as const }
    const findModel: FindModel = async ({ model }) =>
      model === 'big' ? { tier: { maxPromptTokens: 90_000, revision: 'now' } } : undefined
    const request = { ...conversation.request, model: 'big' }
    await (await openTestBranch({ policy, store, findModel })).branch.prepare(request)
    const reopened = await openTestBranch({ policy, store, findModel })
    expect(await reopened.branch.evict({ start: 2, end: 12 })).toMatchObject({ success: true })
    expect(await reopened.branch.restore({ start: 2, end: 12 })).toMatchObject({ success: false })
    const unpriced = await openTestBranch({ policy, store })
    expect(await unpriced.branch.restore({ start: 2, end: 12 })).toMatchObject({ success: true })
  })

  it('[R226] before any request was seen is admitted where there is no ceiling, and counts as unread like any other', async () => {
    const store = memoryStore()
    await playConversation(await openTestBranch({ store }), conversation)
    const { branch } = await openTestBranch({ store })
    await branch.evict({ start: 2, end: 12 })
    const reply = await branch.restore({ start: 2, end: 12 })
    expect(reply).toMatchObject({ success: true, estimate: null })
    const restored = reply.success ? reply.restored : []
    const { messages } = await branch.getMessages()
    const unread = messages.filter(({ delivered }) => !delivered).map(({ index }) => index)
    expect(restored.length).toBeGreaterThan(0)
    expect(unread).toEqual(expect.arrayContaining([...restored]))
  })

  it('is asked of the newest request, a refused one too', async () => {
    const { branch } = await openTestBranch({ policy: { maxInputTokens: 60 } })
    const { messages } = conversation.request
    await branch.prepare({
      ...conversation.request,
      tools: [],
      messages: messages.slice(0, 1).concat({ role: 'user', content: 'hi' }),
    })
    await expect(
      branch.prepare({
        ...conversation.request,
        tools: [],
        messages: messages.slice(0, 1).concat({ role: 'user', content: 'hi' }, ...messages.slice(2)),
      }),
    ).rejects.toMatchObject({ code: 'input_ceiling_exceeded' })
    expect((await branch.status()).lastEstimate).toBeGreaterThan(1000)
    expect((await branch.preview())?.action).toBe('refuse')
  })
})
