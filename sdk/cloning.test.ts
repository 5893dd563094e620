import { afterEach, describe, expect, it } from 'vitest'
import type { Branch } from './branch.ts'
import { createDogear, type Dogear } from './dogear.ts'
import type { BranchStore } from './ports.ts'
import { memoryStore } from './stores/memory.ts'
import { messagesOf } from './testing/play-conversation.ts'
import { readWhole } from './testing/read-whole.ts'
import { numberedText, type ToolChatRound, toolChat } from './testing/tool-chat.ts'

const opened: Dogear[] = []

afterEach(async () => {
  for (const dogear of opened.splice(0)) await dogear.close()
})

function open(store: BranchStore = memoryStore()): Dogear {
  const dogear = createDogear({ store: { ...store, close: async () => undefined } })
  opened.push(dogear)
  return dogear
}

const long = numberedText(30_000, 'long')
const played: readonly ToolChatRound[] = [
  { results: [numberedText(3000, 'one')] },
  ...Array.from(
    { length: 4 },
    (_, part): ToolChatRound => ({ results: [numberedText(1500, `part ${part},`)] }),
  ),
  { results: [long] },
]

/** Notes and copies have indexes of their own, so what came after them is found by what it is. */
async function indexOfLong(branch: Branch): Promise<number> {
  const { messages } = await branch.getMessages({ scope: 'all' })
  return messages.find(({ kind, chars }) => kind === 'result' && chars === long.length)?.index ?? -1
}

async function folded(dogear: Dogear, ceiling = 6000): Promise<Branch> {
  const branch = await dogear.branch('source', { policy: { maxInputTokens: ceiling } })
  for (let length = 1; length <= played.length; length++) {
    const prepared = await branch.prepare(toolChat(played.slice(0, length)))
    await prepared.settle({ usage: { prompt_tokens: Math.round(prepared.decision.counted * 1.1) } })
  }
  return branch
}

async function everythingOf(store: BranchStore, id: string): Promise<string> {
  return JSON.stringify([await store.load(id), await store.journal(id)])
}

