import { afterEach, describe, expect, it, vi } from 'vitest'
import { createDogear, type DogearOptions } from './dogear.ts'
import type { JsonObject } from './engine/json.ts'
import { SUMMARY_FRAME } from './engine/note-text.ts'
import type { ContextPolicy } from './engine/policy.ts'
import type { Summarize, SummaryRequest } from './ports.ts'
import { memoryStore } from './stores/memory.ts'
import { summaryWriter } from './summarizing.ts'
import { makeConversation, requestAt } from './testing/conversation.ts'
import { openTestBranch, type TestBranch } from './testing/open-branch.ts'
import { ceiling, openTalk, talk } from './testing/open-talk.ts'
import { countedTokens, messagesOf } from './testing/play-conversation.ts'
import { scriptTokenCounter } from './testing/script-token-counter.ts'
import { detectFormat } from './wire/detect.ts'

const writes = (text: string) => vi.fn<Summarize>(async () => text)

afterEach(() => {
  vi.useRealTimers()
})

describe('a summary by the app', () => {
  it('[R155, R156, R298, R299] stands in the note, and its writer reads the span alone', async () => {
    const summarize = writes('  They counted words.  ')
    const { branch } = await openTalk({ summarize })
    const { request, decision } = await branch.prepare(talk(17))
    expect(decision.action).toBe('fold')
    expect(summarize).toHaveBeenCalledTimes(1)
    const asked: SummaryRequest | undefined = summarize.mock.calls[0]?.[0]
    const { folds } = await branch.journal()
    expect(asked).toMatchObject({ branchId: 'chat', foldId: folds[0]?.id })
    expect(asked?.history).toContain('User: Message 2:')
    // The head is never folded, and the tail of six is kept.
    expect(asked?.history).not.toContain('Message 0:')
    expect(asked?.history).not.toContain('Message 11:')
    expect(folds).toMatchObject([
      { stage: 'all', keptTail: 6, summarySource: 'delegate', summaryUsage: null, outcome: 'landed' },
    ])
    const messages = messagesOf(request)
    expect(messages).toHaveLength(8)
    expect(messages[1]?.content).toContain(`${SUMMARY_FRAME}\nThey counted words.`)
    expect(detectFormat(request)?.lint(request as JsonObject)).toEqual([])
  })

  it('[R112, R303] is told with its fold, and is no request or entry of the branch', async () => {
    const test = await openTalk({ summarize: writes('Words.') })
    const before = (await test.branch.journal()).decisions.length
    await test.branch.prepare(talk(17))
    const { decisions, folds } = await test.branch.journal()
    expect(decisions).toHaveLength(before + 1)
    // Seventeen messages and the note.
    expect((await test.branch.status()).entries).toBe(18)
    const told = test.events.flatMap((event) => (event.type === 'stage-applied' ? [event.fold] : []))
    expect(told).toEqual(folds)
    expect(told).toHaveLength(1)
  })

  it('[R83] marks nothing as read', async () => {
    const delivered = async ({ branch }: TestBranch): Promise<readonly number[]> =>
      (await branch.getMessages({ scope: 'all' })).messages.flatMap((message) =>
        message.delivered ? [message.index] : [],
      )
    const test = await openTalk({ summarize: writes('Words.') })
    const before = await delivered(test)
    const prepared = await test.branch.prepare(talk(17))
    // The answer after the last request is what that request's messages are read by, and nothing else is.
    expect(await delivered(test)).toEqual(before)
    await prepared.settle({ error: new Error('failed') })
    expect(await delivered(test)).toEqual(before)
  })

  it('is stored with its note and survives a reload', async () => {
    const store = memoryStore()
    const policy = { maxInputTokens: ceiling }
    const summarize = writes('They counted words.')
    const first = await openTestBranch({ store, policy, summarize })
    for (let length = 1; length <= 17; length += 2)
      await (await first.branch.prepare(talk(length))).settle({ usage: null })
    const again = await first.branch.prepare(talk(17))
    const second = await openTestBranch({ store, policy })
    const reloaded = await second.branch.prepare(talk(17))
    expect(JSON.stringify(reloaded.request)).toBe(JSON.stringify(again.request))
    expect(JSON.stringify(reloaded.request)).toContain('They counted words.')
    expect(summarize).toHaveBeenCalledTimes(1)
  })

  it('is not asked for again by a retry', async () => {
    const summarize = writes('Words.')
    const { branch } = await openTalk({ summarize })
    const first = await branch.prepare(talk(17))
    await first.settle({ error: new Error('busy') })
    const retry = await branch.prepare(talk(17))
    expect(retry.decision.attempt).toBe(2)
    expect(JSON.stringify(retry.request)).toBe(JSON.stringify(first.request))
    expect(summarize).toHaveBeenCalledTimes(1)
  })

  it('[R155] is read by the next one, which takes its note over', async () => {
    const summarize = vi.fn<Summarize>(async ({ foldId }) => ({ text: `Summary of ${foldId}.` }))
    const { branch } = await openTalk({ summarize })
    for (let length = 17; length <= 31; length += 2)
      await (await branch.prepare(talk(length))).settle({ usage: null })
    const { folds } = await branch.journal()
    expect(folds.length).toBeGreaterThan(1)
    const last = summarize.mock.calls.at(-1)?.[0]
    expect(last?.history).toContain(`Summary of ${folds.at(-2)?.id}.`)
    const { request } = await branch.prepare(talk(31))
    const notes = messagesOf(request).filter(({ content }) => String(content).startsWith('[Record kept'))
    expect(notes).toHaveLength(1)
    expect(notes[0]?.content).toContain(`Summary of ${folds.at(-1)?.id}.`)
  })

  it.each(['openai-chat', 'anthropic'] as const)(
    '[R352, R375] carries no result of a %s conversation, nor does the request get any back',
    async (format) => {
      const conversation = makeConversation({ seed: 71, format, rounds: 24 })
      const maxInputTokens = Math.floor((await countedTokens(conversation)) / 6)
      const summarize = vi.fn<Summarize>(async () => 'Work went on.')
      const { branch } = await openTestBranch({
        policy: { maxInputTokens, toolResultMaxChars: 1024 },
        summarize,
      })
      for (const length of conversation.requests) {
        const prepared = await branch.prepare(requestAt(conversation, length)).catch(() => null)
        if (prepared === null) continue
        expect(detectFormat(prepared.request)?.lint(prepared.request as JsonObject)).toEqual([])
        await prepared.settle({ usage: null })
      }
      const read = summarize.mock.calls.map(([{ history }]) => history).join('\n')
      expect(summarize.mock.calls.length).toBeGreaterThan(0)
      expect(read).toContain('The tools the agent has: search')
      const { messages } = await branch.getMessages({ scope: 'all' })
      const results = messages.filter(({ kind, chars }) => kind === 'result' && chars > 200)
      expect(results.length).toBeGreaterThan(5)
      for (const { preview } of results) expect(read).not.toContain(preview.slice(0, 80))
    },
  )
})

