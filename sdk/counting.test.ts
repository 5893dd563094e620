import { describe, expect, it } from 'vitest'
import type { CountTokens } from './ports.ts'
import { makeConversation } from './testing/conversation.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { scriptTokenCounter } from './testing/script-token-counter.ts'

const { request } = makeConversation({ seed: 91, format: 'openai-chat', rounds: 12 })

describe('a tokenizer that fails', () => {
  it('in the middle of a count gives a flagged estimate that refuses nothing, and is forgotten when it works again', async () => {
    const counter = await scriptTokenCounter()
    let working = false
    const failing: CountTokens = {
      ...counter,
      get exact() {
        return working
      },
      count: async (texts) => (working ? counter.count(texts) : texts.map((text) => text.length)),
    }
    const { counted } = (await (await openTestBranch()).branch.prepare(request)).decision
    const { branch } = await openTestBranch({
      counter: failing,
      policy: { maxInputTokens: counted + 10, contextFoldAt: 1 },
    })
    const estimated = await branch.prepare(request)
    expect(estimated.decision).toMatchObject({ method: 'estimate', sent: true })
    expect(estimated.warnings.map(({ code }) => code)).toContain('size_estimated')
    await branch.restore({ start: 0, end: 500 })
    working = true
    const again = await branch.prepare({ ...request, model: 'another' })
    expect(again.decision).toMatchObject({ method: 'counted' })
  })

  it('to load in time gives a flagged estimate, and an abort ends the wait', async () => {
    const counter = await scriptTokenCounter()
    const loading: CountTokens = { ...counter, ready: false, load: () => new Promise(() => undefined) }
    const { branch } = await openTestBranch({
      counter: loading,
      policy: { maxInputTokens: 3000 },
      loadTimeoutMs: 20,
    })
    expect((await branch.prepare(request)).decision).toMatchObject({ method: 'estimate', action: 'fold' })
    const slow = await openTestBranch({
      counter: loading,
      policy: { maxInputTokens: 3000 },
      loadTimeoutMs: 60_000,
    })
    const controller = new AbortController()
    const preparing = slow.branch.prepare(request, { signal: controller.signal })
    setTimeout(() => controller.abort(), 10)
    await expect(preparing).rejects.toMatchObject({ code: 'aborted' })
    expect((await slow.branch.getMessages()).total).toBe(0)
  })
})
