import { describe, expect, it, vi } from 'vitest'
import type { FoldPreview } from './branch.ts'
import type { JsonObject } from './engine/json.ts'
import type { FindModel, Summarize } from './ports.ts'
import { makeConversation } from './testing/conversation.ts'
import { openTestBranch, type TestBranch } from './testing/open-branch.ts'
import { messagesOf } from './testing/play-conversation.ts'
import { numberedText, type ToolChatRound, toolChat } from './testing/tool-chat.ts'

const ok: ToolChatRound = { results: ['ok'] }

function types(preview: FoldPreview | null): readonly string[] {
  return (preview?.steps ?? []).map(({ type }) => type)
}

describe('the ceiling of the newest request', () => {
  const rounds: readonly ToolChatRound[] = [{ results: [numberedText(20_000)] }, ok, ok]

  /** Expects that status, preview and admission go by a ceiling that the large result is over. */
  async function expectCeiling({ branch }: TestBranch, ceiling: number): Promise<void> {
    expect((await branch.status()).ceiling).toBe(ceiling)
    expect((await branch.preview())?.ceiling).toBe(ceiling)
    expect(await branch.restore({ start: 3 })).toMatchObject({
      success: false,
      reason: expect.stringContaining(`over its ceiling of ${ceiling}`),
    })
  }

  it('[R5, R224] is lowered by its call, for what is said of the next one and admitted to it', async () => {
    const test = await openTestBranch({ policy: { maxInputTokens: 20_000 } })
    await (await test.branch.prepare(toolChat(rounds))).settle({ usage: null })
    await test.branch.evict({ start: 3 })
    await test.branch.prepare(toolChat([...rounds, ok]), { maxInputTokens: 2500 })
    await expectCeiling(test, 2500)
    await test.branch.prepare(toolChat([...rounds, ok, ok]))
    expect((await test.branch.status()).ceiling).toBe(20_000)
    expect(await test.branch.restore({ start: 3 })).toMatchObject({ success: true })
  })

  it.each([{ url: 'https://models.example/v1' }, { provider: 'example' }])(
    '[R224] is that of where it goes: %o',
    async (route) => {
      const findModel: FindModel = async ({ url, provider }) =>
        url === 'https://models.example/v1' || provider === 'example' ? { maxInputTokens: 2500 } : undefined
      const test = await openTestBranch({ policy: {}, findModel })
      await (await test.branch.prepare(toolChat(rounds))).settle({ usage: null })
      expect(await test.branch.status()).toMatchObject({ ceiling: null })
      await test.branch.evict({ start: 3 })
      await test.branch.prepare(toolChat([...rounds, ok]), route)
      await expectCeiling(test, 2500)
    },
  )

  it('[R54] comes with its run: a bounded one is not folded in a preview either', async () => {
    const { branch } = await openTestBranch({ policy: { maxInputTokens: 20_000 } })
    await (await branch.prepare(toolChat(rounds), { run: 'bounded' })).settle({ usage: null })
    const preview = await branch.preview({ maxInputTokens: 2500 })
    expect(preview?.action).toBe('refuse')
    expect(types(preview)).toEqual(['measured', 'refused'])
  })
})

describe('the size that is said of the next request', () => {
  it('[R30] goes by what was reported for the last one', async () => {
    const { request } = makeConversation({ seed: 41, format: 'openai-chat', rounds: 30 })
    const { branch } = await openTestBranch()
    const turn = [
      { role: 'assistant', content: 'So.' },
      { role: 'user', content: 'On.' },
    ]
    const send = (turns: number) => {
      const more = Array.from({ length: turns }, () => turn).flat()
      return branch.prepare({ ...request, messages: [...messagesOf(request), ...more] })
    }
    for (const [turns, share] of [1.5, 1.1].entries()) {
      const prepared = await send(turns)
      await prepared.settle({ usage: { prompt_tokens: Math.ceil(prepared.decision.counted * share) } })
    }
    const { decision } = await send(2)
    expect(decision).toMatchObject({ method: 'anchored', scale: expect.closeTo(1.5, 3) })
    expect((await branch.status()).lastEstimate).toBe(decision.after)
    expect(await branch.preview()).toMatchObject({ before: decision.after, method: 'anchored' })
  })
})