describe('a summary that could not be had', () => {
  const failing: readonly (readonly [string, () => unknown])[] = [
    ['throws', () => Promise.reject(new Error('quota'))],
    [
      'throws at once',
      () => {
        throw new TypeError('bug')
      },
    ],
    ['is empty', async () => ''],
    ['is white space', async () => ({ text: ' \n ' })],
    ['is the text of an error', async () => 'Error: model overloaded'],
    ['is an error body', async () => '{"error":{"message":"rate limit"}}'],
    ['is a page', async () => '<!doctype html><title>502</title>'],
    ['is no text', async () => ({ choices: [] })],
    ['is nothing', async () => undefined],
  ]

  it.each(failing)('[R157] that %s leaves the list to stand alone', async (_, work) => {
    const summarize = vi.fn(work) as unknown as Summarize
    const { branch } = await openTalk({ summarize })
    const { request, decision } = await branch.prepare(talk(17))
    expect(decision.action).toBe('fold')
    const note = String(messagesOf(request)[1]?.content)
    expect(note).not.toContain(SUMMARY_FRAME)
    expect(note).toMatch(/\n#1 assistant: Message 1: word1 .*…\n#2 user: Message 2: /)
    expect((await branch.journal()).folds).toMatchObject([{ summarySource: 'host', outcome: 'landed' }])
    // What is only listed can be read by its number.
    expect((await branch.readResult({ index: 2 })).text).toMatch(/^Message 2: /)
  })

  it('that never comes is waited for as long as the policy says', async () => {
    const signals: AbortSignal[] = []
    const summarize: Summarize = ({ signal }) => {
      signals.push(signal)
      return new Promise(() => undefined)
    }
    const { branch } = await openTalk({
      summarize,
      policy: { compaction: { mode: 'delegate', timeoutMs: 20 } },
    })
    const { decision } = await branch.prepare(talk(17))
    expect(decision.action).toBe('fold')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('is not asked for a second time for one request', async () => {
    const summarize = vi.fn<Summarize>(async () => '')
    // The target is so low that the fold goes on to the shorter tail.
    const { branch } = await openTalk({ summarize, policy: { contextFoldTarget: 0.3 } })
    const { decision } = await branch.prepare(talk(17))
    const passes = decision.trace.flatMap((step) =>
      step.type === 'stage' ? [`${step.stage}.${step.keptTail}`] : [],
    )
    expect(passes.slice(-2)).toEqual(['all.6', 'all.2'])
    expect(summarize).toHaveBeenCalledTimes(1)
    await branch.prepare(talk(19))
    expect(summarize.mock.calls.length).toBeLessThanOrEqual(2)
  })

  it('ends what is asked for one request, and what was written once is not asked for again', async () => {
    const texts = ['First.', '', 'Third.']
    const summarize = vi.fn<Summarize>(async () => texts.shift() ?? '')
    const write = summaryWriter({ branchId: 'chat', compaction: { mode: 'summarize' }, summarize })
    const job = (history: string) => ({
      foldId: 'f',
      instructions: 'i',
      opening: 'o',
      history,
      retainedTail: '',
    })
    expect(await write?.(job('a'))).toMatchObject({ type: 'written', text: 'First.' })
    expect(await write?.(job('a'))).toMatchObject({ type: 'written', text: 'First.' })
    expect(await write?.(job('b'))).toEqual({ type: 'failed', reason: 'empty', usage: null })
    expect(await write?.(job('c'))).toEqual({ type: 'failed', reason: 'empty', usage: null })
    expect(await write?.(job('a'))).toMatchObject({ type: 'written', text: 'First.' })
    expect(summarize).toHaveBeenCalledTimes(2)
  })

  it('because the app gave the request up rejects with its reason, and nothing happened', async () => {
    const controller = new AbortController()
    const reason = new Error('the user left')
    const summarize: Summarize = () => {
      controller.abort(reason)
      return new Promise(() => undefined)
    }
    const { branch } = await openTalk({ summarize })
    const before = await branch.journal()
    await expect(branch.prepare(talk(17), { signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
      cause: reason,
    })
    expect(await branch.journal()).toEqual(before)
    expect((await branch.status()).entries).toBe(15)
    // The branch goes on.
    await branch.setPolicy({ maxInputTokens: 'none' })
    expect((await branch.prepare(talk(17))).decision.sent).toBe(true)
  })
})

describe('no summary is asked for', () => {
  it('where the policy wants none, without a word', async () => {
    const summarize = writes('Words.')
    const { branch } = await openTalk({ summarize, policy: { compaction: { mode: 'off' } } })
    const { decision, warnings } = await branch.prepare(talk(17))
    expect(summarize).not.toHaveBeenCalled()
    expect(warnings).toEqual([])
    expect(decision.action).toBe('pass')
    expect(decision.trace.at(-1)).toMatchObject({ stage: 'all', outcome: 'no_summarizer' })
  })

  it('where there is nobody to write it, with a warning', async () => {
    const { branch } = await openTalk()
    const { warnings } = await branch.prepare(talk(17))
    expect(warnings.map(({ code }) => code)).toEqual(['summary_unavailable'])
  })

  it('for a preview, which says that one would be', async () => {
    const summarize = writes('Words.')
    const { branch } = await openTalk({ summarize })
    const preview = await branch.preview({
      maxInputTokens: ceiling,
      contextFoldAt: 0.4,
      contextFoldTarget: 0.3,
    })
    expect(preview?.steps.flatMap((step) => (step.type === 'stage' ? [step.outcome] : []))).toContain(
      'needs_summary',
    )
    expect(preview?.after).toBeLessThan(preview?.before ?? 0)
    expect(summarize).not.toHaveBeenCalled()
    expect((await branch.journal()).folds).toEqual([])
  })

  it('by a size that is only estimated', async () => {
    const summarize = writes('Words.')
    const counter = { ...(await scriptTokenCounter()), exact: false }
    const { branch } = await openTestBranch({ counter, summarize, policy: { maxInputTokens: ceiling } })
    for (let length = 1; length <= 17; length += 2)
      await (await branch.prepare(talk(length))).settle({ usage: null })
    const { decision } = await branch.prepare(talk(19))
    expect(decision.method).toBe('estimate')
    expect(decision.trace).toContainEqual(expect.objectContaining({ outcome: 'not_counted' }))
    expect(summarize).not.toHaveBeenCalled()
  })

  it('[R103] for what could not be sent with it either', async () => {
    const summarize = writes('Words.')
    const { branch } = await openTalk({ summarize })
    const list = talk(17)
    const long = 'so '.repeat(ceiling)
    const request = { ...list, messages: [...messagesOf(list).slice(0, 16), { role: 'user', content: long }] }
    await expect(branch.prepare(request)).rejects.toMatchObject({ code: 'input_ceiling_exceeded' })
    expect(summarize).not.toHaveBeenCalled()
  })
})

describe('createDogear with a summary function', () => {
  const open = (options: DogearOptions) => createDogear({ store: memoryStore(), ...options })

  it('has the summaries of its branches written by it', async () => {
    const summarize = writes('They counted words.')
    const dogear = open({ summarize, policy: { maxInputTokens: ceiling } })
    const branch = await dogear.branch('talk')
    for (let length = 1; length <= 17; length += 2)
      await (await branch.prepare(talk(length))).settle({ usage: null })
    expect(summarize.mock.calls[0]?.[0].branchId).toBe('talk')
    await dogear.close()
  })

  it('refuses what is no function', () => {
    expect(() => open({ summarize: 'gpt' as unknown as Summarize })).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }),
    )
  })

  it('[R343] refuses a policy that leaves summaries to a function that is not there', async () => {
    const policy: ContextPolicy = { compaction: { mode: 'delegate' } }
    const refusal = expect.objectContaining({ code: 'invalid_policy' })
    expect(() => open({ policy })).toThrow(refusal)
    await expect(open({}).branch('a', { policy })).rejects.toEqual(refusal)
    const branch = await open({}).branch('a')
    await expect(branch.setPolicy(policy)).rejects.toEqual(refusal)
    expect(branch.policy).toEqual({})
    expect((await open({ summarize: writes('x') }).branch('a', { policy })).policy).toEqual(policy)
  })

  it('says of no setting of summaries or notices that it has no effect', async () => {
    const { events } = await openTestBranch({ policy: { maxInputTokens: 'none' } })
    const test = await openTestBranch()
    await test.branch.setPolicy({ maxInputTokens: 5, notice: true, compaction: { mode: 'off' } })
    expect([...events, ...test.events].filter(({ type }) => type === 'warning')).toEqual([])
  })
})
