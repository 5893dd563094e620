import { describe, expect, it } from 'vitest'
import type { JsonObject } from './engine/json.ts'
import type { ContextPolicy } from './engine/policy.ts'
import { memoryStore } from './stores/memory.ts'
import {
  ask,
  caching,
  chat,
  looped,
  openCaching,
  opening,
  round,
  saidOf,
  say,
  sendAll,
} from './testing/caching-chat.ts'
import { openTestBranch, type TestBranch } from './testing/open-branch.ts'
import { messagesOf } from './testing/play-conversation.ts'

describe('a first round in a branch', () => {
  async function firstRoundOf(store: TestBranch['store']): Promise<unknown> {
    return (await store.load('chat'))?.lines.map(({ firstRound }) => firstRound)
  }

  it('[R261, R265, R390] is decided and stored by the request that carries it whole, and told on its decision', async () => {
    const test = await openCaching()
    const frontiers: unknown[] = []
    for (const messages of [opening.slice(0, 1), opening, [...opening, say('So.'), ask('And?')]]) {
      const prepared = await test.branch.prepare(chat(messages))
      frontiers.push(prepared.decision.frontier)
      await prepared.settle({ usage: null })
    }
    expect(frontiers).toEqual([undefined, 'decided', 'unchanged'])
    expect(await firstRoundOf(test.store)).toMatchObject([
      { included: true, ceiling: 2500, budget: 250, at: expect.any(Number) },
    ])
  })

  it('[R267, R391] stands across a failed send, an aborted one, a retry, and a request that was refused', async () => {
    const test = await openCaching()
    const first = await test.branch.prepare(chat(opening))
    const decided = await firstRoundOf(test.store)
    await first.settle({ error: new Error('the line broke') })
    expect((await test.branch.prepare(chat(opening))).decision.frontier).toBe('unchanged')
    const huge = [...opening, say('So.'), ask('word '.repeat(4000))]
    await expect(test.branch.prepare(chat(huge))).rejects.toMatchObject({ code: 'input_ceiling_exceeded' })
    await (await test.branch.prepare(chat([...opening, say('So.'), ask('And?')]))).settle({ aborted: true })
    expect((await firstRoundOf(test.store)) as readonly unknown[]).toContainEqual(
      (decided as readonly unknown[])[0],
    )
  })

  it('[R261, R391] is decided by a request that is refused all the same', async () => {
    const test = await openCaching()
    const system = 'word '.repeat(4000)
    await expect(test.branch.prepare(chat(opening, { system }))).rejects.toMatchObject({
      code: 'input_ceiling_exceeded',
    })
    expect(await firstRoundOf(test.store)).toMatchObject([{ included: true }])
  })

  it('[R267, R269] is read back with the branch, and made again where what was stored is none', async () => {
    const store = memoryStore()
    const test = await openCaching(caching, { store })
    await sendAll(test, [chat(opening)])
    const next = chat([...opening, say('So.'), ask('And?')])
    const reopened = await openCaching(caching, { store })
    expect((await reopened.branch.prepare(next)).decision.frontier).toBe('unchanged')
    const broken: TestBranch['store'] = {
      ...store,
      load: async (id) => {
        const stored = await store.load(id)
        return (
          stored && {
            ...stored,
            lines: stored.lines.map((line) => ({ ...line, firstRound: { included: 'yes' } as never })),
          }
        )
      },
    }
    const again = await openCaching(caching, { store: broken })
    expect(
      (await again.branch.prepare(chat([...opening, say('So.'), ask('And then?')]))).decision.frontier,
    ).toBe('decided')
  })

  it('[R262] is not decided by a preview, which counts no mark for it either', async () => {
    const test = await openCaching({ maxInputTokens: 'none', promptCaching: true })
    const { decision } = await test.branch.prepare(chat([...opening, say('So.'), ask('And?')]))
    expect((await test.branch.preview(caching))?.after).toBe(decision.after)
    expect(await firstRoundOf(test.store)).toEqual([undefined])
    await test.branch.setPolicy(caching)
    const decided = await test.branch.prepare(chat([...opening, say('So.'), ask('And?')]))
    expect(decided.decision).toMatchObject({ frontier: 'decided' })
    expect(decided.decision.after).toBeGreaterThan(decision.after)
  })

  it('[R275, R276] is left alone by every fold behind it', async () => {
    const sent = await sendAll(await openCaching(), looped())
    const last = sent.at(-1) ?? {}
    expect(saidOf(last).slice(0, 2)).toEqual(saidOf(chat(opening)).slice(0, 2))
    expect(JSON.stringify(messagesOf(last)[2])).toContain('a1 a2 a3')
    expect(JSON.stringify(last)).not.toContain('b1 b2 b3')
  })
})