describe('a refusal that stands', () => {
  const words = (place: number): string =>
    Array.from({ length: 40 }, (_, word) => `word${(word * 7 + place) % 10}`).join(' ')
  const talk = (tools: readonly JsonObject[] = []): JsonObject => ({
    model: 'm',
    tools,
    messages: Array.from({ length: 17 }, (_, place) => ({
      role: place % 2 === 0 ? 'user' : 'assistant',
      content: words(place),
    })),
  })
  const large = {
    type: 'function',
    function: { name: 'f', description: numberedText(9000), parameters: { type: 'object' } },
  }

  /** A talk that was refused for its tools, and without them would be summarised. */
  async function refusedTalk(): Promise<TestBranch & { readonly summarize: ReturnType<typeof vi.fn> }> {
    const measuring = await openTestBranch()
    const { counted } = (await measuring.branch.prepare(talk())).decision
    const summarize = vi.fn<Summarize>(async () => 'They counted words.')
    const test = await openTestBranch({ policy: { maxInputTokens: Math.floor(counted / 0.8) }, summarize })
    await expect(test.branch.prepare(talk([large]))).rejects.toMatchObject({ code: 'input_ceiling_exceeded' })
    return { ...test, summarize }
  }

  it('[R52, R53, R62] has nothing folded and no summary written, which both come with its end', async () => {
    const { branch, summarize } = await refusedTalk()
    const before = (await branch.journal()).folds
    await expect(branch.prepare(talk())).rejects.toMatchObject({ code: 'input_ceiling_exceeded' })
    expect(summarize).not.toHaveBeenCalled()
    expect((await branch.journal()).folds).toEqual(before)
    await branch.clearRefusal()
    expect((await branch.prepare(talk())).decision.action).toBe('fold')
    expect(summarize).toHaveBeenCalled()
  })

  it('[R52] is what a preview says of the next request, until it ends', async () => {
    const { branch } = await refusedTalk()
    await expect(branch.prepare(talk())).rejects.toMatchObject({ code: 'input_ceiling_exceeded' })
    const [decision] = (await branch.journal()).decisions
    const preview = await branch.preview()
    expect(preview).toMatchObject({ action: 'refuse', after: preview?.before })
    expect(types(preview)).toEqual(['measured', 'refusal_stands'])
    expect(preview?.steps.at(-1)).toMatchObject({ requestId: decision?.requestId })
    const another = { ...branch.policy, contextFoldTarget: 0.5 }
    expect(types(await branch.preview(another))).not.toContain('refusal_stands')
    await branch.clearRefusal()
    expect(types(await branch.preview())).toContain('stage')
  })
})

describe('a preview of a turn', () => {
  const result = (name: string): ToolChatRound => ({ results: [numberedText(600, name)] })
  const task = { role: 'user', content: numberedText(3000, 'task') }
  const list = (...names: readonly string[]): JsonObject => {
    const chat = toolChat(names.map(result))
    return { ...chat, messages: [task, ...messagesOf(chat).slice(1)] }
  }
  const policy = { maxInputTokens: 300 }

  async function resumes(spent: boolean): Promise<boolean> {
    const { branch } = await openTestBranch({ policy })
    for (const names of spent ? ['ab', 'abc'] : []) {
      await expect(branch.prepare(list(...names))).rejects.toMatchObject({ code: 'input_ceiling_exceeded' })
      await branch.clearRefusal()
    }
    await branch.setPolicy({ maxInputTokens: 'none' })
    await branch.prepare(list(...'abcd'))
    const preview = await branch.preview(policy)
    expect(types(preview)).toContain('stage')
    return types(preview).includes('resumed')
  }

  it('[R60] takes the further folds that are left of it, and no more', async () => {
    expect(await resumes(false)).toBe(true)
    expect(await resumes(true)).toBe(false)
  })
})
