import { describe, expect, it } from 'vitest'
import type { ContextPolicy } from './engine/policy.ts'
import type { CountTokens } from './ports.ts'
import { openTestBranch, type TestBranch } from './testing/open-branch.ts'
import { messagesOf } from './testing/play-conversation.ts'
import { scriptTokenCounter } from './testing/script-token-counter.ts'
import { resultsIn } from './testing/sent-request.ts'
import { numberedText, type ToolChatRound, toolChat } from './testing/tool-chat.ts'

/** Rounds of one call each, every result of its own. */
function rounds(count: number, characters = 400): readonly ToolChatRound[] {
  return Array.from({ length: count }, (_, round) => ({
    says: `Reading part ${round}.`,
    results: [numberedText(characters, `part ${round},`)],
  }))
}

interface Chat extends TestBranch {
  /** Hands a request over as an app does, answered and settled; what was sent. */
  send(played: readonly ToolChatRound[]): Promise<unknown>
  readonly viewed: () => Promise<readonly number[]>
}

async function open(
  policy: ContextPolicy = { maxInputTokens: 'none' },
  options: Partial<Parameters<typeof openTestBranch>[0]> = {},
): Promise<Chat> {
  const test = await openTestBranch({ policy, ...options })
  return {
    ...test,
    async send(played) {
      const tools = [test.branch.contextTool.definition('openai-chat')]
      const prepared = await test.branch.prepare(toolChat(played, { tools }))
      await prepared.settle({ usage: null })
      return prepared.request
    },
    viewed: async () => (await test.branch.getMessages()).messages.map(({ index }) => index),
  }
}

/** How many results a request holds. */
function resultCount(request: unknown): number {
  return resultsIn(messagesOf(request)).length
}

describe('evict', () => {
  it('[R67, R100] takes a call and its result out of the next request, and restore brings them back', async () => {
    const { branch, send, events } = await open()
    const whole = await send(rounds(3))
    const reply = await branch.evict({ start: 3 })
    expect(reply).toEqual({ success: true, indexes: [2, 3], tokensFreed: expect.any(Number) })
    expect(events.at(-1)).toMatchObject({ type: 'entries-evicted', indexes: [2, 3] })
    const sent = await send(rounds(3))
    expect(resultCount(sent)).toBe(2)
    expect(JSON.stringify(sent)).not.toContain('part 0,')
    expect((await branch.getMessages({ scope: 'all' })).messages[3]).toMatchObject({
      state: 'out',
      chars: 400,
    })
    expect(await branch.restore({ start: 2 })).toMatchObject({ success: true, restored: [2, 3] })
    expect(await send(rounds(3))).toEqual(whole)
  })

  it('[R230] says how much was freed, in the tokens of what left', async () => {
    const { branch, send } = await open()
    await send(rounds(3))
    const before = await branch.status()
    const reply = await branch.evict({ start: 3 })
    const freed = reply.success ? Number(reply.tokensFreed) : 0
    const left = Number(before.contentTokens) - Number((await branch.status()).contentTokens)
    // What framed the calls belongs to the answer that made them, and goes too.
    expect(left - freed).toBeGreaterThanOrEqual(0)
    expect(left - freed).toBeLessThan(10)
  })

  it('[R230] leaves open how much that was while nothing can be counted', async () => {
    const counter: CountTokens = {
      ...(await scriptTokenCounter()),
      ready: false,
      load: () => new Promise(() => undefined),
    }
    const { branch, send } = await open(
      { maxInputTokens: 1500, contextFoldTailMargin: 9 },
      { counter, loadTimeoutMs: 5 },
    )
    await send(rounds(3))
    expect(await branch.status()).toMatchObject({ contentTokens: null, lastEstimate: expect.any(Number) })
    expect(await branch.evict({ start: 3 })).toMatchObject({ success: true, tokensFreed: null })
    expect(await branch.compact({ start: 4, end: 7, summary: 'A list.' })).toMatchObject({
      success: true,
      tokensFreed: null,
    })
  })

  it('leaves results that nobody has read where a person spoke beside them', async () => {
    const { branch } = await openTestBranch()
    const { id, name, input } = { id: 'call_1', name: 'search', input: {} }
    const messages = [
      { role: 'user', content: 'Find the letter.' },
      { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: id, content: numberedText(400, 'letter') },
          { type: 'text', text: 'And be quick.' },
        ],
      },
    ]
    const request = { model: 'test-model', max_tokens: 1024, messages }
    await branch.prepare(request, { format: 'anthropic' })
    for (const reply of [
      await branch.evict({ start: 1, end: 4 }),
      await branch.evictActionResults({ keep: 0 }),
      await branch.compact({ start: 1, end: 4, summary: 'The letter was found.' }),
    ])
      expect(reply.success).toBe(false)
    expect((await branch.prepare(request, { format: 'anthropic' })).request).toEqual(request)
  })

  it('leaves the newest results to whoever has not read them, and takes them for the model, which has', async () => {
    const { branch, send, viewed } = await open()
    await send(rounds(2))
    expect(await branch.evict({ start: 6 })).toMatchObject({ success: false })
    expect(await branch.evictActionResults({ keep: 0 })).toMatchObject({ indexes: [2, 3] })
    expect(await branch.contextTool.run({ action: 'evict', start: 6 })).toEqual({
      success: true,
      removed: [5, 6],
      tokens_freed_est: expect.any(Number),
    })
    expect(await viewed()).toEqual([0, 1, 4])
  })

  it('brings the end of a list back where the list was not gone on with', async () => {
    const { branch, send, viewed } = await open()
    await send(rounds(2))
    await branch.contextTool.run({ action: 'evict_action_results', keep: 0 })
    expect(await viewed()).toEqual([0, 1, 4])
    expect(resultCount(await send(rounds(2)))).toBe(1)
    await branch.evict({ start: 0, end: 5 })
    expect(resultCount(await send(rounds(1)))).toBe(1)
  })

  it('[R69, R73] shapes the next request, and takes what that adds for what it is', async () => {
    const { branch, send } = await open()
    await send(rounds(2))
    await branch.evictActionResults({ keep: 1 })
    expect(resultCount(await send(rounds(4)))).toBe(3)
  })

  it('answers with a reason where arguments are missing or wrong', async () => {
    const { branch, send } = await open()
    await send(rounds(2))
    const wrong = [undefined, null, 5, 'all', {}, { start: -1 }, { start: 1, end: 1 }, { start: '1' }]
    const refusal = { success: false, reason: expect.any(String) }
    for (const given of wrong as never[]) {
      expect(await branch.evict(given)).toEqual(refusal)
      expect(await branch.restore(given)).toEqual(refusal)
      expect(await branch.restoreFold(given)).toEqual(refusal)
    }
    for (const given of [5, 'all', { keep: -1 }, { keep: '2' }] as never[])
      expect(await branch.evictActionResults(given)).toEqual(refusal)
    for (const given of [5, 'all', { start: -1 }, { start: 2, end: 2 }, { summary: '' }, { summary: 5 }])
      expect(await branch.compact(given as never)).toEqual(refusal)
    expect(await branch.restoreFold('none')).toMatchObject({ reason: expect.stringContaining('no fold') })
  })
})