describe('a clone', () => {
  it('[R75, R153, R290] has the view, the marks, the pins, the scale and the policy of its source, under the same indexes', async () => {
    const store = memoryStore()
    const source = await folded(open(store))
    await source.pin(3)
    await source.evict({ start: 5 })
    const clone = await source.clone('copy')
    const { messages } = await source.getMessages({ scope: 'all' })
    expect(messages.map(({ state }) => state)).toEqual(expect.arrayContaining(['clipped', 'out']))
    expect((await clone.getMessages({ scope: 'all' })).messages).toEqual(messages)
    expect((await clone.getMessages()).messages).toEqual((await source.getMessages()).messages)
    expect(clone.policy).toEqual(source.policy)
    expect(clone.id).toBe('copy')
    expect(await clone.status()).toMatchObject({ scale: (await source.status()).scale, ceiling: null })
    expect(await clone.evict({ start: 2, end: 4 })).toMatchObject({ success: false })
    expect(await readWhole(clone, await indexOfLong(clone))).toBe(long)
    expect((await clone.verify()).ok).toBe(true)
    expect(await clone.journal()).toEqual({ decisions: [], folds: [], settlements: [] })
  })

  it('[R153] sends what its source would have sent, and restores by itself', async () => {
    const source = await folded(open())
    const clone = await source.clone()
    const next = [...played, { results: ['done'] }]
    const [one, other] = [await source.prepare(toolChat(next)), await clone.prepare(toolChat(next))]
    expect(other.request).toEqual(one.request)
    await clone.setPolicy({ maxInputTokens: 'none' })
    expect(await clone.restore({ start: 0, end: 100 })).toMatchObject({ success: true })
    expect((await clone.prepare(toolChat(next))).request).toEqual(toolChat(next))
  })

  it('[R68, R290, R294] leaves its source as it was, whatever becomes of it', async () => {
    const store = memoryStore()
    const dogear = open(store)
    const source = await folded(dogear)
    const before = await everythingOf(store, 'source')
    const clone = await source.clone('copy')
    expect(await everythingOf(store, 'source')).toBe(before)
    await clone.restore({ start: 5 })
    await clone.setPolicy({ maxInputTokens: 1500 })
    await clone.prepare(toolChat([...played, { results: [numberedText(9000)] }])).catch(() => undefined)
    await clone.delete()
    expect(await everythingOf(store, 'source')).toBe(before)
    expect(await readWhole(source, await indexOfLong(source))).toBe(long)
  })

  it('[R291, R292, R294] is measured at its first request under its own ceiling, and folds its own copy', async () => {
    const store = memoryStore()
    const source = await folded(open(store), 60_000)
    const before = await everythingOf(store, 'source')
    const clone = await source.clone('copy')
    await clone.setPolicy({ maxInputTokens: 4000 })
    const { decision } = await clone.prepare(toolChat([...played, { results: ['done'] }]))
    expect(decision).toMatchObject({
      method: 'counted',
      action: 'fold',
      ceiling: 4000,
      branchId: 'copy',
      sequence: 0,
    })
    expect(decision.after).toBeLessThanOrEqual(4000)
    expect(await everythingOf(store, 'source')).toBe(before)
  })

  it('[R292, R293, R294] is refused by itself where it is bounded and over its ceiling', async () => {
    const store = memoryStore()
    const source = await folded(open(store), 60_000)
    const [bounded, sibling] = [await source.clone('bounded'), await source.clone('sibling')]
    await bounded.setPolicy({ maxInputTokens: 4000, run: 'bounded' })
    await expect(bounded.prepare(toolChat(played))).rejects.toMatchObject({
      code: 'input_ceiling_exceeded',
      reason: 'bounded_run',
      estimate: expect.any(Number),
    })
    expect((await sibling.prepare(toolChat(played))).decision.sent).toBe(true)
    expect((await source.prepare(toolChat(played))).decision.sent).toBe(true)
  })

  it('takes no name of a branch that is only stored', async () => {
    const store = memoryStore()
    await (await open(store).branch('stored')).prepare(toolChat(played.slice(0, 1)))
    const before = await everythingOf(store, 'stored')
    const source = await open(store).branch('source')
    await expect(source.clone('stored')).rejects.toMatchObject({ code: 'invalid_argument' })
    expect(await everythingOf(store, 'stored')).toBe(before)
  })

  it('has the policy of a source that never made a request', async () => {
    const source = await open().branch('source', { policy: { maxInputTokens: 1234, notice: true } })
    expect((await source.clone()).policy).toEqual({ maxInputTokens: 1234, notice: true })
  })

  it('takes a name that is free, or makes one up', async () => {
    const dogear = open()
    const source = await folded(dogear)
    for (const taken of ['source', '', 5, null])
      await expect(source.clone(taken as string)).rejects.toMatchObject({ code: 'invalid_argument' })
    const [first, second] = [await source.clone(), await source.clone()]
    expect(new Set([first.id, second.id, source.id]).size).toBe(3)
    await expect(source.clone(first.id)).rejects.toMatchObject({ code: 'invalid_argument' })
    const both = await Promise.allSettled([first.clone('x'), second.clone('x')])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await dogear.branch(first.id)).toBe(first)
  })

  it('is there after a reload, without the refusal of its source', async () => {
    const store = memoryStore()
    const first = open(store)
    const source = await folded(first)
    const over = toolChat([...played, { results: [] }], {
      after: [{ role: 'user', content: numberedText(60_000) }],
    })
    await expect(source.prepare(over)).rejects.toMatchObject({ code: 'input_ceiling_exceeded' })
    await source.clone('copy')
    await first.close()
    const again = await open(store).branch('copy')
    expect((await again.getMessages()).total).toBeGreaterThan(messagesOf(over).length - 5)
    await expect(again.prepare(over)).rejects.toMatchObject({ code: 'input_ceiling_exceeded' })
    const [decision] = (await again.journal()).decisions
    expect(decision?.trace.some(({ type }) => type === 'refusal_stands')).toBe(false)
  })

  it('holds the whole of a line that had split from another, and nothing of that other', async () => {
    const store = memoryStore()
    const first = open(store)
    const source = await first.branch('source', { policy: { maxInputTokens: 'none' } })
    await source.prepare(toolChat(played.slice(0, 3)))
    const edited = toolChat([...played.slice(0, 2), { results: ['another'] }])
    await source.prepare(edited)
    expect(await source.lines()).toHaveLength(2)
    const clone = await source.clone('copy')
    expect(await clone.lines()).toHaveLength(1)
    await first.close()
    const again = await open(store).branch('copy')
    const { messages } = await again.getMessages({ scope: 'all' })
    expect(messages).toHaveLength(10)
    expect(messages.at(-1)?.preview).toBe('another')
    expect(await again.verify()).toMatchObject({ ok: true, originals: 10 })
    expect((await again.prepare(edited)).request).toEqual(edited)
    expect(await again.lines()).toHaveLength(1)
  })

  it('keeps what its source could not store yet', async () => {
    const store = memoryStore()
    let failing = false
    const dogear = open({
      ...store,
      async commit(change) {
        if (failing && change.branch.id === 'source') throw new Error('disk full')
        await store.commit(change)
      },
    })
    failing = true
    const source = await folded(dogear)
    const clone = await source.clone('copy')
    expect(await clone.verify()).toMatchObject({ ok: true })
    expect((await source.verify()).ok).toBe(true)
  })
})
