import { describe, expect, it } from 'vitest'
import type { Prepared } from './branch.ts'
import { isObject, type JsonObject, type JsonValue } from './engine/json.ts'
import type { CountTokens } from './ports.ts'
import {
  ask,
  caching,
  chat,
  long,
  looped,
  marked,
  noteAt,
  openCaching,
  opening,
  round,
  rounds,
  saidOf,
  say,
  sendAll,
  short,
  tools,
} from './testing/caching-chat.ts'
import { makeConversation, requestAt } from './testing/conversation.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { messagesOf, playConversation } from './testing/play-conversation.ts'
import { scriptTokenCounter } from './testing/script-token-counter.ts'
import { anthropic } from './wire/anthropic/index.ts'

describe('promptCaching on an Anthropic request', () => {
  it('[R253, R252] is off without the setting: the request is the very one that came', async () => {
    for (const policy of [{ maxInputTokens: 2500 }, { maxInputTokens: 2500, promptCaching: false }]) {
      const test = await openCaching(policy)
      const requests = looped()
      const sent = await sendAll(test, requests)
      expect(sent[0]).toBe(requests[0])
      expect(noteAt(sent.at(-1) ?? {})).toBeGreaterThan(0)
      expect(sent.flatMap(marked)).toEqual([])
      expect(test.events.some((event) => event.type === 'request-decided' && event.decision.frontier)).toBe(
        false,
      )
    }
  })

  it('[R274] marks the end of the system for an hour, then the first round, the newest note and the last message', async () => {
    const sent = await sendAll(await openCaching(), looped())
    expect(sent.slice(0, 2).map(marked)).toEqual([
      ['system 1h', '2 5m'],
      ['system 1h', '2 5m', '4 5m'],
    ])
    const last = sent.at(-1) ?? {}
    const end = messagesOf(last).length - 1
    // The note stands behind the results of the first round, in a block of its own.
    expect(noteAt(last)).toBe(2)
    expect(marked(last)).toEqual(['system 1h', '2 5m', '2 5m', `${end} 5m`])
    expect(messagesOf(last)[2]?.content).toMatchObject([
      { type: 'tool_result', cache_control: short },
      { type: 'text', cache_control: short },
    ])
  })

  it('[R286, R287] leaves the stable part as it is, byte by byte, mark included, whatever is folded behind it', async () => {
    const sent = await sendAll(await openCaching(), looped())
    const stable = sent.map(({ model, system, tools: sentTools }) =>
      JSON.stringify([model, system, sentTools]),
    )
    expect(new Set(stable).size).toBe(1)
    expect(sent[0]?.system).toEqual([{ type: 'text', text: 'You look things up.', cache_control: long }])
    const [first = {}] = sent
    expect((first.tools as readonly JsonObject[])[0]).toBe(tools[0])
  })

  it('[R254, R257, R391] sends a round with the same bytes when it is the newest and when it is history', async () => {
    const requests = [
      ...looped().slice(0, 3),
      chat([...opening, ...(rounds[0] ?? []), ...(rounds[1] ?? []), say('So it is.'), ask('And?')]),
    ]
    const sent = await sendAll(await openCaching(), requests)
    for (const [position, request] of sent.entries()) {
      const before = sent[position - 1]
      if (before) expect(saidOf(request).slice(0, saidOf(before).length)).toEqual(saidOf(before))
    }
  })

  it('[R255, R256] keeps results in the blocks of their own that they came in, whatever follows them', async () => {
    const [, results = {}] = round('a', 20)
    const blocks = (results.content ?? []) as readonly JsonObject[]
    const joined = { role: 'user', content: [...blocks, { type: 'text', text: 'And this?' }] }
    const test = await openCaching()
    const first = [ask('Look around.'), ...round('a', 20).slice(0, 1)]
    const [beside, after] = await sendAll(test, [
      chat([...first, joined]),
      chat([...first, joined, say('So it is.'), ask('And?')]),
    ])
    // The mark of the first round ends with its results, ahead of what was asked beside them.
    expect(messagesOf(beside)[2]?.content).toEqual([
      { ...blocks[0], cache_control: short },
      { type: 'text', text: 'And this?', cache_control: short },
    ])
    expect(messagesOf(after)[2]?.content).toEqual([
      { ...blocks[0], cache_control: short },
      { type: 'text', text: 'And this?' },
    ])
  })

  it('[R258] keeps every answer a message of its own, and a note a block of its own', async () => {
    const sent = await sendAll(await openCaching(), looped())
    const last = sent.at(-1) ?? {}
    const notes = messagesOf(last).flatMap(({ content }) =>
      (Array.isArray(content) ? content : []).filter(
        (block: JsonValue) => isObject(block) && String(block.text).startsWith('[Record kept'),
      ),
    )
    expect(notes.length).toBeGreaterThan(0)
    expect(
      messagesOf(last)
        .filter(({ role }) => role === 'assistant')
        .every(({ content }) => Array.isArray(content) && content.length === 1),
    ).toBe(true)
  })

  it('measures what is sent, marks included', async () => {
    const { branch } = await openCaching()
    const { request, decision } = await branch.prepare(chat(opening))
    const plain = await openCaching({ maxInputTokens: 'none' })
    expect(decision.counted).toBe((await plain.branch.prepare(request)).decision.counted)
  })

  it('sends the same marks again on a retry', async () => {
    const { branch } = await openCaching()
    const first = await branch.prepare(chat(opening))
    const again = await branch.prepare(chat(opening))
    expect(again.decision.attempt).toBe(2)
    expect(JSON.stringify(again.request)).toBe(JSON.stringify(first.request))
  })

  it('hands over copies of what it marks, and the very objects of what it does not', async () => {
    const { branch } = await openCaching()
    const request = chat([...opening, say('So.'), ask('And?')])
    const { request: sent } = await branch.prepare(request)
    expect(messagesOf(sent)[1]).toBe(messagesOf(request)[1])
    expect(request.system).toBe('You look things up.')
    const system = sent.system as unknown as { text: string }[]
    if (system[0]) system[0].text = 'changed by the app'
    const again = await branch.prepare(chat([...opening, say('So.'), ask('And more?')]))
    expect(again.request.system).toEqual([{ type: 'text', text: 'You look things up.', cache_control: long }])
  })

  it('sends what was measured, whatever the app does to its request meanwhile', async () => {
    const request = chat([...opening, say('So.'), { role: 'user', content: 'And?' }], {
      tools: structuredClone(tools),
    })
    const expected = await (await openCaching()).branch.prepare(structuredClone(request))
    const counter = await scriptTokenCounter()
    const changing: CountTokens = {
      ...counter,
      count: async (texts) => {
        const [tool] = request.tools as readonly { description: string }[]
        if (tool) tool.description = 'Looks elsewhere.'
        const last = messagesOf(request).at(-1) as { content: string }
        last.content = 'Something else.'
        return counter.count(texts)
      },
    }
    const { branch } = await openTestBranch({ counter: changing, policy: caching })
    expect((await branch.prepare(request)).request).toEqual(expected.request)
    expect(messagesOf(request).at(-1)).toEqual(ask('Something else.'))
  })

  it.each([3, 11, 29])(
    'holds four marks at most, in order, and breaks no rule of the provider (seed %i)',
    async (seed) => {
      const conversation = makeConversation({
        seed,
        format: 'anthropic',
        rounds: 12,
        resultWords: 200,
        contextTool: true,
      })
      const test = await openCaching({ maxInputTokens: 5000, promptCaching: true })
      let notes = 0
      await playConversation(test, conversation, ({ request }: Prepared) => {
        expect(anthropic.lint(request as JsonObject)).toEqual([])
        expect(marked(request as JsonObject).length).toBeLessThanOrEqual(4)
        if (noteAt(request as JsonObject) >= 0) notes++
      })
      expect(notes).toBeGreaterThan(0)
    },
  )

  it.each([5, 17, 23, 31])(
    '[R276, R281, R389] repeats every request through its newest note in the next, until a reset (seed %i)',
    async (seed) => {
      const conversation = makeConversation({
        seed,
        format: 'anthropic',
        rounds: 14,
        resultWords: 220,
        contextTool: true,
      })
      const test = await openCaching({ maxInputTokens: 4500, promptCaching: true })
      let before: JsonObject | null = null
      let compared = 0
      for (const length of conversation.requests) {
        const prepared = await test.branch.prepare(requestAt(conversation, length)).catch(() => null)
        if (prepared === null) continue
        const { request, decision } = prepared
        const resets = decision.trace.some(
          (step) => step.type === 'stage' && step.stage === 'reset' && step.outcome === 'landed',
        )
        const end: number = before === null || resets ? -1 : noteAt(before)
        if (before !== null && end >= 0) {
          compared++
          const through = (sent: JsonObject): readonly JsonValue[] => saidOf(sent).slice(0, end + 1)
          expect(through(request)).toEqual(through(before))
          expect([request.system, request.tools]).toEqual([before.system, before.tools])
        }
        before = request
        await prepared.settle({ usage: null })
      }
      expect(compared).toBeGreaterThan(3)
    },
  )

  it('[R285] lets a restore move the prefix: what comes back stands in its own place, ahead of the note', async () => {
    const test = await openCaching()
    await sendAll(test, looped())
    await test.branch.setPolicy({ promptCaching: true, maxInputTokens: 'none' })
    const before = await test.branch.prepare(looped().at(-1) ?? {})
    expect(JSON.stringify(before.request)).not.toContain('"b0 b1')
    const [folded] = test.events.flatMap((event) => (event.type === 'stage-applied' ? event.fold.calls : []))
    await test.branch.restore({ start: folded?.index ?? -1 })
    const { request } = await test.branch.prepare(looped().at(-1) ?? {})
    const back = messagesOf(request).findIndex((message) => JSON.stringify(message).includes('"b0 b1'))
    expect(back).toBeGreaterThan(2)
    expect(back).toBeLessThan(
      messagesOf(request).findIndex((message) => JSON.stringify(message).includes('"e0 e1')),
    )
    expect(marked(request).at(-1)).toBe(`${messagesOf(request).length - 1} 5m`)
  })
})

