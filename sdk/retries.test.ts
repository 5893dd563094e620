import { describe, expect, it } from 'vitest'
import type { Prepared } from './branch.ts'
import type { JsonObject } from './engine/json.ts'
import { openTestBranch, type TestBranch } from './testing/open-branch.ts'
import { messagesOf } from './testing/play-conversation.ts'
import { numberedText, toolChat } from './testing/tool-chat.ts'

const list = toolChat([{ results: [numberedText(900)] }, { results: [numberedText(900)] }])
const longer: JsonObject = {
  ...list,
  messages: [
    ...messagesOf(list),
    { role: 'assistant', content: 'So.' },
    { role: 'user', content: numberedText(9000) },
  ],
}

function open(maxInputTokens: number | 'none' = 'none'): Promise<TestBranch> {
  return openTestBranch({ policy: { maxInputTokens } })
}

function expectAnother(prepared: Prepared, before: Prepared): void {
  expect(prepared.decision.attempt).toBe(1)
  expect(prepared.decision.requestId).not.toBe(before.decision.requestId)
}

describe('an equal list', () => {
  it('is another request once any attempt of it was completed, whatever becomes of the others', async () => {
    for (const completed of [0, 1]) {
      const { branch } = await open()
      const attempts = [await branch.prepare(list), await branch.prepare(list)] as const
      expect(attempts.map(({ decision }) => decision.attempt)).toEqual([1, 2])
      await attempts[completed]?.settle({ usage: null })
      await attempts[1 - completed]?.settle({ error: new Error('late') })
      expectAnother(await branch.prepare(list), attempts[0])
    }
  })

  it('goes on being a retry where an older request was completed late', async () => {
    const { branch } = await open()
    const older = await branch.prepare(list)
    const newer = await branch.prepare(longer)
    await older.settle({ usage: null })
    const { decision } = await branch.prepare(longer)
    expect(decision).toMatchObject({ attempt: 2, requestId: newer.decision.requestId })
  })

  it('is another request where a longer one was folded and refused between them', async () => {
    const { branch } = await open(1500)
    const first = await branch.prepare(list)
    await expect(branch.prepare(longer)).rejects.toMatchObject({ reason: 'over_ceiling' })
    const again = await branch.prepare(list)
    expect(JSON.stringify(again.request)).not.toBe(JSON.stringify(first.request))
    expectAnother(again, first)
  })

  it('is a retry where a longer one was refused and nothing was folded for it', async () => {
    const { branch } = await open(1500)
    const first = await branch.prepare(list)
    await expect(branch.prepare(longer, { run: 'bounded' })).rejects.toMatchObject({ reason: 'bounded_run' })
    const again = await branch.prepare(list)
    expect(again.decision).toMatchObject({ attempt: 2, requestId: first.decision.requestId })
    expect(JSON.stringify(again.request)).toBe(JSON.stringify(first.request))
  })

  it('is folded after all where the scale has risen since and it no longer fits', async () => {
    const chat = toolChat(Array.from({ length: 12 }, () => ({ results: [numberedText(900)] })))
    const size = (await (await open()).branch.prepare(chat)).decision.counted
    const { branch } = await openTestBranch({ policy: { maxInputTokens: size + 10, contextFoldAt: 1 } })
    const messages = messagesOf(chat)
    const earlier = await branch.prepare({ ...chat, messages: messages.slice(0, -2) })
    const first = await branch.prepare(chat)
    expect(first.decision.action).toBe('pass')
    expect(earlier.decision.counted).toBeGreaterThan(4000)
    await earlier.settle({ usage: { prompt_tokens: 2 * earlier.decision.counted } })
    await first.settle({ error: new Error('busy') })
    const again = await branch.prepare(chat)
    expect(again.decision).toMatchObject({ attempt: 2, action: 'fold', requestId: first.decision.requestId })
    expect(again.decision.after).toBeLessThanOrEqual(size + 10)
  })
})

describe('what an app hands over beside a request', () => {
  it('is what it was when it was handed over', async () => {
    const { branch } = await open(50_000)
    const options = { maxInputTokens: 40_000 }
    const first = branch.prepare(list, options)
    options.maxInputTokens = 30_000
    expect((await first).decision.ceiling).toBe(40_000)
    const compaction = { mode: 'off' } as const
    await branch.setPolicy({ compaction })
    expect(Object.isFrozen(branch.policy.compaction)).toBe(true)
    expect(Object.isFrozen(compaction)).toBe(false)
  })
})
