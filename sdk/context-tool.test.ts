import { describe, expect, it } from 'vitest'
import type { ContextToolReply } from './branch.ts'
import { contextActions } from './context-tool-definition.ts'
import { isObject, type JsonObject } from './engine/json.ts'
import type { ContextPolicy } from './engine/policy.ts'
import { codePoints } from './engine/text.ts'
import { StoreError } from './errors.ts'
import type { BranchStore } from './ports.ts'
import { memoryStore } from './stores/memory.ts'
import { openTestBranch, type TestBranch } from './testing/open-branch.ts'
import { messagesOf } from './testing/play-conversation.ts'
import { resultsIn } from './testing/sent-request.ts'
import { numberedText, type ToolChatRound, toolChat } from './testing/tool-chat.ts'

const long = numberedText(100_045)

interface Chat extends TestBranch {
  /** The request with the context tool over these rounds, handed over and answered. */
  send(rounds: readonly ToolChatRound[], after?: readonly JsonObject[]): Promise<JsonObject>
  run(given: unknown): Promise<ContextToolReply>
}

async function open(policy: ContextPolicy = { maxInputTokens: 'none' }): Promise<Chat> {
  const test = await openTestBranch({ policy })
  const tools = [test.branch.contextTool.definition('openai-chat')]
  return {
    ...test,
    run: (given) => test.branch.contextTool.run(given),
    async send(rounds, after = []) {
      const prepared = await test.branch.prepare(toolChat(rounds, { tools, after }))
      await prepared.settle({ usage: null })
      return prepared.request
    },
  }
}

/** Rounds of one call each. */
function rounds(...results: readonly string[]): readonly ToolChatRound[] {
  return results.map((result) => ({ results: [result] }))
}

/** A call of the tool and its reply, as an app puts them into its list. */
function asRound(given: JsonObject, reply: ContextToolReply): ToolChatRound {
  return { name: 'context', arguments: given, results: [reply] }
}

describe('the definition of the context tool', () => {
  const formats = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ai-sdk'] as const

  it.each(formats)('[R218, R398] is there at once, in the shape of %s, with every action', async (format) => {
    const { branch } = await openTestBranch()
    const text = JSON.stringify(branch.contextTool.definition(format))
    for (const action of contextActions) expect(text).toContain(`"${action}"`)
    expect(text).toContain('"name":"context"')
  })

  it('is refused for a format that nobody knows', async () => {
    const { branch } = await openTestBranch()
    expect(() => branch.contextTool.definition('html' as never)).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }),
    )
  })

  it.each(['openai-chat', 'anthropic'] as const)('is recognised in a request of %s', async (format) => {
    const { branch } = await openTestBranch({
      policy: { maxInputTokens: 'none', toolResultMaxChars: 1024 },
    })
    const call =
      format === 'anthropic'
        ? [
            { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: {} }] },
            { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: long }] },
          ]
        : messagesOf(toolChat(rounds(long))).slice(1)
    const { request } = await branch.prepare({
      model: 'm',
      messages: [{ role: 'user', content: 'Read.' }, ...call],
      tools: [branch.contextTool.definition(format)],
    })
    expect(JSON.stringify(request)).toContain('context(action=')
  })
})

