import fc from 'fast-check'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { StoreError } from '../errors.ts'
import type { BranchStore } from '../ports.ts'
import { freshDatabase } from '../testing/fresh-database.ts'
import { describeBranchStore } from '../testing/store-contract.ts'
import {
  bodyRow,
  branchRow,
  changeOf,
  entryOf,
  entryRow,
  hashOf,
  journalRow,
  smallBranch,
} from '../testing/store-rows.ts'
import { indexedDbStore } from './idb.ts'
import { memoryStore } from './memory.ts'

describeBranchStore('indexedDbStore', () => indexedDbStore({ name: freshDatabase() }), {
  describe,
  it,
  beforeEach,
  afterEach,
  expect,
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe('indexedDbStore', () => {
  it('touches no database until it is used', async () => {
    const open = vi.spyOn(IDBFactory.prototype, 'open')
    const store = indexedDbStore({ name: freshDatabase() })
    await store.close()
    expect(open).not.toHaveBeenCalled()
    await store.branches()
    expect(open).toHaveBeenCalledOnce()
    await store.close()
  })

  it('uses one database where no name is given', async () => {
    const store = indexedDbStore()
    await store.commit(smallBranch('a'))
    await store.close()
    expect((await indexedDB.databases()).map((database) => database.name)).toContain('dogear')
    await deleteDB('dogear')
  })

  it('shows a new store of the same name all that an earlier one kept', async () => {
    const name = freshDatabase()
    const before = indexedDbStore({ name })
    await before.commit(smallBranch('a'))
    const kept = await before.load('a')
    await before.close()

    const after = indexedDbStore({ name })
    expect(await after.branches()).toEqual([branchRow('a')])
    expect(await after.load('a')).toEqual(kept)
    expect(await after.journal('a')).toEqual([journalRow('a', 0)])
    expect(await after.bodies([hashOf('a')])).toEqual([{ role: 'user', content: 'a' }])
    await after.close()
  })

  it('shows each of two open stores what the other commits, and keeps stores of other names apart', async () => {
    const name = freshDatabase()
    const [one, two, apart] = [
      indexedDbStore({ name }),
      indexedDbStore({ name }),
      indexedDbStore({ name: freshDatabase() }),
    ]
    await one.commit(smallBranch('a'))
    expect(await two.load('a')).toEqual(await one.load('a'))
    await two.delete('a')
    expect(await one.load('a')).toBeNull()
    expect(await apart.branches()).toEqual([])
    await Promise.all([one, two, apart].map((store) => store.close()))
  })

  it('keeps every append of two stores that write to one line, in one order', async () => {
    const name = freshDatabase()
    const stores = [indexedDbStore({ name }), indexedDbStore({ name })]
    await Promise.all(stores.map((store, writer) => appendEach(store, writer, 50)))
    const [seen, alsoSeen] = await Promise.all(stores.map((store) => store.load('a')))
    expect(seen).toEqual(alsoSeen)
    expect(seen?.entries.map((entry) => entry.index)).toEqual(
      Array.from({ length: 100 }, (_, index) => index),
    )
    expect(new Set(seen?.entries.map((entry) => entry.key)).size).toBe(100)
    await Promise.all(stores.map((store) => store.close()))
  })

  it('lists branches without opening their entries or bodies, and loads one without its bodies', async () => {
    const store = indexedDbStore({ name: freshDatabase() })
    await store.commit(smallBranch('a'))
    const begun = vi.spyOn(IDBDatabase.prototype, 'transaction')
    await store.branches()
    expect(begun.mock.calls.map(([stores]) => stores)).toEqual([['branches']])
    await store.load('a')
    expect(begun.mock.lastCall?.[0]).toEqual(['branches', 'lines', 'entries'])
    await store.close()
  })

  it('stores a step in one transaction, which waits for the disk where the change asks for it', async () => {
    const store = indexedDbStore({ name: freshDatabase() })
    await store.branches()
    const begun = vi.spyOn(IDBDatabase.prototype, 'transaction')
    await store.commit({ ...smallBranch('a'), durability: 'strict' })
    await store.commit({ ...smallBranch('b'), durability: 'relaxed' })
    await store.delete('a')
    const transactions = begun.mock.results.map((result) => result.value)
    expect(transactions.map((transaction) => transaction.durability)).toEqual(['strict', 'relaxed', 'strict'])
    await store.close()
  })

  it('lets go of the database when it is closed', async () => {
    const store = indexedDbStore({ name: freshDatabase() })
    const closed = vi.spyOn(IDBDatabase.prototype, 'close')
    await store.branches()
    await store.close()
    expect(closed).toHaveBeenCalledOnce()
  })

  it('answers as the memory store does, whatever is asked of it (seed 20260701)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 25 }), async (operations) => {
        const name = `model-${crypto.randomUUID()}`
        const store = indexedDbStore({ name })
        const model = memoryStore()
        for (const run of operations) expect(await outcome(run(store))).toEqual(await outcome(run(model)))
        for (const branchId of branchIds) {
          expect(await store.load(branchId)).toEqual(await model.load(branchId))
          expect(await store.journal(branchId)).toEqual(await model.journal(branchId))
        }
        expect(await store.branches()).toEqual(await model.branches())
        for (const body of bodyNames)
          expect(await outcome(store.bodies([hashOf(body)]))).toEqual(
            await outcome(model.bodies([hashOf(body)])),
          )
        await store.close()
        await deleteDB(name)
      }),
      { seed: 20260701, numRuns: 60 },
    )
  })
})

