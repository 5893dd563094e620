import { describe, expect, it } from 'vitest'
import type { JsonObject } from './engine/json.ts'
import type { ContextPolicy } from './engine/policy.ts'
import { createModelLookup } from './models/model-lookup.ts'
import { memoryStore } from './stores/memory.ts'
import { openTestBranch } from './testing/open-branch.ts'

const name = 'cachedContents/archive'
const explicit: ContextPolicy = { maxInputTokens: 10_000 }

/** A chat of so many questions, over a cached content. */
function chat(questions: number, rest: JsonObject = { cachedContent: name }): JsonObject {
  const contents = Array.from({ length: questions * 2 - 1 }, (_, place) => ({
    role: place % 2 === 0 ? 'user' : 'model',
    parts: [{ text: `Line ${place} of a talk about the archive.` }],
  }))
  return { contents, ...rest }
}

const answered = (cachedContentTokenCount: number, promptTokenCount = cachedContentTokenCount + 40) => ({
  response: { usageMetadata: { promptTokenCount, cachedContentTokenCount, candidatesTokenCount: 5 } },
})

async function counted(request: JsonObject): Promise<number> {
  const { branch } = await openTestBranch()
  return (await branch.prepare(request)).decision.counted
}

describe('a cached content', () => {
  it('[R39] adds what the app says that it holds, and is part of the system', async () => {
    const { branch } = await openTestBranch({ policy: explicit })
    const { decision } = await branch.prepare(chat(1), { cachedContentTokens: 4_000 })
    expect(decision.counted).toBe((await counted(chat(1, {}))) + 4_000)
    expect(decision.parts.find(({ part }) => part === 'system')?.tokens).toBe(4_000)
    expect(decision).toMatchObject({ method: 'counted', action: 'pass' })
    const config = await branch.prepare(chat(1, { config: { cachedContent: name } }), {
      cachedContentTokens: 7,
    })
    expect(config.decision.counted).toBe((await counted(chat(1, {}))) + 7)
  })

  it('[R39] adds what a response reported of it, after a reload as well', async () => {
    const store = memoryStore()
    const first = await openTestBranch({ policy: { maxInputTokens: 'none' }, store })
    const prepared = await first.branch.prepare(chat(1))
    expect(prepared.warnings.map(({ code }) => code)).toContain('cached_content_unmeasured')
    await prepared.settle(answered(3_000))
    const { branch } = await openTestBranch({ policy: explicit, store })
    const { decision, warnings } = await branch.prepare(chat(2))
    expect(decision.counted).toBe((await counted(chat(2, {}))) + 3_000)
    expect(warnings).toEqual([])
  })

  it.each(['google', 'googleVertex', 'vertex'])(
    '[R39] of a call of the AI SDK is the one that its options for %s name',
    async (adapter) => {
      const call = (providerOptions: JsonObject): JsonObject => ({
        prompt: [{ role: 'user', content: [{ type: 'text', text: 'What is in the archive?' }] }],
        providerOptions,
      })
      const { branch } = await openTestBranch({ policy: explicit })
      const over = await branch.prepare(call({ [adapter]: { cachedContent: name } }), {
        cachedContentTokens: 4_000,
      })
      expect(over.decision.counted).toBe((await counted(call({}))) + 4_000)
    },
  )

  it('keeps the least of what was reported, for the provider finds more in its cache by itself', async () => {
    const { branch } = await openTestBranch()
    for (const [position, cached] of [3_100, 3_000, 3_200].entries())
      await (await branch.prepare(chat(position + 1))).settle(answered(cached))
    const { decision } = await branch.prepare(chat(4))
    expect(decision.counted).toBe((await counted(chat(4, {}))) + 3_000)
  })

  it('[R41] is refused under an explicit ceiling while nobody knows its size, and sent under a default one', async () => {
    const { branch } = await openTestBranch({ policy: explicit })
    await expect(branch.prepare(chat(1))).rejects.toMatchObject({ reason: 'remote_unmeasured' })
    await expect(branch.prepare(chat(1), { cachedContentTokens: 4_000 })).resolves.toBeDefined()
    const other = await openTestBranch({ policy: {}, findModel: createModelLookup([]) })
    const { decision } = await other.branch.prepare(chat(1), { model: 'gemini-2.5-pro' })
    expect(decision).toMatchObject({ ceilingSource: 'default', sent: true, method: 'estimate' })
  })

  it('[R41, R44] stays unknown after a total over several calls, and after a response that says nothing', async () => {
    const { branch } = await openTestBranch()
    const total = { toolUsePromptTokenCount: 9, cachedContentTokenCount: 4_000, promptTokenCount: 4_040 }
    await (await branch.prepare(chat(1))).settle({ response: { usageMetadata: total } })
    await (await branch.prepare(chat(2))).settle({ response: { usageMetadata: { promptTokenCount: 4_060 } } })
    const { warnings } = await branch.prepare(chat(3))
    expect(warnings.map(({ code }) => code)).toContain('cached_content_unmeasured')
  })

  it('[R30] teaches nothing while it is unknown, and then only what is beyond it', async () => {
    const { branch } = await openTestBranch()
    const settled = await (await branch.prepare(chat(1))).settle(answered(4_000))
    expect(settled.scale).toBe(1)
    const second = await branch.prepare(chat(2))
    expect(second.decision.method).toBe('counted')
    expect((await second.settle(answered(4_000, second.decision.counted * 2))).scale).toBe(2)
    expect((await branch.prepare(chat(3))).decision.method).toBe('anchored')
  })

  it('is still recorded and folded, for the list is all there is beside it', async () => {
    const { branch } = await openTestBranch({ policy: explicit })
    await branch.prepare(chat(3), { cachedContentTokens: 100 })
    expect((await branch.getMessages()).messages).toHaveLength(5)
  })

  it.each([-1, 1.5, '4000'])('of %j tokens is an argument that nobody understands', async (tokens) => {
    const { branch } = await openTestBranch()
    await expect(branch.prepare(chat(1), { cachedContentTokens: tokens as number })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })
})