describe('a call of the context tool', () => {
  it('takes an object or its JSON text', async () => {
    const { send, run } = await open()
    await send(rounds('one', 'two'))
    const call = { action: 'read_result', index: 3 }
    expect(await run(call)).toEqual({ success: true, text: 'one', total: 3, next_offset: null })
    expect(await run(JSON.stringify(call))).toEqual(await run(call))
  })

  it.each([
    [undefined, 'an object'],
    [null, 'an object'],
    ['', 'JSON text of an object'],
    ['{"action":', 'JSON text of an object'],
    ['[]', 'an object'],
    [{}, 'action must be one of'],
    [{ action: 'readResult' }, 'action must be one of'],
    [{ action: 'constructor' }, 'action must be one of'],
    [{ action: 'read_result' }, 'index must be an integer of at least 0, but is undefined'],
    [{ action: 'read_result', index: '3' }, 'index must be an integer'],
    [{ action: 'read_result', index: 99 }, 'index must be below'],
    [{ action: 'read_result', index: 3, offset: -1 }, 'offset must be an integer of at least 0'],
    [{ action: 'read_result', index: 3, limit: 0 }, 'limit must be an integer of at least 1'],
    [{ action: 'get_messages', scope: 'some' }, 'scope must be "active" or "all"'],
    [{ action: 'get_messages', start: 1.5 }, 'start must be an integer'],
    [{ action: 'restore' }, 'start must be an integer'],
    [{ action: 'restore', start: 4, end: 4 }, 'end must be over start, which is 4'],
    [{ action: 'restore', start: 3 }, 'in the request already'],
    [{ action: 'restore', start: 99 }, 'no message in that range'],
    [{ action: 'evict', end: 3 }, 'start must be an integer'],
    [{ action: 'evict', start: 0 }, 'all of that stays'],
    [{ action: 'evict', start: 99 }, 'nothing of that is in the request'],
    [{ action: 'evict_action_results', keep: 'all' }, 'keep must be an integer of at least 0'],
    [{ action: 'evict_action_results', keep: 5 }, 'the newest 5 stay'],
    [{ action: 'compact', summary: ' ' }, 'summary must be a text that is not empty'],
    [{ action: 'compact', start: 5, end: 2 }, 'end must be over start, which is 5'],
    [{ action: 'compact' }, 'nobody to write a summary'],
  ])('answers %j with a reason, and throws nothing', async (given, reason) => {
    const { send, run, branch } = await open()
    await send(rounds('one', 'two'))
    const before = await branch.getMessages()
    expect(await run(given)).toEqual({ success: false, reason: expect.stringContaining(reason) })
    expect(await branch.getMessages()).toEqual(before)
  })

  it('tells the model of a message that the store lost, and of a branch that is gone', async () => {
    const store = memoryStore()
    await (await openTestBranch({ store })).branch.prepare(toolChat(rounds('one')))
    const bodies: BranchStore['bodies'] = async ([hash = '']) => {
      throw new StoreError({ code: 'body_missing', message: `body ${hash.length} is not there` })
    }
    const { branch } = await openTestBranch({ store: { ...store, bodies } })
    expect(await branch.contextTool.run({ action: 'read_result', index: 3 })).toEqual({
      success: false,
      reason: expect.stringContaining('is not in the store'),
    })
    await expect(branch.readResult({ index: 3 })).rejects.toMatchObject({ code: 'body_missing' })
  })
})

