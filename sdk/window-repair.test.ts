import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from './engine/json.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { closeFetches } from './testing/open-fetch.ts'
import { openRepairing, statusesOf, types, words } from './testing/open-repairing.ts'

afterEach(closeFetches)

describe('a round that is over its window before it is sent', () => {
  it('[R311, R315, R316, R317] is repaired by what was reported last', async () => {
    const test = openRepairing({ format: 'openai-chat', model: { window: 3600, factor: 1.2 }, window: 3600 })
    for (const turns of [2, 6, 10]) await (await test.send(turns)).text()
    expect(await statusesOf(test, () => test.send(14))).toEqual([200, 200])
    expect(test.events.find(({ type }) => type === 'round-repaired')).toMatchObject({ trigger: 'usage' })
  })

  it('[R318, R319] is repaired by the count where nothing was reported, and never refused by it', async () => {
    const test = openRepairing({ format: 'openai-chat', model: { window: 100_000 }, window: 3600 })
    expect(await statusesOf(test, () => test.send(20))).toEqual([200, 200])
    expect(test.events.find(({ type }) => type === 'round-repaired')).toMatchObject({
      trigger: 'wall',
      limit: 3600,
    })
    const alone = openRepairing({ format: 'openai-chat', model: { window: 100_000 }, window: 600 })
    const one = {
      model: 'm',
      messages: [{ role: 'user', content: Array.from({ length: 9 }, (_, i) => words(i)).join() }],
    }
    expect(await statusesOf(alone, () => alone.post(one))).toEqual([200])
  })

  it('[R330, R331, R333, R335, R365] is repaired by clearing results alone where they are enough', async () => {
    const test = openRepairing({ format: 'openai-chat', model: { window: 100_000 }, window: 6000 })
    const rounds = (count: number): JsonObject[] =>
      Array.from({ length: count }, (_, place) => [
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: `c${place}`,
              type: 'function',
              function: { name: 'read', arguments: `{"path":"p${place}.ts"}` },
            },
          ],
        },
        { role: 'tool', tool_call_id: `c${place}`, content: words(place).repeat(2) },
      ]).flat()
    const chat = (count: number): JsonObject => ({
      model: 'm',
      tools: [
        { type: 'function', function: { name: 'read', parameters: { type: 'object', properties: {} } } },
      ],
      messages: [{ role: 'user', content: 'Read them all.' }, ...rounds(count)],
    })
    for (let count = 1; count <= 24; count++) await test.post(chat(count))
    const repaired = test.events.find(({ type }) => type === 'round-repaired')
    expect(repaired).toMatchObject({ mode: 'prune' })
    const { folds } = await (await test.dogear.branch('chat')).journal()
    const fold = folds.find(({ stage, outcome }) => stage === 'prune' && outcome === 'landed')
    expect(fold?.clearedTotal).toBeGreaterThan(3)
    expect(fold?.prunedBefore).toBeGreaterThan(0)
    expect(test.provider.requests.every(({ status }) => status === 200)).toBe(true)
    const last = JSON.stringify(test.provider.requests.at(-1)?.turn.messages)
    expect(last).toContain('Older tool result cleared')
    expect(last).toContain(words(23))
  })
})

describe('a request that is just under its window', () => {
  it('[R312, R326] leaves as it came, whatever output it asks for', async () => {
    const test = openRepairing({ format: 'anthropic', model: { window: 100_000 }, window: 2000 })
    for (const turns of [2, 4, 5]) await test.send(turns)
    const { decisions } = await (await test.dogear.branch('chat')).journal()
    expect(decisions.map(({ action }) => action)).toEqual(['pass', 'pass', 'pass'])
  })

  it('[R332] is repaired by a summary where clearing would not bring it there', async () => {
    const test = openRepairing({ format: 'openai-chat', model: { window: 100_000 }, window: 3600 })
    const rounds = Array.from({ length: 2 }, (_, place): JsonObject[] => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: `c${place}`, type: 'function', function: { name: 'read', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: `c${place}`, content: words(place) },
    ]).flat()
    const talked = Array.from(
      { length: 30 },
      (_, place): JsonObject => ({
        role: place % 2 === 0 ? 'user' : 'assistant',
        content: words(place),
      }),
    )
    const body = (more: readonly JsonObject[]): JsonObject => ({
      model: 'm',
      messages: [
        { role: 'user', content: 'Read.' },
        ...rounds,
        { role: 'assistant', content: 'So.' },
        ...more,
      ],
    })
    await test.post(body(talked.slice(0, 3)))
    await test.post(body(talked.slice(0, 29)))
    const { folds } = await (await test.dogear.branch('chat')).journal()
    expect(folds.map(({ stage, outcome }) => [stage, outcome])).toEqual([
      ['prune', 'rolled_back'],
      ['summary', 'landed'],
    ])
  })
})

describe('a report that is lower than it can be', () => {
  it('[R324, R396] is said, and nothing is done about it', async () => {
    const test = openRepairing({ format: 'openai-chat', model: { window: 1500, truncatesSilently: true } })
    for (const turns of [2, 6, 10, 14]) await (await test.send(turns)).text()
    expect(types(test)).not.toContain('truncation-suspected')
    const lower = openRepairing({
      format: 'openai-chat',
      model: { window: 100_000 },
      interfere: (_, place) =>
        place === 3 ? { type: 'report', usage: { input: 700, cacheRead: 0, cacheWrite: 0 } } : null,
    })
    for (const turns of [2, 6, 10]) await (await lower.send(turns)).text()
    await (await lower.dogear.branch('chat')).status()
    const { settlements } = await (await lower.dogear.branch('chat')).journal()
    expect(settlements.at(-1)?.inputTruncationSuspected).toBe(true)
    expect(types(lower)).toContain('truncation-suspected')
    expect(types(lower)).not.toContain('round-repaired')
  })
})

describe('a request over its window that nobody could summarise', () => {
  it('is sent, for the provider decides, and the app is told', async () => {
    const { branch } = await openTestBranch({ findModel: async () => ({ contextWindow: 1000 }) })
    const messages = Array.from({ length: 21 }, (_, place) => ({
      role: place % 2 === 0 ? 'user' : 'assistant',
      content: words(place),
    }))
    const { decision, warnings } = await branch.prepare({ model: 'm', messages })
    expect(decision).toMatchObject({ window: 1000, action: 'pass', sent: true })
    expect(warnings).toMatchObject([{ code: 'summary_unavailable' }])
  })
})