const branchIds = ['a', 'aa', 'b']
const bodyNames = ['one', 'two', 'three']

const branchId = fc.constantFrom(...branchIds)
const bodyName = fc.constantFrom(...bodyNames)
const small = fc.nat({ max: 3 })

const commit = fc
  .record({
    branchId,
    updatedAt: small,
    entries: fc.array(
      fc.record({ index: small, body: fc.option(bodyName), chars: fc.constantFrom(1, 1, 1, 2) }),
      { maxLength: 3 },
    ),
    bodies: fc.array(fc.record({ name: bodyName, content: small }), { maxLength: 2 }),
    journal: fc.array(fc.record({ sequence: small, attempt: fc.constantFrom(1, 1, 1, 2) }), { maxLength: 2 }),
  })
  .map(({ branchId, updatedAt, entries, bodies, journal }) => {
    const change = changeOf(branchId, {
      branch: branchRow(branchId, { updatedAt }),
      entries: entries.map(({ index, body, chars }) => ({
        ...(body === null ? entryRow(branchId, index) : entryOf(branchId, index, body)),
        chars,
      })),
      bodies: bodies.map(({ name, content }) => bodyRow(name, content)),
      journal: journal.map(({ sequence, attempt }) => journalRow(branchId, sequence, `request-${attempt}`)),
    })
    return (store: BranchStore) => store.commit(change)
  })

const operation = fc.oneof(
  { weight: 4, arbitrary: commit },
  { weight: 1, arbitrary: branchId.map((id) => (store: BranchStore) => store.delete(id)) },
)

/** What came of it: the value, or the code of the error. */
async function outcome(
  attempt: Promise<unknown>,
): Promise<{ readonly value: unknown } | { readonly code: string }> {
  try {
    return { value: await attempt }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return { code: error.code }
  }
}

/** Appends as a tab does: reads where the line ends, writes there, and reads again when another was faster. */
async function appendEach(store: BranchStore, writer: number, count: number): Promise<void> {
  for (let done = 0; done < count; ) {
    const index = (await store.load('a'))?.entries.length ?? 0
    const entries = [entryRow('a', index, { key: `${writer}-${done}` })]
    const result = await outcome(store.commit(changeOf('a', { entries })))
    if ('value' in result) done++
    else expect(result.code).toBe('store_conflict')
  }
}