describe('read_result', () => {
  it('[R208, R209, R210] answers characters by the index of the original, with the total and the next offset', async () => {
    const { send, run } = await open()
    await send(rounds(long))
    expect(await run({ action: 'read_result', index: 3, offset: 10, limit: 20 })).toEqual({
      success: true,
      text: long.slice(10, 30),
      total: 100_045,
      next_offset: 30,
    })
    const most = await run({ action: 'read_result', index: 3, limit: 50_000 })
    expect(most).toMatchObject({ next_offset: 16_000, text: long.slice(0, 16_000) })
    expect(most).not.toHaveProperty('limit')
    const unsaid = await run({ action: 'read_result', index: 3 })
    expect(unsaid).toMatchObject({ next_offset: 4000 })
    expect(await run({ action: 'read_result', index: 3, offset: 200_000 })).toEqual({
      success: true,
      text: '',
      total: 100_045,
      next_offset: null,
    })
  })

  it('[R213] answers no more than the bound, and says so', async () => {
    const { send, run } = await open({ maxInputTokens: 'none', toolResultMaxChars: 4000 })
    await send(rounds(long))
    expect(await run({ action: 'read_result', index: 3, limit: 16_000 })).toEqual({
      success: true,
      text: long.slice(0, 4000),
      total: 100_045,
      next_offset: 4000,
      limit: 4000,
    })
    expect(await run({ action: 'read_result', index: 3, offset: 100_000, limit: 50 })).toMatchObject({
      limit: 50,
      next_offset: null,
    })
  })

  it.each([
    [4000, [2883, 99_083], 25, 200],
    [20_000, [14_881, 95_084], 6, 203],
  ] as const)(
    '[R205, R214, R215, R217, R219] pages over what a bound of %i leaves out, each page whole in the next request',
    async (toolResultMaxChars, [start, end], pages, last) => {
      const { send, run } = await open({ maxInputTokens: 'none', toolResultMaxChars })
      const played: ToolChatRound[] = [{ results: [long] }]
      const preview = resultsIn(messagesOf(await send(played)))[0]?.content
      expect(preview).toContain(`omitted: ${start}-${end}. context(action="read_result", index=3,`)
      const texts: string[] = []
      for (let offset: unknown = start; offset !== end; ) {
        const limit = Math.min(16_000, end - Number(offset))
        const call = { action: 'read_result', index: 3, offset: Number(offset), limit }
        const reply = await run(call)
        texts.push(String(reply.text))
        offset = reply.next_offset
        played.push(asRound(call, reply))
        const sent = resultsIn(messagesOf(await send(played)))
        expect(sent[0]?.content).toBe(preview)
        expect(JSON.parse(String(sent.at(-1)?.content))).toEqual(reply)
      }
      expect(texts).toHaveLength(pages)
      expect(texts.at(-1)).toHaveLength(last)
      expect(texts.join('')).toBe(long.slice(start, end))
    },
    30_000,
  )

  it('[R211] changes no view and runs no tool', async () => {
    const { send, run, branch, events } = await open()
    await send(rounds(long))
    const before = await branch.getMessages()
    await run({ action: 'read_result', index: 3 })
    expect(await branch.getMessages()).toEqual(before)
    expect(events.at(-1)).toMatchObject({ type: 'result-read', index: 3, offset: 0, chars: 4000 })
  })

  it('[R216] reads what was stored, whatever the app makes of its list since', async () => {
    const { send, run } = await open()
    await send(rounds('as it was'))
    await send(rounds('edited'))
    await send(rounds('as it was'))
    expect(await run({ action: 'read_result', index: 3 })).toMatchObject({ text: 'as it was' })
  })

  it('[R209] reads the original of a copy, by the index of either', async () => {
    const { send, run, branch } = await open({ maxInputTokens: 6000 })
    await send(rounds(numberedText(30_000)))
    const { messages } = await branch.getMessages({ scope: 'all' })
    const copy = messages.find(({ kind }) => kind === 'copy')
    expect(copy).toBeDefined()
    for (const index of [3, copy?.index])
      expect(await run({ action: 'read_result', index })).toMatchObject({
        total: numberedText(30_000).length,
        text: numberedText(30_000).slice(0, 4000),
      })
  })

  it('[R382] costs its length in the next request, like any other result', async () => {
    const { send, run, branch } = await open()
    const played = rounds(long)
    await send(played)
    const call = { action: 'read_result', index: 3, limit: 8000 }
    await send([...played, asRound(call, await run(call))])
    const { decisions } = await branch.journal()
    const [before, after] = decisions.map(({ counted }) => counted)
    expect(Number(after) - Number(before)).toBeGreaterThan(8000 / 6)
    expect(decisions.at(-1)?.parts.find(({ part }) => part === 'result')?.entries).toBe(2)
  })
})

describe('compact', () => {
  it('[R161] has a summary written of the range alone, in a request of its own, or takes the one that the model wrote', async () => {
    const histories: string[] = []
    const { branch } = await openTestBranch({
      summarize: async ({ history }) => {
        histories.push(history)
        return 'They were notes.'
      },
    })
    const chat = toolChat(rounds(numberedText(2000, 'one'), numberedText(2000, 'two'), 'three'))
    await branch.prepare(chat)
    expect(await branch.contextTool.run({ action: 'compact', start: 1, end: 4 })).toEqual({
      success: true,
      removed: [1, 2, 3],
      tokens_freed_est: expect.any(Number),
      note_index: 10,
    })
    expect(histories).toHaveLength(1)
    expect(histories[0]).toContain('0.0')
    expect(histories[0]).not.toContain('1.0')
    const own = { action: 'compact', start: 4, end: 7, summary: 'The second was like it.' }
    expect(await branch.contextTool.run(own)).toMatchObject({ success: true, note_index: 11 })
    expect(histories).toHaveLength(1)
    const sent = JSON.stringify((await branch.prepare(chat)).request)
    for (const words of ['They were notes.', 'The second was like it.', 'three'])
      expect(sent).toContain(words)
  })
})

