import { describe, expect, it } from 'vitest'
import type { ContextPolicy } from './engine/policy.ts'
import { openTestBranch, type TestBranch } from './testing/open-branch.ts'
import { messagesOf } from './testing/play-conversation.ts'
import { resultsIn } from './testing/sent-request.ts'
import { numberedText, type ToolChatRound, toolChat } from './testing/tool-chat.ts'

const long = numberedText(24_000, 'long')
const ending: ToolChatRound = { results: ['ok'] }

interface Chat extends TestBranch {
  /** Contents of the results that were sent, in order. Without `settled`, the next answer is the only evidence. */
  send(played: readonly ToolChatRound[], settled?: boolean): Promise<readonly string[]>
}

async function open(policy: ContextPolicy): Promise<Chat> {
  const test = await openTestBranch({ policy })
  return {
    ...test,
    async send(played, settled = true) {
      const tools = [test.branch.contextTool.definition('openai-chat')]
      const prepared = await test.branch.prepare(toolChat(played, { tools }))
      if (settled) await prepared.settle({ usage: null })
      return resultsIn(messagesOf(prepared.request)).map(({ content }) => String(content))
    },
  }
}

function isCut(content: string | undefined): boolean {
  return content?.includes('characters omitted') === true
}

/** A result that is clipped, in a request that would be under its ceiling with the whole of it. */
async function clipped(settled = true): Promise<{ readonly chat: Chat; readonly played: ToolChatRound[] }> {
  const played: ToolChatRound[] = [{ results: [long] }]
  const measuring = await open({ maxInputTokens: 'none' })
  await measuring.send(played)
  const [decision] = (await measuring.branch.journal()).decisions
  const maxInputTokens = Math.ceil(Number(decision?.counted) * 1.15)
  const chat = await open({ maxInputTokens, contextFoldTailMargin: 9 })
  const [content] = await chat.send(played, settled)
  expect(isCut(content)).toBe(true)
  return { chat, played }
}

/** Another policy that changes nothing but the target of a fold. */
async function aimLower({ branch }: Chat): Promise<void> {
  await branch.setPolicy({ ...branch.policy, contextFoldAt: 0.3, contextFoldTarget: 0.2 })
}

describe('a restored original', () => {
  it.each([true, false])(
    '[R149, R221] stands whole where its copy stood, and is not clipped before a request that carried it was answered (settled: %s)',
    async (settled) => {
      const { chat, played } = await clipped(settled)
      expect(await chat.branch.restore({ start: 3 })).toMatchObject({ success: true, restored: [3] })
      played.push(ending)
      expect((await chat.send(played, settled))[0]).toBe(long)
      played.push(ending)
      expect(isCut((await chat.send(played, settled))[0])).toBe(true)
    },
  )

  it('[R224, R225] stays a copy where the request would not fit with it, and the reply names the way to read it', async () => {
    const { chat } = await clipped()
    await chat.branch.setPolicy({ maxInputTokens: 3000 })
    const before = await chat.branch.getMessages()
    const reply = await chat.branch.contextTool.run({ action: 'restore', start: 3 })
    expect(reply).toMatchObject({ success: false, reason: expect.stringContaining('read_result') })
    expect(await chat.branch.getMessages()).toEqual(before)
  })

  it('[R226] is admitted where there is no ceiling', async () => {
    const { chat } = await clipped()
    await chat.branch.setPolicy({ maxInputTokens: 'none' })
    expect(await chat.branch.contextTool.run({ action: 'restore', start: 3 })).toEqual({
      success: true,
      restored: [3],
    })
  })

  it('[R227] is admitted by what the bound shows of it, and goes on being shown so', async () => {
    const chat = await open({ maxInputTokens: 6000, toolResultMaxChars: 4000 })
    const played: ToolChatRound[] = [{ results: [long] }, ending]
    const [projected] = await chat.send(played)
    expect(projected).toHaveLength(4000)
    await chat.branch.contextTool.run({ action: 'evict', start: 2, end: 4 })
    expect(await chat.branch.restore({ start: 3 })).toMatchObject({ success: true })
    played.push(ending)
    expect((await chat.send(played))[0]).toBe(projected)
  })

  it('[R228] is in the request already where only the bound shortens it', async () => {
    const chat = await open({ maxInputTokens: 'none', toolResultMaxChars: 4000 })
    await chat.send([{ results: [long] }])
    expect(await chat.branch.contextTool.run({ action: 'restore', start: 3 })).toEqual({
      success: false,
      reason: expect.stringContaining('read_result'),
    })
  })

  it('comes back with everything else that its fold shortened', async () => {
    const { chat } = await clipped()
    await chat.branch.setPolicy({ maxInputTokens: 'none' })
    const { folds } = await chat.branch.journal()
    const fold = folds.find(({ stage, outcome }) => stage === 'clip' && outcome === 'landed')
    expect(await chat.branch.restoreFold(fold?.id ?? '')).toMatchObject({ restored: [3] })
    expect(await chat.branch.restoreFold(fold?.id ?? '')).toMatchObject({ success: false })
  })
})