describe('the policy in force', () => {
  async function resolved(policy: ContextPolicy, request: JsonObject): Promise<unknown> {
    const test = await openTestBranch({ policy })
    await test.branch.prepare(request)
    const told = test.events.filter((event) => event.type === 'policy-set')
    return told.map((event) => event.resolved)
  }
  const openAi: JsonObject = { model: 'gpt-6', messages: [{ role: 'user', content: 'Look.' }] }

  it('[R194, R253] holds no bound of its own against a clip once caching is off', async () => {
    const { branch } = await openCaching({ maxInputTokens: 200_000, promptCaching: true })
    const list = chat([ask('Look around.'), ...round('a', 3000)])
    await (await branch.prepare(list)).settle({ usage: null })
    await branch.setPolicy({ maxInputTokens: 3000, promptCaching: false, toolResultMaxChars: 6000 })
    const { decision } = await branch.prepare(list)
    const clips = decision.trace.filter((step) => step.type === 'stage' && step.stage === 'clip')
    expect(clips).toMatchObject([{ outcome: 'landed' }])
    expect(decision.after).toBeLessThanOrEqual(decision.target ?? 0)
  })

  it('[R304, R305, R306, R308, R384] is told before the first request is decided, and once', async () => {
    const test = await openTestBranch({
      policy: { ...caching, toolResultMaxChars: 4000, contextFoldAt: 0.9 },
    })
    await test.branch.prepare(chat(opening))
    await test.branch.prepare(chat([...opening, say('So.'), ask('And?')]))
    const order = test.events
      .map(({ type }) => type)
      .filter((type) => type === 'policy-set' || type === 'request-decided')
    expect(order).toEqual(['policy-set', 'request-decided', 'request-decided'])
    expect(test.events.find((event) => event.type === 'policy-set')).toMatchObject({
      policy: { promptCaching: true, toolResultMaxChars: 4000 },
      resolved: {
        ceiling: 2500,
        line: 2250,
        target: 1500,
        promptCaching: true,
        toolResultMaxChars: 4000,
        contextFold: { at: 0.9, target: 0.6 },
      },
    })
  })

  it('[R304] says null where there is no bound, and where nothing is folded', async () => {
    expect(await resolved({ maxInputTokens: 4000 }, chat(opening))).toMatchObject([
      { promptCaching: false, toolResultMaxChars: null, contextFold: { at: 0.8, target: 0.6 } },
    ])
    for (const policy of [{ maxInputTokens: 'none' }, { maxInputTokens: 4000, run: 'bounded' }] as const)
      expect(await resolved(policy, chat(opening))).toMatchObject([{ contextFold: null }])
  })

  it('[R385, R386, R250] tells what is wanted from what is placed, where the format holds no marks', async () => {
    const test = await openTestBranch({ policy: caching })
    const prepared = await test.branch.prepare(openAi)
    expect(prepared.request).toBe(openAi)
    expect(prepared.warnings.map(({ code }) => code)).toEqual(['setting_without_effect'])
    expect((await test.branch.prepare({ ...openAi, temperature: 1 })).warnings).toEqual([])
    expect(test.events.filter(({ type }) => type === 'warning')).toHaveLength(1)
    const told = test.events.find((event) => event.type === 'policy-set')
    expect(told).toMatchObject({ policy: { promptCaching: true }, resolved: { promptCaching: false } })
    expect((await test.store.load('chat'))?.branch.policy).toMatchObject({ promptCaching: true })
  })

  it('[R237, R251] warns of nothing where caching is off, unset, or honoured', async () => {
    for (const policy of [{}, { promptCaching: false }]) {
      const test = await openTestBranch({ policy: { maxInputTokens: 'none', ...policy } })
      expect((await test.branch.prepare(openAi)).warnings).toEqual([])
    }
    expect((await (await openCaching()).branch.prepare(chat(opening))).warnings).toEqual([])
  })

  it('[R307] leaves the names of what is kept as they are: folds, decisions and what was settled', async () => {
    const test = await openCaching()
    await sendAll(test, looped())
    const rows = await test.store.journal('chat')
    expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(['decision', 'fold', 'settlement']))
  })

  it('[R390] adds nothing to a decision of another format', async () => {
    const test = await openTestBranch({ policy: caching })
    const { decision } = await test.branch.prepare(openAi)
    expect(Object.keys(decision)).not.toContain('frontier')
  })
})
