import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from './engine/json.ts'
import { DogearError, InputCeilingError } from './errors.ts'
import { memoryStore } from './stores/memory.ts'
import { makeConversation, requestAt } from './testing/conversation.ts'
import { openTestBranch, type TestBranch } from './testing/open-branch.ts'
import { detectFormat } from './wire/detect.ts'

const formats = ['openai-chat', 'anthropic'] as const

function messagesOf(request: unknown): readonly JsonObject[] {
  const messages = isObject(request) ? request.messages : undefined
  return Array.isArray(messages) ? messages : []
}

/** Plays a conversation as an app does: each request prepared, answered and settled. */
async function play(
  { branch }: TestBranch,
  conversation: ReturnType<typeof makeConversation>,
  onPrepared: (prepared: Awaited<ReturnType<typeof branch.prepare>>, incoming: JsonObject) => void = () =>
    undefined,
): Promise<void> {
  for (const length of conversation.requests) {
    const incoming = requestAt(conversation, length)
    const prepared = await branch.prepare(structuredClone(incoming))
    onPrepared(prepared, incoming)
    await prepared.settle({ usage: null })
  }
}

async function fullSize(conversation: ReturnType<typeof makeConversation>): Promise<number> {
  const { branch } = await openTestBranch()
  return (await branch.prepare(conversation.request)).decision.counted
}

