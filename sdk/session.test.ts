import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from './engine/json.ts'
import { InputCeilingError } from './errors.ts'
import { memoryStore } from './stores/memory.ts'
import { makeConversation, requestAt } from './testing/conversation.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { countedTokens, playConversation } from './testing/play-conversation.ts'
import { detectFormat } from './wire/detect.ts'

const formats = ['openai-chat', 'anthropic'] as const

describe.each(formats)('a %s conversation', (format) => {
  const conversation = makeConversation({ seed: 21, format, rounds: 30 })

  it('[R3, R4, R15, R252] leaves as it came without a ceiling, to the byte', async () => {
    await playConversation(await openTestBranch(), conversation, (prepared, incoming) => {
      expect(prepared.request).toEqual(incoming)
      expect(JSON.stringify(prepared.request)).toBe(JSON.stringify(incoming))
      expect(prepared.decision).toMatchObject({ action: 'pass', ceiling: null, ceilingSource: 'none' })
    })
  })

  it('[R91, R92, R93] is folded at the line towards the target, and never leaves over the ceiling', async () => {
    const ceiling = Math.floor((await countedTokens(conversation)) / 4)
    const test = await openTestBranch({ policy: { maxInputTokens: ceiling } })
    let folds = 0
    await playConversation(test, conversation, ({ decision, request }) => {
      expect(decision.after).toBeLessThanOrEqual(ceiling)
      expect(detectFormat(request)?.lint(request as JsonObject)).toEqual([])
      if (decision.action !== 'fold') return
      folds++
      expect(decision.before).toBeGreaterThanOrEqual(ceiling * 0.8)
      expect(decision.after).toBeLessThan(decision.before)
    })
    expect(folds).toBeGreaterThan(2)
  })

  it('[R67, R208, R209, R216] keeps every folded original readable in full by pages', async () => {
    const ceiling = Math.floor((await countedTokens(conversation)) / 4)
    const test = await openTestBranch({ policy: { maxInputTokens: ceiling } })
    await playConversation(test, conversation)
    const { messages } = await test.branch.getMessages({ scope: 'all' })
    const folded = messages.filter((message) => message.state === 'out' && message.kind === 'result')
    expect(folded.length).toBeGreaterThan(5)
    const outputs = new Set(JSON.stringify(conversation.request.messages))
    expect(outputs.size).toBeGreaterThan(0)
    for (const { index, chars } of folded) {
      let text = ''
      let offset: number | null = 0
      while (offset !== null) {
        const slice = await test.branch.readResult({ index, offset, limit: 500 })
        text += slice.text
        offset = slice.nextOffset
      }
      expect([...text]).toHaveLength(chars)
      expect(JSON.stringify(conversation.request.messages)).toContain(JSON.stringify(text).slice(1, -1))
    }
  })

  it('[R118, R220] gives the original request back when everything is restored and the ceiling is gone', async () => {
    const ceiling = Math.floor((await countedTokens(conversation)) / 4)
    const test = await openTestBranch({ policy: { maxInputTokens: ceiling } })
    await playConversation(test, conversation)
    await test.branch.setPolicy({ maxInputTokens: 'none' })
    const status = await test.branch.status()
    expect(await test.branch.restore({ start: 0, end: status.entries })).toMatchObject({ success: true })
    const prepared = await test.branch.prepare(conversation.request)
    expect(JSON.stringify(prepared.request)).toBe(JSON.stringify(conversation.request))
  })

  it('[R71] goes on after a reload with the folds it had', async () => {
    const ceiling = Math.floor((await countedTokens(conversation)) / 4)
    const store = memoryStore()
    const first = await openTestBranch({ policy: { maxInputTokens: ceiling }, store })
    await playConversation(first, conversation)
    const before = await first.branch.getMessages({ scope: 'active' })
    const last = await first.branch.prepare(conversation.request)
    const second = await openTestBranch({ policy: { maxInputTokens: ceiling }, store })
    expect(await second.branch.getMessages({ scope: 'active' })).toEqual(before)
    expect((await second.branch.journal()).folds).toEqual((await first.branch.journal()).folds)
    const again = await second.branch.prepare(conversation.request)
    expect(JSON.stringify(again.request)).toBe(JSON.stringify(last.request))
  })

  it('[R97] changes nothing when the same list comes again after a fold that reached its target', async () => {
    const ceiling = Math.floor((await countedTokens(conversation)) / 3)
    const test = await openTestBranch({ policy: { maxInputTokens: ceiling } })
    await playConversation(test, conversation)
    const first = await test.branch.prepare(conversation.request)
    await first.settle({ usage: null })
    const second = await test.branch.prepare(conversation.request)
    expect(second.request).toEqual(first.request)
    expect(second.decision.action).toBe('pass')
  })
})