describe("the app's own marks", () => {
  const own = { type: 'text', text: 'And?', cache_control: short } as const

  it('win, and ours fill the slots that are free', async () => {
    const { branch } = await openCaching()
    const system = [{ type: 'text', text: 'You look things up.', cache_control: short }]
    const request = chat([...opening, say('So.'), { role: 'user', content: [own] }], { system })
    const { request: sent } = await branch.prepare(request)
    expect(marked(sent)).toEqual(['system 5m', '2 5m', '4 5m'])
    expect((sent.system as unknown as readonly JsonObject[])[0]).toBe(system[0])
    expect(messagesOf(sent)[4]).toBe(messagesOf(request)[4])
  })

  it.each([true, false])(
    'move to the last block before theirs that is sent (promptCaching %s)',
    async (promptCaching) => {
      const test = await openCaching({ maxInputTokens: 2500, promptCaching })
      const withMark = (count: number): JsonObject => {
        const list = rounds.slice(0, count).flat()
        // The app marks the results of the second round, for as long as it lives.
        const [call = {}, results = {}] = rounds[1] ?? []
        const [block = {}] = (results.content ?? []) as readonly JsonObject[]
        const markedRound = [call, { ...results, content: [{ ...block, cache_control: long }] }]
        return chat([...opening, ...list.slice(0, 2), ...(count > 1 ? markedRound : []), ...list.slice(4)])
      }
      const sent = await sendAll(test, [1, 2, 3, 4, 5, 6].map(withMark))
      expect(marked(sent[1] ?? {}).filter((mark) => mark === '6 1h')).toHaveLength(1)
      const last = sent.at(-1) ?? {}
      const blocks = messagesOf(last)[noteAt(last)]?.content as readonly JsonObject[]
      expect(blocks.at(-1)).toMatchObject({ cache_control: long })
      expect(JSON.stringify(last).match(/"ttl":"1h"/g)).toHaveLength(promptCaching ? 3 : 1)
      expect(anthropic.lint(last)).toEqual([])
    },
  )

  it('leave the end of the request alone where the app has it marked, wherever it is', async () => {
    const { branch } = await openCaching()
    const { request } = await branch.prepare(
      chat([...opening, say('So.'), ask('And?')], { cache_control: short }),
    )
    expect(marked(request)).toEqual(['system 1h', '2 5m'])
    expect(request.cache_control).toEqual(short)
  })
})