describe('compact', () => {
  it('[R72, R88] puts one note in the place of the first message, with the summary that was handed over', async () => {
    const { branch, send, viewed } = await open()
    await send(rounds(4))
    const reply = await branch.compact({ start: 1, end: 7, summary: ' Parts 0 and 1 hold lists. ' })
    expect(reply).toMatchObject({ success: true, indexes: [1, 2, 3, 4, 5, 6], noteIndex: 13 })
    expect(await viewed()).toEqual([0, 13, 7, 8, 9, 10, 11, 12])
    const sent = JSON.stringify(await send(rounds(4)))
    expect(sent).toContain('Parts 0 and 1 hold lists.')
    expect(sent).not.toContain('part 1,')
    expect(sent).toContain('#3 read(')
  })

  it('has a summary written where none is handed over, of the range alone', async () => {
    const histories: string[] = []
    const { branch, send } = await open(
      { maxInputTokens: 'none' },
      {
        summarize: async ({ history }) => {
          histories.push(history)
          return 'They were lists.'
        },
      },
    )
    await send(rounds(4))
    expect(await branch.compact({ start: 1, end: 4 })).toMatchObject({ success: true })
    expect(histories).toHaveLength(1)
    expect(histories[0]).toContain('Reading part 0.')
    expect(histories[0]).not.toContain('Reading part 1.')
    expect(JSON.stringify(await send(rounds(4)))).toContain('They were lists.')
  })

  it('[R157] lets the lists stand alone where the summary could not be written', async () => {
    const { branch, send } = await open(
      { maxInputTokens: 'none' },
      {
        summarize: async () => {
          throw new Error('no')
        },
      },
    )
    await send(rounds(4))
    expect(await branch.compact({ start: 1, end: 7 })).toMatchObject({ success: true, noteIndex: 13 })
    expect(JSON.stringify(await send(rounds(4)))).toContain('#6 read(')
  })

  it('[R98] keeps the first message, the task and the newest messages where no range is named', async () => {
    const { branch, send, viewed } = await open()
    await send(rounds(4))
    expect(await branch.compact({ summary: 'Lists.' })).toMatchObject({ success: true })
    expect(await viewed()).toEqual([0, 13, 10, 11, 12])
    const other = await open()
    await other.send(rounds(4))
    await other.branch.contextTool.run({ action: 'compact', summary: 'Lists.' })
    expect(await other.viewed()).toEqual([0, 13, 10, 11, 12])
  })

  it('leaves what stands before and after its range', async () => {
    const { branch, send, viewed } = await open()
    await send(rounds(4))
    expect(await branch.compact({ start: 4, end: 7, summary: 'A list.' })).toMatchObject({
      indexes: [4, 5, 6],
    })
    expect(await viewed()).toEqual([0, 1, 2, 3, 13, 7, 8, 9, 10, 11, 12])
  })

  it('takes earlier notes over, and gives everything back by either way', async () => {
    const { branch, send, viewed } = await open()
    const whole = await send(rounds(5))
    await branch.compact({ start: 1, end: 7, summary: 'First.' })
    const second = await branch.compact({ start: 1, end: 10, summary: 'Second.' })
    expect(await viewed()).toEqual([0, 17, 10, 11, 12, 13, 14, 15])
    expect(second).toMatchObject({ indexes: [7, 8, 9] })
    const { messages } = await branch.getMessages({ scope: 'all' })
    expect(messages[3]?.foldId).toBe(messages[8]?.foldId)
    expect(await branch.restoreFold(messages[3]?.foldId ?? '')).toMatchObject({ success: true })
    expect(await send(rounds(5))).toEqual(whole)
    await branch.compact({ start: 1, end: 10, summary: 'Third.' })
    expect(await branch.restore({ start: 18 })).toMatchObject({ success: true })
    expect(await send(rounds(5))).toEqual(whole)
  })

  it('[R106] writes no note that is no shorter than what it stands for', async () => {
    const { branch, send } = await open()
    await send(rounds(3, 10))
    const before = await branch.getMessages({ scope: 'all' })
    expect(await branch.compact({ start: 1, end: 4, summary: numberedText(900) })).toEqual({
      success: false,
      reason: 'the note would be no shorter than what it stands for',
    })
    expect(await branch.getMessages({ scope: 'all' })).toEqual(before)
  })

  it('needs a request, a range and somebody to write', async () => {
    const { branch, send, store } = await open()
    const reason = async (given: object): Promise<string> => {
      const reply = await branch.compact(given)
      return reply.success ? '' : reply.reason
    }
    expect(await reason({ summary: 'x' })).toContain('no request has been seen')
    await send(rounds(2))
    expect(await reason({ start: 1, end: 4 })).toContain('nobody to write a summary')
    expect(await reason({ start: 0, end: 1, summary: 'x' })).toContain('nothing in that range')
    const again = await openTestBranch({ store })
    expect(await again.branch.compact({ summary: 'x' })).toMatchObject({ success: false })
  })

  it('writes nothing where the app wants no summaries', async () => {
    let asked = 0
    const { branch, send } = await open(
      { maxInputTokens: 'none', compaction: { mode: 'off' } },
      {
        summarize: async () => {
          asked++
          return 'x'
        },
      },
    )
    await send(rounds(4))
    expect(await branch.compact({ start: 1, end: 7 })).toMatchObject({ success: false })
    expect(await branch.compact({ start: 1, end: 7, summary: 'Lists.' })).toMatchObject({ success: true })
    expect(asked).toBe(0)
  })
})

