import { describe, expect, it } from 'vitest'
import { createDogear } from './dogear.ts'
import type { BranchStore } from './ports.ts'
import { memoryStore } from './stores/memory.ts'
import { branchRow, changeOf } from './testing/store-rows.ts'
import { tidy } from './tidying.ts'

const DAY = 86_400_000

/** Branches by their names, each with so many bytes, a day between one and the next; the last is of now. */
async function storeWith(branches: Readonly<Record<string, number>>): Promise<BranchStore> {
  const store = memoryStore()
  const names = Object.keys(branches)
  for (const [place, id] of names.entries()) {
    const updatedAt = 100 * DAY - (names.length - 1 - place) * DAY
    await store.commit(changeOf(id, { branch: branchRow(id, { updatedAt, bytes: branches[id] ?? 0 }) }))
  }
  return store
}

const settings = { now: 100 * DAY, isOpen: () => false }
const ids = async (store: BranchStore) => (await store.branches()).map(({ id }) => id)

describe('tidying up', () => {
  it('deletes what is older than its limit', async () => {
    const store = await storeWith({ a: 1, b: 1, c: 1, d: 1 })
    expect(await tidy(store, { ...settings, maxAgeMs: 2 * DAY })).toEqual({ deleted: ['a'], collected: 0 })
    expect(await ids(store)).toEqual(['d', 'c', 'b'])
  })

  it('deletes the oldest until the rest is within its limit', async () => {
    const store = await storeWith({ a: 50, b: 10, c: 30, d: 20 })
    expect((await tidy(store, { ...settings, maxBytes: 50 })).deleted).toEqual(['a', 'b'])
    expect((await tidy(store, { ...settings, maxBytes: 50 })).deleted).toEqual([])
  })

  it('never deletes what is open, here or elsewhere', async () => {
    const store = await storeWith({ a: 50, b: 10, c: 30, d: 20 })
    const shared: BranchStore = {
      ...store,
      sharing: {
        exclusively: (_, step) => step(true),
        subscribe: () => () => undefined,
        hold: () => () => undefined,
        held: async () => new Set(['b']),
      },
    }
    const open = { ...settings, isOpen: (id: string) => id === 'a' }
    expect((await tidy(shared, { ...open, maxBytes: 65, maxAgeMs: DAY / 2 })).deleted).toEqual(['c'])
    expect(await ids(store)).toEqual(['d', 'b', 'a'])
  })

  it('deletes nothing where no limit is set, and refuses what is none', async () => {
    const store = await storeWith({ a: 1 })
    const dogear = createDogear({ store })
    expect(await dogear.tidy()).toEqual({ deleted: [], collected: 0 })
    await expect(dogear.tidy({ maxBytes: -1 })).rejects.toMatchObject({ code: 'invalid_argument' })
    await expect(dogear.tidy({ maxAgeMs: Number.NaN })).rejects.toMatchObject({ code: 'invalid_argument' })
    await dogear.branch('a')
    expect((await dogear.tidy({ maxBytes: 0, maxAgeMs: 0 })).deleted).toEqual([])
    await dogear.close()
    expect(await ids(store)).toEqual(['a'])
  })
})
