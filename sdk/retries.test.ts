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
})