describe('a pin', () => {
  it('keeps a round from every fold and verb until it is taken away', async () => {
    const { branch, send, store } = await open({ maxInputTokens: 1500 })
    await branch.prepare(toolChat(rounds(1)))
    await branch.pin(3)
    const sent = await send(rounds(12))
    expect(JSON.stringify(sent)).toContain(JSON.stringify(numberedText(400, 'part 0,')).slice(1, -1))
    expect(resultCount(sent)).toBeLessThan(12)
    expect(await branch.evict({ start: 2, end: 4 })).toMatchObject({ success: false })
    const again = await openTestBranch({ store, policy: { maxInputTokens: 1500 } })
    expect(await again.branch.evict({ start: 2, end: 4 })).toMatchObject({ success: false })
    await again.branch.unpin(3)
    expect(await again.branch.evict({ start: 2, end: 4 })).toMatchObject({ success: true })
  })

  it('is refused for what there is not', async () => {
    const { branch, send } = await open()
    await send(rounds(1))
    for (const wrong of [undefined, null, -1, 1.5, '1', 99])
      for (const verb of [branch.pin, branch.unpin])
        await expect(verb.call(branch, wrong as never)).rejects.toMatchObject({ code: 'invalid_argument' })
  })
})

describe('reading', () => {
  it('rejects what it cannot take, and takes no options for all of them', async () => {
    const { branch, send } = await open()
    await send(rounds(1))
    for (const wrong of [undefined, null, 3, {}, { index: -1 }, { index: 99 }, { index: 1, limit: 0 }])
      await expect(branch.readResult(wrong as never)).rejects.toMatchObject({ code: 'invalid_argument' })
    for (const wrong of [5, 'all', { scope: 'some' }, { start: -1 }, { end: 0.5 }])
      await expect(branch.getMessages(wrong as never)).rejects.toMatchObject({ code: 'invalid_argument' })
    expect((await branch.getMessages()).total).toBe(4)
  })
})
