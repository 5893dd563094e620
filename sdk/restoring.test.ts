import { describe, expect, it } from 'vitest'
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

  it('[R226] before any request was seen leaves the next fold free to take it again', async () => {
    const ceiling = Math.floor((await countedTokens(conversation)) / 4)
    const store = memoryStore()
    const policy = { maxInputTokens: ceiling }
    await playConversation(await openTestBranch({ policy, store }), conversation)
    const { branch } = await openTestBranch({ policy, store })
    expect(await branch.restore({ start: 0, end: 500 })).toMatchObject({ success: true, estimate: null })
    expect((await branch.prepare(conversation.request)).decision.after).toBeLessThanOrEqual(ceiling)
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
