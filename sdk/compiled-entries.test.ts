import { describe, expect, it } from 'vitest'
import { openTestBranch } from './testing/open-branch.ts'
import { numberedText, toolChat } from './testing/tool-chat.ts'

const chatOf = (rounds: number) =>
  toolChat(
    Array.from({ length: rounds }, (_, round) => ({ results: [numberedText(1500, `round ${round}, line`)] })),
  )

describe('what a request held', () => {
  it('[R220] is told in send order, with what was folded where it stood, and adds up', async () => {
    const { branch } = await openTestBranch({ policy: { maxInputTokens: 4000, recovery: 'user' } })
    const ids: string[] = []
    for (let rounds = 1; rounds <= 8; rounds++) {
      const { decision, settle } = await branch.prepare(chatOf(rounds))
      ids.push(decision.requestId)
      await settle({ usage: null })
    }
    const { decisions } = await branch.journal()
    const folded = decisions.findLast(({ action }) => action === 'fold')
    const held = await branch.compiled(folded?.requestId ?? '')
    expect(new Set(held.map(({ state }) => state))).toEqual(new Set(['verbatim', 'out', 'note']))
    expect(held.filter(({ state }) => state === 'out').map(({ index }) => index)).toEqual(
      expect.arrayContaining([...(folded?.folded ?? [])]),
    )
    const others = held.filter(({ state }) => state !== 'note').map(({ index }) => index)
    expect(others).toEqual([...others].sort((a, b) => a - b))
    const entries = (folded?.parts ?? []).filter(({ part }) => !['system', 'tools', 'other'].includes(part))
    const sum = held.reduce((tokens, entry) => tokens + entry.tokens, 0)
    expect(sum).toBe(entries.reduce((tokens, part) => tokens + part.tokens, 0))
    const first = await branch.compiled(ids[0] ?? '')
    expect(first.every(({ state, tokens }) => state === 'verbatim' && tokens > 0)).toBe(true)
  })

  it('[R143] says how much of a shortened result was sent', async () => {
    const { branch } = await openTestBranch({ policy: { maxInputTokens: 20_000 } })
    const tools = [branch.contextTool.definition('openai-chat')]
    const { decision } = await branch.prepare(toolChat([{ results: [numberedText(100_045)] }], { tools }))
    const held = await branch.compiled(decision.requestId)
    const [clipped, ...others] = held.filter(({ state }) => state === 'clipped')
    expect(others).toEqual([])
    expect(clipped).toMatchObject({ index: 3, kind: 'result' })
    expect(clipped?.tokens).toBeGreaterThan(1000)
    expect(clipped?.kept).toBeGreaterThan(1000)
    expect(clipped?.kept).toBeLessThan(100_045)
  })

  it('is refused for a request that nobody knows, and for an old one', async () => {
    const { branch } = await openTestBranch()
    await expect(branch.compiled('x')).rejects.toMatchObject({ code: 'invalid_argument' })
    const { decision } = await branch.prepare(chatOf(1))
    for (let round = 0; round < 50; round++)
      await (
        await branch.prepare({ model: 'm', messages: [{ role: 'user', content: `Title ${round}?` }] })
      ).settle({
        usage: null,
      })
    await expect(branch.compiled(decision.requestId)).rejects.toThrow(/the newest 50/)
  })
})