describe('status', () => {
  it('[R230, R231, R232] says how large the messages are, without system, tools and scale, and against the ceiling', async () => {
    const { branch } = await openTestBranch({ policy: { maxInputTokens: 10_000, contextFoldAt: 0.9 } })
    const request = toolChat(rounds(numberedText(3000), numberedText(6000)), {
      tools: [branch.contextTool.definition('openai-chat')],
    })
    const system = { role: 'system', content: numberedText(5000, 'rule') }
    const whole = { ...request, messages: [system, ...messagesOf(request)] }
    const prepared = await branch.prepare(whole)
    const content = prepared.decision.parts
      .filter(({ part }) => ['instruction', 'answer', 'call', 'result'].includes(part))
      .reduce((sum, { tokens }) => sum + tokens, 0)
    await prepared.settle({ usage: { prompt_tokens: Math.round(prepared.decision.counted * 1.3) } })
    expect(await branch.contextTool.run({ action: 'status' })).toEqual({
      success: true,
      messages: 8,
      in_context: 8,
      folded: 0,
      tokens_est: content,
      ceiling: 10_000,
      share_of_ceiling: Math.round((content / 10_000) * 10_000) / 10_000,
    })
    expect(await branch.status()).toMatchObject({ contentTokens: content, scale: 1.3 })
  })

  it('leaves open what it does not know', async () => {
    const { run, send } = await open()
    expect(await run({ action: 'status' })).toMatchObject({
      messages: 0,
      tokens_est: null,
      ceiling: null,
      share_of_ceiling: null,
    })
    await send(rounds('one'))
    expect(await run({ action: 'status' })).toMatchObject({ ceiling: null, share_of_ceiling: null })
  })
})

describe('get_messages', () => {
  it('[R234, R383] previews 120 characters of each message under its index, and shows no id', async () => {
    const { send, run, branch } = await open({ maxInputTokens: 3000 })
    await send(rounds(numberedText(6000), numberedText(9000), 'short', 'short'))
    const reply = await run({ action: 'get_messages', scope: 'all' })
    const messages = reply.messages as readonly JsonObject[]
    const { total, messages: own } = await branch.getMessages({ scope: 'all' })
    expect(reply).toMatchObject({ success: true, total, next_start: null })
    expect(messages.map(({ index }) => index)).toEqual(own.map(({ index }) => index))
    expect(messages.some(({ state }) => state === 'out')).toBe(true)
    for (const { preview, ...rest } of messages) {
      expect(codePoints(String(preview))).toBeLessThanOrEqual(120)
      expect(Object.keys(rest).filter((key) => key !== 'name')).toEqual(['index', 'kind', 'state', 'chars'])
    }
    const active = (await run({ action: 'get_messages' })).messages as readonly JsonObject[]
    const order = active.map(({ index }) => Number(index))
    expect(order).toEqual(order.toSorted((left, right) => left - right))
    expect((await branch.getMessages()).messages.map(({ index }) => index)).not.toEqual(order)
    expect(JSON.stringify(reply)).not.toMatch(/call_\d|chat-[0-9a-f]/)
    expect(messages.find(({ kind, chars }) => kind === 'result' && chars === 6000)?.preview).toHaveLength(120)
  })

  it('stops where a result could not hold more, and says where to go on', async () => {
    const { send, run } = await open({ maxInputTokens: 'none', toolResultMaxChars: 1024 })
    await send(rounds(...Array.from({ length: 30 }, (_, round) => numberedText(200, `round ${round},`))))
    const seen: unknown[] = []
    for (let start: unknown = 0; start !== null; ) {
      const reply = await run({ action: 'get_messages', start })
      const messages = reply.messages as readonly JsonObject[]
      expect(codePoints(JSON.stringify(messages))).toBeLessThanOrEqual(1024)
      seen.push(...messages.map(({ index }) => index))
      start = reply.next_start
    }
    expect(seen).toEqual(Array.from({ length: 91 }, (_, index) => index))
  })

  it('takes a range and a scope', async () => {
    const { send, run } = await open()
    await send(rounds('one', 'two'))
    await run({ action: 'evict', start: 3 })
    const indexes = async (given: JsonObject): Promise<unknown> => {
      const { messages } = await run({ action: 'get_messages', ...given })
      return Array.isArray(messages)
        ? messages.map((message: unknown) => isObject(message) && message.index)
        : []
    }
    expect(await indexes({ start: 1, end: 6 })).toEqual([1, 4, 5])
    expect(await indexes({ start: 1, end: 6, scope: 'all' })).toEqual([1, 2, 3, 4, 5])
  })
})
