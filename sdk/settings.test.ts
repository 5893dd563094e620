import { afterEach, describe, expect, it } from 'vitest'
import type { DogearOptions } from './dogear.ts'
import { createDogear, type Dogear } from './dogear.ts'
import type { ContextPolicy } from './engine/policy.ts'
import type { DogearEvent } from './events.ts'
import type { BranchStore } from './ports.ts'
import { memoryStore } from './stores/memory.ts'
import { messagesOf } from './testing/play-conversation.ts'
import { resultsIn } from './testing/sent-request.ts'
import { numberedText, toolChat } from './testing/tool-chat.ts'

const opened: Dogear[] = []

afterEach(async () => {
  for (const dogear of opened.splice(0)) await dogear.close()
})

function open(store: BranchStore, options: DogearOptions = {}): Dogear {
  const dogear = createDogear({ ...options, store: { ...store, close: async () => undefined } })
  opened.push(dogear)
  return dogear
}

const long = toolChat([{ results: [numberedText(9000)] }])
const plain = toolChat([])

/** Length of the one result in what was sent. */
function sentLength(request: unknown): number {
  return String(resultsIn(messagesOf(request))[0]?.content).length
}

describe('settings that are refused', () => {
  const accepted: readonly ContextPolicy[] = [
    { toolResultMaxChars: 1024 },
    { contextFoldAt: 1 },
    { contextFoldAt: 0.7 },
    { contextFoldTarget: 0.79 },
    { contextFoldAt: 0.9, contextFoldTarget: 0.5 },
    { promptCaching: false },
    { promptCaching: true },
    { maxInputTokens: 1 },
    { maxInputTokens: 'auto' },
    { maxInputTokens: 'none' },
    { contextFoldTailMargin: 3 },
  ]
  const refused: readonly unknown[] = [
    { toolResultMaxChars: 1023 },
    { toolResultMaxChars: 1024.5 },
    { toolResultMaxChars: '4000' },
    { toolResultMaxChars: null },
    { toolResultMaxChars: true },
    { contextFoldAt: 0 },
    { contextFoldAt: 1.01 },
    { contextFoldAt: Number.NaN },
    { contextFoldAt: true },
    { contextFoldAt: 0.6 },
    { contextFoldTarget: 0.8 },
    { contextFoldAt: 1, contextFoldTarget: 1 },
    { promptCaching: 'true' },
    { promptCaching: 'yes' },
    { promptCaching: 1 },
    { maxInputTokens: 0 },
    { maxInputTokens: -1 },
    { maxInputTokens: true },
    { maxInputTokens: 1.5 },
    { maxInputTokens: 'AUTO' },
  ]

  it.each(accepted)('[R235, R236, R237, R249] are not %j', async (policy) => {
    const branch = await open(memoryStore()).branch('a', { policy })
    expect(branch.policy).toEqual(policy)
    await branch.setPolicy({})
    await branch.setPolicy(policy)
    expect(branch.policy).toEqual(policy)
  })

  it.each(refused)(
    '[R235, R236, R237, R238] are %j, wherever they come from and before anything is opened',
    async (policy) => {
      const touched: string[] = []
      const store = new Proxy(memoryStore(), {
        get(target, name: keyof BranchStore) {
          if (name !== 'close' && name !== 'sharing') touched.push(name)
          return target[name]
        },
      })
      const fault = expect.objectContaining({ code: 'invalid_policy' })
      expect(() => createDogear({ store, policy: policy as ContextPolicy })).toThrow(fault)
      const dogear = createDogear({ store })
      opened.push(dogear)
      await expect(dogear.branch('a', { policy: policy as ContextPolicy })).rejects.toEqual(fault)
      expect(touched).toEqual([])
      const branch = await dogear.branch('a', { policy: { maxInputTokens: 9000 } })
      await expect(branch.setPolicy(policy as ContextPolicy)).rejects.toEqual(fault)
      await expect(branch.preview(policy as ContextPolicy)).rejects.toEqual(fault)
      expect(branch.policy).toEqual({ maxInputTokens: 9000 })
    },
  )
})

