import { describe, expect, it } from 'vitest'
import { makeConversation } from './testing/conversation.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { countedTokens, messagesOf, playConversation } from './testing/play-conversation.ts'

describe('the list of a chat app', () => {
  const conversation = makeConversation({ seed: 31, format: 'openai-chat', rounds: 6 })

  it('[R69] is recognised each time, and only what is new is recorded', async () => {
    const test = await openTestBranch()
    await playConversation(test, conversation)
    const entries = (await test.branch.status()).entries
    await test.branch.prepare(structuredClone(conversation.request))
    expect((await test.branch.status()).entries).toBe(entries)
  })

  it('makes a line of its own where a message was edited, with the indexes of the common part', async () => {
    const test = await openTestBranch()
    await playConversation(test, conversation)
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
    await playConversation(test, conversation)
    const shorter = { ...conversation.request, messages: messagesOf(conversation.request).slice(0, 5) }
    expect((await test.branch.prepare(shorter)).request).toEqual(shorter)
    expect((await test.branch.prepare(conversation.request)).request).toEqual(conversation.request)
    expect(await test.branch.lines()).toHaveLength(1)
  })

  it('follows an app that cut its own front, without a new line', async () => {
    const test = await openTestBranch()
    await playConversation(test, conversation)
    const [system, ...messages] = messagesOf(conversation.request)
    const start = messages.findLastIndex((message) => message.role === 'user')
    const cut = { ...conversation.request, messages: [system, ...messages.slice(Math.max(start, 1))] }
    expect((await test.branch.prepare(cut)).request).toEqual(cut)
    expect(await test.branch.lines()).toHaveLength(1)
  })

  it('moves back and makes lines in a list whose front the app has cut, and leaves the front out', async () => {
    const test = await openTestBranch()
    const messages = ['Where?', 'There.', 'When?', 'Then.', 'Who?', 'They.', 'Why?'].map(
      (content, place) => ({
        role: place % 2 === 0 ? 'user' : 'assistant',
        content,
      }),
    )
    const send = async (...list: readonly object[]) => {
      const request = { model: 'm', messages: list }
      const prepared = await test.branch.prepare(request)
      expect(prepared.request).toEqual(request)
      expect(prepared.warnings).toEqual([])
      return prepared.decision
    }
    const { lineId } = await send(...messages)
    await send(...messages.slice(2))
    expect(await send(...messages.slice(2, 5))).toMatchObject({ lineId })
    const edit = { role: 'user', content: 'How?' }
    const edited = await send(...messages.slice(2, 4), edit)
    expect(edited).toMatchObject({ parentLineId: lineId })
    const grown = [...messages.slice(2, 4), edit, { role: 'assistant', content: 'So.' }, edit]
    expect(await send(...grown)).toMatchObject({ lineId: edited.lineId })
    const all = (await test.branch.getMessages({ scope: 'all' })).messages
    expect(all.map(({ preview }) => preview)).toEqual([
      ...messages.slice(0, 4).map(({ content }) => content),
      'How?',
      'So.',
      'How?',
    ])
    const view = (await test.branch.getMessages()).messages
    expect(view.map(({ index }) => index)).toEqual([2, 3, 4, 5, 6])
    expect(await send(...messages)).toMatchObject({ lineId })
    expect(await test.branch.lines()).toHaveLength(2)
  })

  it('is passed through and not recorded where it belongs to another conversation', async () => {
    const test = await openTestBranch({ policy: { maxInputTokens: 100_000 } })
    await playConversation(test, conversation)
    const entries = (await test.branch.status()).entries
    const title = { model: 'test-model', messages: [{ role: 'user', content: 'Give this chat a title' }] }
    const prepared = await test.branch.prepare(title)
    expect(prepared.request).toEqual(title)
    expect(prepared.warnings).toMatchObject([{ code: 'list_not_of_this_branch' }])
    expect((await test.branch.status()).entries).toBe(entries)
  })

  it('[R25, R58] is measured where it belongs to another conversation too, and refused over the ceiling, not folded', async () => {
    const test = await openTestBranch({ policy: { maxInputTokens: 20_000 } })
    await test.branch.prepare({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })
    const other = makeConversation({ seed: 32, format: 'openai-chat', rounds: 60 })
    await expect(test.branch.prepare(other.request)).rejects.toMatchObject({
      code: 'input_ceiling_exceeded',
      reason: 'bounded_run',
    })
    expect((await test.branch.status()).entries).toBe(1)
    expect((await test.branch.journal()).folds).toEqual([])
  })

  it('goes out as it is where a user message was split or merged since', async () => {
    const history = [
      { role: 'user', content: 'Read.' },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'one', name: 'read', input: {} },
          { type: 'tool_use', id: 'two', name: 'read', input: {} },
        ],
      },
    ]
    const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: `papers of ${id}` })
    const more = { type: 'text', text: 'And do this as well.' }
    const user = (...content: object[]) => ({ role: 'user', content })
    const forms = [
      [user(result('one'), result('two'), more)],
      [user(result('one'), result('two')), user(more)],
      [user(result('one')), user(result('two')), user(more)],
    ]
    for (const first of forms)
      for (const second of forms) {
        const { branch } = await openTestBranch({ policy: { maxInputTokens: 100_000 } })
        for (const form of [first, second, first]) {
          const request = { model: 'claude', max_tokens: 9, messages: [...history, ...form] }
          expect((await branch.prepare(request, { format: 'anthropic' })).request).toEqual(request)
        }
      }
  })

  it('[R100, R220] is the list itself when it moves back into the middle of a fold', async () => {
    const whole = makeConversation({ seed: 21, format: 'openai-chat', rounds: 30 })
    const ceiling = Math.floor((await countedTokens(whole)) / 4)
    const test = await openTestBranch({ policy: { maxInputTokens: ceiling } })
    await playConversation(test, whole)
    await test.branch.setPolicy({ maxInputTokens: 'none' })
    for (const end of [...whole.requests].reverse().slice(15)) {
      const shorter = { ...whole.request, messages: messagesOf(whole.request).slice(0, 1 + end) }
      const { request, decision } = await test.branch.prepare(shorter)
      if (decision.parts.some(({ part }) => part === 'note')) continue
      expect(request).toEqual(shorter)
    }
  })

  it('keeps its results whole where it is not recorded, since nothing could be read back', async () => {
    const test = await openTestBranch({ policy: { maxInputTokens: 'none', toolResultMaxChars: 1024 } })
    await test.branch.prepare({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })
    const other = makeConversation({ seed: 33, format: 'openai-chat', rounds: 8, resultWords: 900 })
    expect((await test.branch.prepare(other.request)).request).toEqual(other.request)
  })

  it('is another request and no retry where its model or its ceiling is another', async () => {
    const whole = makeConversation({ seed: 21, format: 'openai-chat', rounds: 30 })
    const ceiling = Math.floor((await countedTokens(whole)) / 3)
    const { branch } = await openTestBranch({ policy: { maxInputTokens: ceiling * 9 } })
    const first = await branch.prepare(whole.request)
    await first.settle({ error: new Error('overloaded') })
    const second = await branch.prepare(whole.request, { maxInputTokens: ceiling })
    expect(second.decision).toMatchObject({ action: 'fold', attempt: 1 })
    await second.settle({ error: new Error('overloaded') })
    const third = await branch.prepare({ ...whole.request, model: 'another' }, { maxInputTokens: ceiling })
    expect(third.decision.attempt).toBe(1)
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
    const ceiling = Math.floor((await countedTokens(whole)) / 4)
    const test = await openTestBranch({ policy: { maxInputTokens: ceiling } })
    await playConversation(test, { ...whole, requests: whole.requests.slice(0, -1) })
    const first = await test.branch.prepare(whole.request)
    await first.settle({ error: new Error('overloaded'), status: 529 })
    const second = await test.branch.prepare(whole.request)
    expect(second.decision).toMatchObject({ requestId: first.decision.requestId, attempt: 2 })
    expect(JSON.stringify(second.request)).toBe(JSON.stringify(first.request))
    expect(second.decision.counted).toBe(first.decision.counted)
  })

  it.each(['claude-opus-5', 'claude-sonnet-4-5'])(
    'asks for what it ends on, where that was folded since (%s)',
    async (model) => {
      const words = (count: number): string => 'lamp tide '.repeat(count)
      const messages = [
        { role: 'user', content: 'Look it up.' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Looking.' },
            { type: 'tool_use', id: 'c', name: 'look', input: {} },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: words(450) }] },
        { role: 'assistant', content: 'It is there.' },
        { role: 'user', content: words(150) },
      ]
      const { branch } = await openTestBranch({ policy: { maxInputTokens: 1300, contextFoldTarget: 0.2 } })
      const request = (length: number) => ({ model, max_tokens: 5, messages: messages.slice(0, length) })
      await (await branch.prepare(request(3))).settle({ usage: null })
      const folded = await branch.prepare(request(5))
      expect(folded.decision.folded).toEqual([2, 3])
      await folded.settle({ usage: null })
      const again = await branch.prepare(request(3))
      expect(again.request).toEqual(request(3))
    },
  )

  it('asks for its task, where that was summarised since', async () => {
    const words = (count: number): string => 'lamp tide '.repeat(count)
    const round = (id: string) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: id, content: words(100) },
    ]
    const messages = [
      { role: 'user', content: 'First task.' },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'Second task.' },
      ...['a', 'b', 'c', 'd', 'e', 'f'].flatMap(round),
      { role: 'assistant', content: 'Done too.' },
      { role: 'user', content: words(300) },
    ]
    const { branch } = await openTestBranch({
      policy: { maxInputTokens: 1500, contextFoldTarget: 0.1 },
      summarize: async () => 'They asked for two things.',
    })
    for (const length of [1, 3, 5, 7, 9, 11, 13, 15, 17]) {
      const prepared = await branch.prepare({ model: 'm', messages: messages.slice(0, length) })
      await prepared.settle({ usage: null })
    }
    const { request } = await branch.prepare({ model: 'm', messages: messages.slice(0, 15) })
    expect(request.messages).toContainEqual(messages[2])
    expect(request.messages.slice(-2)).toEqual(messages.slice(13, 15))
  })
})