describe.each(formats)('a %s conversation', (format) => {
  const conversation = makeConversation({ seed: 21, format, rounds: 30 })

  it('[R3, R4, R15, R252] leaves as it came without a ceiling, to the byte', async () => {
    await play(await openTestBranch(), conversation, (prepared, incoming) => {
      expect(prepared.request).toEqual(incoming)
      expect(JSON.stringify(prepared.request)).toBe(JSON.stringify(incoming))
      expect(prepared.decision).toMatchObject({ action: 'pass', ceiling: null, ceilingSource: 'none' })
    })
  })

  it('[R91, R92, R93] is folded at the line towards the target, and never leaves over the ceiling', async () => {
    const ceiling = Math.floor((await fullSize(conversation)) / 4)
    const test = await openTestBranch({ policy: { maxInputTokens: ceiling } })
    let folds = 0
    await play(test, conversation, ({ decision, request }) => {
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
    const ceiling = Math.floor((await fullSize(conversation)) / 4)
    const test = await openTestBranch({ policy: { maxInputTokens: ceiling } })
    await play(test, conversation)
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
    const ceiling = Math.floor((await fullSize(conversation)) / 4)
    const test = await openTestBranch({ policy: { maxInputTokens: ceiling } })
    await play(test, conversation)
    await test.branch.setPolicy({ maxInputTokens: 'none' })
    const status = await test.branch.status()
    expect(await test.branch.restore({ start: 0, end: status.entries })).toMatchObject({ success: true })
    const prepared = await test.branch.prepare(conversation.request)
    expect(JSON.stringify(prepared.request)).toBe(JSON.stringify(conversation.request))
  })

  it('[R71] goes on after a reload with the folds it had', async () => {
    const ceiling = Math.floor((await fullSize(conversation)) / 4)
    const store = memoryStore()
    const first = await openTestBranch({ policy: { maxInputTokens: ceiling }, store })
    await play(first, conversation)
    const before = await first.branch.getMessages({ scope: 'active' })
    const last = await first.branch.prepare(conversation.request)
    const second = await openTestBranch({ policy: { maxInputTokens: ceiling }, store })
    expect(await second.branch.getMessages({ scope: 'active' })).toEqual(before)
    expect((await second.branch.journal()).folds).toEqual((await first.branch.journal()).folds)
    const again = await second.branch.prepare(conversation.request)
    expect(JSON.stringify(again.request)).toBe(JSON.stringify(last.request))
  })

  it('[R97] changes nothing when the same list comes again after a fold that reached its target', async () => {
    const ceiling = Math.floor((await fullSize(conversation)) / 3)
    const test = await openTestBranch({ policy: { maxInputTokens: ceiling } })
    await play(test, conversation)
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
      policy: { maxInputTokens: Math.floor((await fullSize(conversation)) / 4) },
    })
    await play(test, conversation)
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
    const ceiling = Math.floor((await fullSize(whole)) / 2)
    const { branch } = await openTestBranch({ policy: { maxInputTokens: ceiling } })
    await expect(branch.prepare(whole.request, { run: 'bounded' })).rejects.toMatchObject({
      reason: 'bounded_run',
    })
    expect((await branch.journal()).folds).toEqual([])
  })

  it('[R57] meets a run that must recover through a tool that it does not carry', async () => {
    const whole = makeConversation({ seed: 21, format: 'openai-chat', rounds: 30 })
    const ceiling = Math.floor((await fullSize(whole)) / 2)
    const { branch } = await openTestBranch({ policy: { maxInputTokens: ceiling, recovery: 'model' } })
    await expect(branch.prepare(whole.request)).rejects.toMatchObject({ reason: 'no_context_tool' })
    const withTool = makeConversation({ seed: 21, format: 'openai-chat', rounds: 30, contextTool: true })
    const other = await openTestBranch({ policy: { maxInputTokens: ceiling, recovery: 'model' } })
    await play(other, { ...withTool, requests: withTool.requests.slice(0, -1) })
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

describe('the list of a chat app', () => {
  const conversation = makeConversation({ seed: 31, format: 'openai-chat', rounds: 6 })

  it('[R69] is recognised each time, and only what is new is recorded', async () => {
    const test = await openTestBranch()
    await play(test, conversation)
    const entries = (await test.branch.status()).entries
    await test.branch.prepare(structuredClone(conversation.request))
    expect((await test.branch.status()).entries).toBe(entries)
  })

  it('makes a line of its own where a message was edited, with the indexes of the common part', async () => {
    const test = await openTestBranch()
    await play(test, conversation)
    const before = await test.branch.getMessages({ scope: 'all' })
    const messages = messagesOf(conversation.request)
    const edited = [...messages.slice(0, 4), { role: 'user', content: 'Another question altogether' }]
    const { decision } = await test.branch.prepare({ ...conversation.request, messages: edited })
    expect(decision.parentLineId).toBeDefined()
    expect(test.events.some((event) => event.type === 'line-forked')).toBe(true)
    const after = await test.branch.getMessages({ scope: 'all' })
    expect(after.messages.slice(0, 4).map((m) => m.preview)).toEqual(
      before.messages.slice(0, 4).map((m) => m.preview),
    )
    expect(await test.branch.lines()).toHaveLength(2)
    const back = await test.branch.prepare(conversation.request)
    expect(back.decision.lineId).toBe(decision.parentLineId)
  })

  it('moves the line back for a shorter list, and forward again', async () => {
    const test = await openTestBranch()
    await play(test, conversation)
    const shorter = { ...conversation.request, messages: messagesOf(conversation.request).slice(0, 5) }
    expect((await test.branch.prepare(shorter)).request).toEqual(shorter)
    expect((await test.branch.prepare(conversation.request)).request).toEqual(conversation.request)
    expect(await test.branch.lines()).toHaveLength(1)
  })

  it('follows an app that cut its own front, without a new line', async () => {
    const test = await openTestBranch()
    await play(test, conversation)
    const [system, ...messages] = messagesOf(conversation.request)
    const start = messages.findLastIndex((message) => message.role === 'user')
    const cut = { ...conversation.request, messages: [system, ...messages.slice(Math.max(start, 1))] }
    expect((await test.branch.prepare(cut)).request).toEqual(cut)
    expect(await test.branch.lines()).toHaveLength(1)
  })

  it('is passed through and not recorded where it belongs to another conversation', async () => {
    const test = await openTestBranch({ policy: { maxInputTokens: 100_000 } })
    await play(test, conversation)
    const entries = (await test.branch.status()).entries
    const title = { model: 'test-model', messages: [{ role: 'user', content: 'Give this chat a title' }] }
    const prepared = await test.branch.prepare(title)
    expect(prepared.request).toEqual(title)
    expect(prepared.warnings).toMatchObject([{ code: 'list_not_of_this_branch' }])
    expect((await test.branch.status()).entries).toBe(entries)
  })

  it('[R70] gets a new system entry at its head when the system changes', async () => {
    const test = await openTestBranch()
    await test.branch.prepare(conversation.request)
    const [, ...messages] = messagesOf(conversation.request)
    const changed = {
      ...conversation.request,
      messages: [{ role: 'system', content: 'Be brief.' }, ...messages],
    }
    const { request } = await test.branch.prepare(changed)
    expect(request).toEqual(changed)
    const { messages: view } = await test.branch.getMessages()
    expect(view.filter((message) => message.kind === 'system')).toHaveLength(1)
    expect(view[0]).toMatchObject({ kind: 'system' })
  })

  it('[R25] is measured again on a retry, sent with the same bytes, and not folded again', async () => {
    const whole = makeConversation({ seed: 21, format: 'openai-chat', rounds: 30 })
    const ceiling = Math.floor((await fullSize(whole)) / 4)
    const test = await openTestBranch({ policy: { maxInputTokens: ceiling } })
    await play(test, { ...whole, requests: whole.requests.slice(0, -1) })
    const first = await test.branch.prepare(whole.request)
    await first.settle({ error: new Error('overloaded'), status: 529 })
    const second = await test.branch.prepare(whole.request)
    expect(second.decision).toMatchObject({ requestId: first.decision.requestId, attempt: 2 })
    expect(JSON.stringify(second.request)).toBe(JSON.stringify(first.request))
    expect(second.decision.counted).toBe(first.decision.counted)
  })
})

describe('settling', () => {
  const conversation = makeConversation({ seed: 41, format: 'openai-chat', rounds: 30 })

  it('[R29, R30, R34] raises the scale to what was reported, and measures the next request by it', async () => {
    const { branch, events } = await openTestBranch()
    const first = await branch.prepare(conversation.request)
    const reported = Math.ceil(first.decision.counted * 1.25)
    expect(await first.settle({ usage: { prompt_tokens: reported } })).toMatchObject({ scale: 1.25 })
    expect(events.some((event) => event.type === 'calibration-updated')).toBe(true)
    const more = [...messagesOf(conversation.request), { role: 'user', content: 'Go on.' }]
    const next = await branch.prepare({ ...conversation.request, messages: more })
    expect(next.decision.method).toBe('anchored')
    expect(next.decision.before).toBeCloseTo(
      reported + (next.decision.counted - first.decision.counted) * (reported / first.decision.counted),
      6,
    )
  })

  it('[R84] teaches nothing when the request failed or was aborted', async () => {
    const { branch } = await openTestBranch()
    const first = await branch.prepare(conversation.request)
    expect(await first.settle({ error: new Error('no'), status: 500 })).toEqual({ scale: 1 })
    const second = await branch.prepare(conversation.request)
    expect(await second.settle({ aborted: true })).toEqual({ scale: 1 })
    const { settlements } = await branch.journal()
    expect(settlements.map(({ outcome }) => outcome)).toEqual(['failed', 'aborted'])
  })

  it('answers a second time with the first settlement', async () => {
    const { branch } = await openTestBranch()
    const prepared = await branch.prepare(conversation.request)
    const reported = prepared.decision.counted * 2
    const first = await prepared.settle({ usage: { prompt_tokens: reported } })
    expect(await prepared.settle({ error: 'late' })).toEqual(first)
    expect((await branch.journal()).settlements).toHaveLength(1)
  })

  it('[R35] keeps the scale with the branch', async () => {
    const store = memoryStore()
    const first = await openTestBranch({ store })
    const prepared = await first.branch.prepare(conversation.request)
    await prepared.settle({ usage: { prompt_tokens: prepared.decision.counted * 2 } })
    const second = await openTestBranch({ store })
    const { decision } = await second.branch.prepare(conversation.request)
    expect(decision.scale).toBe(2)
  })
})

describe('bad input', () => {
  const cases: readonly [string, unknown][] = [
    ['a string', 'hello'],
    ['null', null],
    ['an empty list', { model: 'm', messages: [] }],
    ['messages that are no list', { model: 'm', messages: {} }],
    ['a message without a role', { model: 'm', messages: [{ content: 'x' }] }],
    ['an unknown shape', { prompt: 7 }],
  ]
  for (const [name, request] of cases)
    it(`is a typed error with nothing lost: ${name}`, async () => {
      const test = await openTestBranch()
      const error = await test.branch.prepare(request).catch((reason: unknown) => reason)
      expect(DogearError.isInstance(error)).toBe(true)
      expect((error as DogearError).code).toMatch(/^(invalid_request|unknown_format)$/)
      expect((await test.branch.status()).entries).toBe(0)
      const { request: sound } = makeConversation({ seed: 1, format: 'openai-chat', rounds: 2 })
      expect((await test.branch.prepare(sound)).request).toEqual(sound)
    })

  it('names the message that JSON cannot hold: a cycle, a BigInt, a toJSON that throws', async () => {
    const cycle: Record<string, unknown> = { role: 'user', content: 'x' }
    cycle.self = cycle
    const throwing = {
      role: 'user',
      content: 'x',
      toJSON: () => {
        throw new Error('secret text')
      },
    }
    for (const message of [cycle, { role: 'user', content: 'x', big: 1n }, throwing]) {
      const { branch } = await openTestBranch()
      const error = await branch
        .prepare({ model: 'm', messages: [{ role: 'user', content: 'a' }, message] })
        .catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'invalid_request' })
      expect((error as DogearError).message).toContain('messages[1]')
      expect((error as DogearError).message).not.toContain('secret')
    }
  })

  it('changes nothing when the signal was aborted', async () => {
    const test = await openTestBranch()
    const controller = new AbortController()
    controller.abort()
    const { request } = makeConversation({ seed: 1, format: 'openai-chat', rounds: 2 })
    await expect(test.branch.prepare(request, { signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    })
    expect((await test.branch.status()).entries).toBe(0)
  })
})