describe('an admission', () => {
  it('[R49, R377] forecasts by the newest request; what comes next is measured, and folded or refused, by itself', async () => {
    const chat = await open({ maxInputTokens: 4000, contextFoldTailMargin: 9 })
    const played: ToolChatRound[] = [{ results: [numberedText(4000)] }, ending, ending]
    await chat.send(played)
    await chat.branch.evict({ start: 3 })
    const reply = await chat.branch.restore({ start: 3 })
    expect(reply).toMatchObject({ success: true, estimate: expect.any(Number) })
    const forecast = reply.success ? Number(reply.estimate) : 0
    const nextRequest = (characters: number): object =>
      toolChat(played, {
        tools: [chat.branch.contextTool.definition('openai-chat')],
        after: [{ role: 'user', content: numberedText(characters, 'next') }],
      })
    const { decision } = await chat.branch.prepare(nextRequest(3000))
    expect(decision.before).toBeGreaterThan(forecast + 500)
    expect(decision.after).toBeLessThanOrEqual(4000)
    expect(decision.sent).toBe(true)
    await expect(chat.branch.prepare(nextRequest(12_000))).rejects.toMatchObject({
      code: 'input_ceiling_exceeded',
    })
  })
})

describe('a restore that only a fold would make room for', () => {
  it('[R224] is not admitted: what it would push out is not asked for', async () => {
    const old = Array.from(
      { length: 4 },
      (_, part): ToolChatRound => ({ results: [numberedText(2000, `${part},`)] }),
    )
    const played: ToolChatRound[] = [{ results: [numberedText(6000)] }, ...old, ending, ending, ending]
    const measuring = await open({ maxInputTokens: 'none' })
    await measuring.send(played)
    const { counted = 0 } = (await measuring.branch.journal()).decisions[0] ?? {}
    const chat = await open({ maxInputTokens: 'none' })
    await chat.send(played)
    await chat.branch.evict({ start: 3 })
    await chat.branch.setPolicy({ maxInputTokens: counted - 100, contextFoldAt: 0.99 })
    await chat.send([...played, ending])
    expect(await chat.branch.restore({ start: 3 })).toMatchObject({
      success: false,
      reason: expect.stringContaining(`over its ceiling of ${counted - 100}`),
    })
  })
})