describe('what is said once', () => {
  const near = { ...caching, notice: true, maxInputTokens: 1200, contextFoldAt: 0.5, contextFoldTarget: 0.4 }
  const request = (changed: JsonObject = {}): JsonObject => chat([...opening, ...round('b', 200)], changed)
  const isNotice = (sent: JsonObject): boolean => /1200/.test(JSON.stringify(messagesOf(sent).at(-1)))

  it('is the last block of the request, behind every mark', async () => {
    const { branch } = await openCaching(near)
    const { request: sent, decision } = await branch.prepare(request())
    expect(decision.action).toBe('notice')
    const blocks = messagesOf(sent).at(-1)?.content as readonly JsonObject[]
    expect(blocks.at(-1)).toEqual({ type: 'text', text: expect.stringContaining('1200') })
    expect(blocks.at(-2)).toMatchObject({ type: 'tool_result', cache_control: short })
  })

  it('is said again on a retry', async () => {
    const { branch } = await openCaching(near)
    const first = await branch.prepare(request())
    const again = await branch.prepare(request())
    expect(again.decision.attempt).toBe(2)
    expect(JSON.stringify(again.request)).toBe(JSON.stringify(first.request))
  })

  it('is not said where reasoning would be bound to it, nor where it could not be behind every mark', async () => {
    for (const changed of [{ thinking: { type: 'adaptive' } }, { cache_control: short }]) {
      const { branch } = await openCaching(near)
      expect(isNotice((await branch.prepare(request(changed))).request)).toBe(false)
    }
    expect(isNotice((await (await openCaching(near)).branch.prepare(request())).request)).toBe(true)
  })
})