describe('what a fold leaves alone', () => {
  it('[R87, R89] takes no result that the model has not read', async () => {
    const conversation = makeConversation({ seed: 5, format: 'openai-chat', rounds: 12 })
    const { branch } = await openTestBranch({ policy: { maxInputTokens: 1500 } })
    const request = requestAt(conversation, conversation.requests[1] ?? 0)
    const error = await branch.prepare(request).catch((reason: unknown) => reason)
    if (error instanceof InputCeilingError) expect(error.reason).toBe('nothing_to_fold')
    const { messages } = await branch.getMessages({ scope: 'all' })
    expect(
      messages.filter((message) => message.kind === 'result').every(({ state }) => state === 'verbatim'),
    ).toBe(true)
  })

  it('[R98, R99] keeps the system text, the first and the newest instruction, and every answer, to the byte', async () => {
    const conversation = makeConversation({ seed: 8, format: 'anthropic', rounds: 30 })
    const test = await openTestBranch({
      policy: { maxInputTokens: Math.floor((await countedTokens(conversation)) / 4) },
    })
    await playConversation(test, conversation)
    const { request } = await test.branch.prepare(conversation.request)
    const sent = JSON.stringify(request)
    for (const message of conversation.request.messages) {
      const blocks = Array.isArray(message.content) ? message.content : []
      for (const block of blocks)
        if (isObject(block) && block.type === 'text') expect(sent).toContain(JSON.stringify(block))
    }
    expect(request).toMatchObject({
      system: conversation.request.system,
      tools: conversation.request.tools,
    })
  })
})

describe('what counts as read', () => {
  it('[R81, R84] is what an answer follows, even after a refusal that the app answered in its own way', async () => {
    const conversation = makeConversation({ seed: 9, format: 'openai-chat', rounds: 6 })
    const test = await openTestBranch({ policy: { maxInputTokens: 40 } })
    const [first = 0, second = 0, third = 0] = conversation.requests
    for (const length of [first, second])
      await expect(test.branch.prepare(requestAt(conversation, length))).rejects.toBeInstanceOf(
        InputCeilingError,
      )
    const unread = (await test.branch.getMessages({ scope: 'all' })).messages.filter(
      ({ kind }) => kind === 'result',
    )
    expect(unread.length).toBeGreaterThan(0)
    expect(unread.every(({ delivered }) => !delivered)).toBe(true)
    await expect(test.branch.prepare(requestAt(conversation, third))).rejects.toBeInstanceOf(
      InputCeilingError,
    )
    const { messages } = await test.branch.getMessages({ scope: 'all' })
    for (const { index } of unread) expect(messages[index]).toMatchObject({ delivered: true })
  })
})

describe('a refusal', () => {
  const conversation = makeConversation({ seed: 3, format: 'openai-chat', rounds: 8 })

  it('[R51, R55, R56] names the size, the ceiling and the largest parts, and hands nothing over', async () => {
    const { branch, events } = await openTestBranch({ policy: { maxInputTokens: 60 } })
    const error = await branch.prepare(conversation.request).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(InputCeilingError)
    const refusal = error as InputCeilingError
    expect(refusal).toMatchObject({ code: 'input_ceiling_exceeded', ceiling: 60, scale: 1 })
    expect(refusal.estimate).toBeGreaterThan(60)
    expect(refusal.largestParts[0]?.tokens).toBe(Math.max(...refusal.largestParts.map((part) => part.tokens)))
    const { decisions } = await branch.journal()
    expect(decisions.at(-1)).toMatchObject({ action: 'refuse', sent: false, after: refusal.estimate })
    expect(events.at(-1)).toMatchObject({ type: 'request-decided' })
  })

  it('[R66] comes one token over the ceiling, and neither at it nor one under it', async () => {
    const { counted } = (await (await openTestBranch()).branch.prepare(conversation.request)).decision
    const attempt = async (ceiling: number): Promise<unknown> => {
      const { branch } = await openTestBranch({ policy: { maxInputTokens: ceiling, run: 'bounded' } })
      return branch.prepare(conversation.request).then(
        ({ decision }) => decision.action,
        (reason: unknown) => (reason instanceof InputCeilingError ? reason.reason : reason),
      )
    }
    expect(await attempt(counted + 1)).toBe('pass')
    expect(await attempt(counted)).toBe('pass')
    expect(await attempt(counted - 1)).toBe('bounded_run')
  })

  it('[R54, R58] meets a bounded run, which is never folded', async () => {
    const whole = makeConversation({ seed: 21, format: 'openai-chat', rounds: 30 })
    const ceiling = Math.floor((await countedTokens(whole)) / 2)
    const { branch } = await openTestBranch({ policy: { maxInputTokens: ceiling } })
    await expect(branch.prepare(whole.request, { run: 'bounded' })).rejects.toMatchObject({
      reason: 'bounded_run',
    })
    expect((await branch.journal()).folds).toEqual([])
  })

  it('[R57] meets a run that must recover through a tool that it does not carry', async () => {
    const whole = makeConversation({ seed: 21, format: 'openai-chat', rounds: 30 })
    const ceiling = Math.floor((await countedTokens(whole)) / 2)
    const { branch } = await openTestBranch({ policy: { maxInputTokens: ceiling, recovery: 'model' } })
    await expect(branch.prepare(whole.request)).rejects.toMatchObject({ reason: 'no_context_tool' })
    const withTool = makeConversation({ seed: 21, format: 'openai-chat', rounds: 30, contextTool: true })
    const other = await openTestBranch({ policy: { maxInputTokens: ceiling, recovery: 'model' } })
    await playConversation(other, { ...withTool, requests: withTool.requests.slice(0, -1) })
    expect((await other.branch.journal()).folds.length).toBeGreaterThan(0)
  })

  it('[R5, R6] meets a request that would raise the ceiling', async () => {
    const { branch } = await openTestBranch({ policy: { maxInputTokens: 5000 } })
    await expect(branch.prepare(conversation.request, { maxInputTokens: 5001 })).rejects.toMatchObject({
      code: 'invalid_request',
    })
    await expect(branch.prepare(conversation.request, { maxInputTokens: 50 })).rejects.toMatchObject({
      ceiling: 50,
    })
  })
})