describe('a range that the model has just read', () => {
  it.each([true, false])(
    '[R149, R219] keeps its original from being clipped further for one request, and changes nothing that is shown of it (settled: %s)',
    async (settled) => {
      const { chat, played } = await clipped(settled)
      const [before] = await chat.send(played, settled)
      const viewed = await chat.branch.getMessages()
      await aimLower(chat)
      const given = { action: 'read_result', index: 3, offset: 12_000, limit: 100 }
      const reply = await chat.branch.contextTool.run(given)
      expect(await chat.branch.getMessages()).toEqual(viewed)
      played.push({ name: 'context', arguments: given, results: [reply] })
      expect((await chat.send(played, settled))[0]).toBe(before)
      played.push(ending)
      expect((await chat.send(played, settled))[0]?.length).toBeLessThan(Number(before?.length))
    },
  )

  it('[R149] is protected anew by every reading, with the answers as the only evidence', async () => {
    const { chat, played } = await clipped(false)
    await aimLower(chat)
    const given = { action: 'read_result', index: 3, offset: 12_000, limit: 100 }
    const lengths: (number | undefined)[] = []
    for (let page = 0; page < 3; page++) {
      const reply = await chat.branch.contextTool.run(given)
      played.push({ name: 'context', arguments: given, results: [reply] })
      lengths.push((await chat.send(played, false))[0]?.length)
    }
    expect(new Set(lengths).size).toBe(1)
    played.push(ending)
    expect((await chat.send(played, false))[0]?.length).toBeLessThan(Number(lengths[0]))
  })

  it.each(['before', 'after'])(
    '[R149, R219] is protected anew by every reading, be its request settled %s the tool runs or after it',
    async (settles) => {
      const { chat, played } = await clipped()
      await aimLower(chat)
      const tools = [chat.branch.contextTool.definition('openai-chat')]
      const given = { action: 'read_result', index: 3, offset: 12_000, limit: 100 }
      const lengths: (number | undefined)[] = []
      const send = async (run?: () => Promise<void>): Promise<void> => {
        const prepared = await chat.branch.prepare(toolChat(played, { tools }))
        lengths.push(String(resultsIn(messagesOf(prepared.request))[0]?.content).length)
        if (settles === 'after') await run?.()
        await prepared.settle({ usage: null })
        if (settles === 'before') await run?.()
      }
      const read = async (): Promise<void> => {
        const reply = await chat.branch.contextTool.run(given)
        played.push({ name: 'context', arguments: given, results: [reply] })
      }
      await read()
      for (let page = 0; page < 3; page++) await send(read)
      expect(new Set(lengths).size).toBe(1)
      await send()
      played.push(ending)
      await send()
      expect(Number(lengths.at(-1))).toBeLessThan(Number(lengths[0]))
    },
  )

  it('[R149] keeps an original that a bound alone shortens from being clipped, too', async () => {
    const chat = await open({
      maxInputTokens: 'none',
      toolResultMaxChars: 4000,
      contextFoldTailMargin: 9,
    })
    const played: ToolChatRound[] = [{ results: [long] }, ending]
    const [bounded] = await chat.send(played, false)
    const { counted = 0 } = (await chat.branch.journal()).decisions[0] ?? {}
    const given = { action: 'read_result', index: 3, offset: 12_000, limit: 100 }
    const reply = await chat.branch.contextTool.run(given)
    await chat.branch.setPolicy({
      ...chat.branch.policy,
      maxInputTokens: counted * 2,
      contextFoldAt: 0.4,
      contextFoldTarget: 0.35,
    })
    played.push({ name: 'context', arguments: given, results: [reply] })
    expect((await chat.send(played, false))[0]).toBe(bounded)
    played.push(ending)
    expect((await chat.send(played, false))[0]?.length).toBeLessThan(4000)
  })

  it('is the model’s own: what a person looks at may be clipped as before', async () => {
    const { chat, played } = await clipped()
    const [before] = await chat.send(played)
    await aimLower(chat)
    await chat.branch.readResult({ index: 3 })
    played.push(ending)
    expect((await chat.send(played))[0]?.length).toBeLessThan(Number(before?.length))
  })
})

describe('a refusal', () => {
  const over = toolChat([{ results: ['ok'] }, { results: ['ok'] }], {
    after: [{ role: 'user', content: numberedText(9000) }],
  })
  const refused = expect.objectContaining({ code: 'input_ceiling_exceeded' })

  async function refusedChat(): Promise<Chat> {
    const chat = await open({ maxInputTokens: 2000 })
    await expect(chat.branch.prepare(over)).rejects.toEqual(refused)
    return chat
  }

  async function standing(chat: Chat): Promise<boolean> {
    await expect(chat.branch.prepare(over)).rejects.toEqual(refused)
    const { decisions } = await chat.branch.journal()
    return decisions.at(-1)?.trace.some(({ type }) => type === 'refusal_stands') === true
  }

  it('[R52] stands for its turn until somebody clears it', async () => {
    const chat = await refusedChat()
    expect(await standing(chat)).toBe(true)
    await chat.branch.clearRefusal()
    expect(await standing(chat)).toBe(false)
    expect(await standing(chat)).toBe(true)
  })

  it('ends with a change of the view, after which the request is another one', async () => {
    const chat = await refusedChat()
    expect(await chat.branch.evict({ start: 1 })).toMatchObject({ success: true })
    expect(await standing(chat)).toBe(false)
    await chat.branch.restoreFold('none')
    expect(await standing(chat)).toBe(true)
    await chat.branch.pin(1)
    expect(await standing(chat)).toBe(false)
  })

  it('is cleared for good, over a reload too', async () => {
    const chat = await refusedChat()
    await chat.branch.clearRefusal()
    const again = await openTestBranch({ store: chat.store, policy: { maxInputTokens: 2000 } })
    await expect(again.branch.prepare(over)).rejects.toEqual(refused)
    const { decisions } = await again.branch.journal()
    expect(decisions.at(-1)?.trace.some(({ type }) => type === 'refusal_stands')).toBe(false)
  })
})

describe('a request that is sent again', () => {
  it('is another one after the view was changed, and a retry where it was not', async () => {
    const chat = await open({ maxInputTokens: 'none' })
    const list = toolChat([{ results: ['one'] }, { results: ['two'] }])
    const first = await chat.branch.prepare(list)
    const retry = await chat.branch.prepare(list)
    expect(retry.decision).toMatchObject({ requestId: first.decision.requestId, attempt: 2 })
    await chat.branch.evict({ start: 3 })
    const other = await chat.branch.prepare(list)
    expect(other.decision.attempt).toBe(1)
    expect(other.decision.requestId).not.toBe(first.decision.requestId)
  })
})
