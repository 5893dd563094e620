import { describe, expect, it } from 'vitest'
import { createDogear, type Dogear } from './dogear.ts'
import type { JsonObject } from './engine/json.ts'
import type { DogearEvent } from './events.ts'
import type { BranchChange, BranchStore } from './ports.ts'
import { memoryStore } from './stores/memory.ts'
import { storeFailure } from './testing/store-failure.ts'

const policy = { maxInputTokens: 'none' } as const

/** Two pages over one storage, each with a dogear of its own. */
async function twoTabs(store: BranchStore = memoryStore(), second: BranchStore = store) {
  const events: DogearEvent[][] = [[], []]
  const dogears = [store, second].map((own, tab) => {
    const dogear = createDogear({ store: own, policy, tokenizer: { engine: 'script' } })
    dogear.subscribe((event) => events[tab]?.push(event))
    return dogear
  }) as [Dogear, Dogear]
  const [one, two] = await Promise.all(dogears.map((dogear) => dogear.branch('chat')))
  if (!one || !two) throw new TypeError('there are two tabs')
  return { one, two, events, dogears, close: () => Promise.all(dogears.map((dogear) => dogear.close())) }
}

const talk = (...texts: string[]): JsonObject => ({
  model: 'm',
  messages: texts.map((content, place) => ({ role: place % 2 === 0 ? 'user' : 'assistant', content })),
})

async function texts(store: BranchStore): Promise<readonly string[]> {
  const { entries = [] } = (await store.load('chat')) ?? {}
  const hashes = entries.flatMap(({ source }) => source?.hash ?? [])
  const bodies = (await store.bodies([...new Set(hashes)])) as readonly { readonly content: string }[]
  return bodies.map(({ content }) => content)
}

describe('two tabs on one branch', () => {
  it('go on with one conversation in turns, on one line', async () => {
    const store = memoryStore()
    const { one, two, close } = await twoTabs(store)
    await (await one.prepare(talk('a'))).settle({ usage: { prompt_tokens: 9 } })
    await (await two.prepare(talk('a', 'b', 'c'))).settle({ usage: null })
    await (await one.prepare(talk('a', 'b', 'c', 'd', 'e'))).settle({ usage: null })
    expect(await one.lines()).toHaveLength(1)
    expect((await two.getMessages({ scope: 'all' })).messages.map(({ index }) => index)).toEqual([
      0, 1, 2, 3, 4,
    ])
    const { decisions, settlements } = await two.journal()
    expect([decisions.length, settlements.length]).toEqual([3, 3])
    expect((await two.verify()).ok).toBe(true)
    await close()
  })

  it('make two lines where they differ, and nothing of either is lost', async () => {
    const store = memoryStore()
    const { one, two, close } = await twoTabs(store)
    await one.prepare(talk('a', 'b', 'c'))
    await Promise.all([
      one.prepare(talk('a', 'b', 'c', 'd', 'left')),
      two.prepare(talk('a', 'b', 'c', 'd', 'right')),
    ])
    const divergences = (await one.lines()).map(({ divergence }) => divergence)
    expect(new Set(divergences)).toEqual(new Set([4, undefined]))
    expect([...(await texts(store))].sort()).toEqual(['a', 'b', 'c', 'd', 'left', 'right'])
    await close()
  })

  it('see the policy that the other set, and are told', async () => {
    const { one, two, events, close } = await twoTabs()
    await one.prepare(talk('a'))
    await two.status()
    await one.setPolicy({ maxInputTokens: 9000 })
    await two.status()
    expect(two.policy).toEqual({ maxInputTokens: 9000 })
    expect(events[1]?.filter(({ type }) => type === 'changed-elsewhere').length).toBeGreaterThan(0)
    expect(events[0]?.some(({ type }) => type === 'changed-elsewhere')).toBe(false)
    await close()
  })

  it('cannot write to a branch that the other deleted, and may begin a new one', async () => {
    const store = memoryStore()
    const { one, two, dogears, close } = await twoTabs(store)
    const prepared = await one.prepare(talk('a'))
    await two.status()
    await two.delete()
    await expect(one.prepare(talk('a', 'b', 'c'))).rejects.toMatchObject({ code: 'branch_deleted' })
    await expect(prepared.settle({ usage: null })).rejects.toMatchObject({ code: 'branch_deleted' })
    expect(await store.load('chat')).toBeNull()
    const again = await dogears[0].branch('chat')
    expect((await again.prepare(talk('x'))).decision.action).toBe('pass')
    await close()
  })

  it('keep a request that one of them settles after the other went on', async () => {
    const { one, two, close } = await twoTabs()
    const first = await one.prepare(talk('a'))
    await two.prepare(talk('a', 'b', 'c'))
    await first.settle({ usage: { prompt_tokens: 7 } })
    const { settlements } = await two.journal()
    expect(settlements).toMatchObject([{ requestId: first.decision.requestId, usage: { input: 7 } }])
    await close()
  })
})