describe('settings that a request gives nothing to do', () => {
  async function warningsOf(policy: ContextPolicy, request: unknown): Promise<readonly string[]> {
    const dogear = open(memoryStore())
    const heard: DogearEvent[] = []
    dogear.subscribe((event) => heard.push(event))
    const branch = await dogear.branch('a', { policy: { maxInputTokens: 'none', ...policy } })
    expect((await branch.prepare(request)).decision.sent).toBe(true)
    await branch.prepare(request)
    return heard.flatMap((event) =>
      event.type === 'warning' ? (event.warning.message.split(' ')[0] ?? '') : [],
    )
  }

  it('[R240] are a warning where there are no tools, once, and never a refusal', async () => {
    expect(await warningsOf({ toolResultMaxChars: 4000 }, plain)).toEqual(['toolResultMaxChars'])
    expect(await warningsOf({ toolResultMaxChars: 4000 }, long)).toEqual([])
    const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }]
    expect(await warningsOf({ toolResultMaxChars: 4000 }, toolChat([], { tools }))).toEqual([])
    expect(await warningsOf({ contextFoldAt: 0.9, promptCaching: false }, plain)).toEqual([])
  })

  it('[R241] are a warning where the format cannot do it, and never a refusal', async () => {
    expect(await warningsOf({ promptCaching: true }, long)).toEqual(['promptCaching'])
    const anthropic = {
      model: 'm',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'Hello.' }],
      system: 'x',
    }
    expect(await warningsOf({ promptCaching: true }, anthropic)).toEqual([])
  })
})

describe('settings of a branch', () => {
  const asked: ContextPolicy = { maxInputTokens: 'none', toolResultMaxChars: 4000, promptCaching: true }

  it('[R242, R247, R384] are stored with it as they were asked for, what was not asked for absent', async () => {
    const store = memoryStore()
    await (await open(store).branch('a', { policy: asked })).prepare(long)
    expect((await store.load('a'))?.branch.policy).toStrictEqual(asked)
  })

  it('[R243] are refused where what is stored of them is malformed, and null reads as unset', async () => {
    const store = memoryStore()
    await (await open(store).branch('a', { policy: asked })).prepare(long)
    const stored = await store.load('a')
    const over = (policy: object): BranchStore => ({
      ...store,
      row: async () => stored && { ...stored.branch, policy: { ...policy } },
    })
    await expect(open(over({ toolResultMaxChars: 12 })).branch('a')).rejects.toMatchObject({
      code: 'invalid_policy',
    })
    const branch = await open(over({ maxInputTokens: 'none', toolResultMaxChars: null })).branch('a')
    expect(branch.policy).toEqual({ maxInputTokens: 'none' })
  })

  it('[R244, R245, R246] are in force at the first request after it was opened again', async () => {
    const store = memoryStore()
    const first = await open(store).branch('a', { policy: asked })
    expect(sentLength((await first.prepare(long)).request)).toBe(4000)
    const silent = await open(store).branch('a')
    expect(sentLength((await silent.prepare(long)).request)).toBe(4000)
    const without = await open(store).branch('a', { policy: { maxInputTokens: 'none' } })
    expect(sentLength((await without.prepare(long)).request)).toBe(9000)
    expect(without.policy).toEqual({ maxInputTokens: 'none', promptCaching: true })
    const off = await open(store).branch('a', { policy: { promptCaching: false } })
    expect(off.policy).toEqual({ promptCaching: false })
  })

  it('[R246] are in force from the next request on when they are changed', async () => {
    const branch = await open(memoryStore()).branch('a', { policy: { maxInputTokens: 'none' } })
    expect(sentLength((await branch.prepare(long)).request)).toBe(9000)
    await branch.setPolicy({ maxInputTokens: 'none', toolResultMaxChars: 2000 })
    expect(sentLength((await branch.prepare(long)).request)).toBe(2000)
  })

  it('[R248] are its own: another branch keeps its settings', async () => {
    const store = memoryStore()
    const dogear = open(store, { policy: { maxInputTokens: 50_000 } })
    const [one, other] = [await dogear.branch('one'), await dogear.branch('other')]
    await one.setPolicy(asked)
    await one.prepare(long)
    expect(other.policy).toEqual({ maxInputTokens: 50_000 })
    expect(sentLength((await other.prepare(long)).request)).toBe(9000)
    expect((await dogear.branch('third')).policy).toEqual({ maxInputTokens: 50_000 })
  })

  it('[R252] change nothing of a request where none is set, after curating too', async () => {
    const branch = await open(memoryStore()).branch('a', { policy: { maxInputTokens: 'none' } })
    const chat = toolChat([{ results: ['one'] }, { results: ['two'] }, { results: ['three'] }])
    await branch.prepare(chat)
    await branch.evict({ start: 3 })
    await branch.contextTool.run({ action: 'read_result', index: 3 })
    await branch.restore({ start: 3 })
    await branch.compact({ start: 1, end: 7, summary: 'x' })
    await branch.restore({ start: 1, end: 7 })
    const { request } = await branch.prepare(chat)
    expect(request).toEqual(chat)
    expect(JSON.stringify(request)).toBe(JSON.stringify(chat))
  })
})