/** A store on which a step of another tab comes between a step's reading and its commit. */
function interrupted(store: BranchStore): {
  readonly store: BranchStore
  before: (() => Promise<unknown>) | null
} {
  const gate: { readonly store: BranchStore; before: (() => Promise<unknown>) | null } = {
    before: null,
    store: {
      ...store,
      async commit(...changes: readonly BranchChange[]) {
        const { before } = gate
        gate.before = null
        await before?.()
        return store.commit(...changes)
      },
    },
  }
  return gate
}

describe('a step that another tab comes between, where nothing locks', () => {
  it('is stored as a line of its own, and its request can be settled', async () => {
    const store = memoryStore()
    const gate = interrupted(store)
    const { one, two, events, close } = await twoTabs(gate.store, store)
    await one.prepare(talk('a', 'b', 'c'))
    await two.status()
    gate.before = () => two.prepare(talk('a', 'b', 'c', 'd', 'theirs'))
    const ours = await one.prepare(talk('a', 'b', 'c', 'd', 'ours'))
    await ours.settle({ usage: { prompt_tokens: 30 } })
    expect([...(await texts(store))].sort()).toEqual(['a', 'b', 'c', 'd', 'ours', 'theirs'])
    const { decisions, settlements } = await two.journal()
    expect(decisions).toHaveLength(3)
    const lines = await two.lines()
    expect(lines).toHaveLength(2)
    // The lines that the journal names are there.
    for (const { lineId } of decisions) expect(lines.map(({ id }) => id)).toContain(lineId)
    expect(settlements).toHaveLength(1)
    expect(events[0]?.filter(({ type }) => type === 'store-failed')).toEqual([])
    const next = await one.prepare(talk('a', 'b', 'c', 'd', 'ours', 'f', 'g'))
    expect(next.decision.parentLineId).toBeDefined()
    expect((await one.verify()).ok).toBe(true)
    await close()
  })

  it('is stored beside a branch of that name which the other tab began', async () => {
    const store = memoryStore()
    const gate = interrupted(store)
    const { one, two, close } = await twoTabs(gate.store, store)
    gate.before = () => two.prepare(talk('theirs'))
    await one.prepare(talk('ours'))
    expect([...(await texts(store))].sort()).toEqual(['ours', 'theirs'])
    expect(await one.lines()).toHaveLength(2)
    await close()
  })

  it('does not bring back a branch that was deleted', async () => {
    const store = memoryStore()
    const gate = interrupted(store)
    const { one, two, close } = await twoTabs(gate.store, store)
    await one.prepare(talk('a'))
    await two.status()
    gate.before = () => two.delete()
    await expect(one.prepare(talk('a', 'b', 'c'))).rejects.toMatchObject({ code: 'branch_deleted' })
    expect(await store.load('chat')).toBeNull()
    await close()
  })

  it('keeps what a full disk held back, though the other tab went on', async () => {
    const store = memoryStore()
    let isFull = false
    const full: BranchStore = {
      ...store,
      commit: (...changes) =>
        isFull ? Promise.reject(new DOMException('', 'QuotaExceededError')) : store.commit(...changes),
    }
    const { one, two, events, close } = await twoTabs(full, store)
    await one.prepare(talk('a', 'b', 'c'))
    isFull = true
    await one.prepare(talk('a', 'b', 'c', 'd', 'held back'))
    await two.prepare(talk('a', 'b', 'c', 'd', 'theirs'))
    isFull = false
    await one.status()
    await one.prepare(talk('a', 'b', 'c', 'd', 'held back', 'f', 'g'))
    expect(events[0]?.filter(({ type }) => type === 'store-failed')).toHaveLength(1)
    expect([...(await texts(store))].sort()).toEqual(['a', 'b', 'c', 'd', 'f', 'g', 'held back', 'theirs'])
    expect((await two.journal()).decisions).toHaveLength(4)
    await close()
  })

  it('is told of, and kept in memory, where others come between each time', async () => {
    const store = memoryStore()
    const crowded: BranchStore = {
      ...store,
      async commit(...changes) {
        const row = await store.row('chat')
        if (row)
          await store.commit({ ...emptyChange(row), branch: { ...row, revision: crypto.randomUUID() } })
        return store.commit(...changes)
      },
    }
    const { one, events, close } = await twoTabs(crowded, store)
    await one.prepare(talk('a'))
    await one.prepare(talk('a', 'b', 'c'))
    expect(events[0]?.filter(({ type }) => type === 'store-failed')).toMatchObject([{ code: 'store_stale' }])
    expect((await one.getMessages({ scope: 'all' })).messages).toHaveLength(3)
    await close()
  })
})

function emptyChange(branch: BranchChange['branch']): BranchChange {
  return { branch, lines: [], entries: [], bodies: [], journal: [], durability: 'relaxed' }
}

it('a change from another revision is refused with its code', async () => {
  const store = memoryStore()
  const branch = { ...((await rowOf(store)) ?? {}) } as BranchChange['branch']
  const failure = await storeFailure(store.commit({ ...emptyChange(branch), from: 'older' }))
  expect(failure).toMatchObject({ code: 'store_stale', fields: { branchId: 'chat' } })
})

async function rowOf(store: BranchStore) {
  const dogear = createDogear({ store, policy, tokenizer: { engine: 'script' } })
  await (await dogear.branch('chat')).prepare(talk('a'))
  await dogear.close()
  return store.row('chat')
}
