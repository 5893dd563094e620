import { openDB } from 'idb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BranchStore } from '../ports.ts'
import { freshDatabase } from '../testing/fresh-database.ts'
import { storeFailure } from '../testing/store-failure.ts'
import {
  bodyRow,
  branchRow,
  changeOf,
  entryOf,
  journalRow,
  lineRow,
  smallBranch,
} from '../testing/store-rows.ts'
import { indexedDbStore } from './idb.ts'

interface Fault {
  readonly what: string
  /** Stands in for one write to an object store. */
  readonly instead: (objectStore: IDBObjectStore, write: () => IDBRequest) => IDBRequest
  readonly code: string
  /** Name of the browser's own error. */
  readonly cause: RegExp
}

const faults: readonly Fault[] = [
  {
    what: 'a full disk',
    instead: () => raise('QuotaExceededError'),
    code: 'store_full',
    cause: /^QuotaExceededError$/,
  },
  {
    what: 'an unknown error',
    instead: () => raise('UnknownError'),
    code: 'store_failed',
    cause: /^UnknownError$/,
  },
  {
    what: 'a request that fails',
    instead: ({ transaction }) => transaction.objectStore('branches').add(branchRow('kept')),
    code: 'store_failed',
    cause: /^ConstraintError$/,
  },
  {
    what: 'a transaction that the browser ends',
    instead: ({ transaction }, write) => {
      transaction.objectStore('branches').add(branchRow('kept'))
      return write()
    },
    code: 'store_failed',
    cause: /^ConstraintError$/,
  },
  {
    what: 'an abort',
    instead: ({ transaction }, write) => {
      const request = write()
      transaction.abort()
      return request
    },
    code: 'store_failed',
    // A later write of the same step may be the first to notice.
    cause: /^(AbortError|TransactionInactiveError)$/,
  },
]

const step = changeOf('a', {
  branch: branchRow('a', { updatedAt: 9_000, sequence: 2 }),
  lines: [
    lineRow('a', { view: [0, 1, 2] }),
    lineRow('a', { lineId: 'child', parent: { lineId: 'main', index: 1 } }),
  ],
  entries: [entryOf('a', 1, 'new'), entryOf('a', 2, 'kept')],
  bodies: [bodyRow('new'), bodyRow('extra')],
  journal: [journalRow('a', 1), journalRow('a', 2)],
})

describe('indexedDbStore where the storage fails', () => {
  let name: string
  let store: BranchStore

  beforeEach(async () => {
    name = freshDatabase()
    store = indexedDbStore({ name })
    await store.commit(smallBranch('kept'))
    await store.commit(smallBranch('a'))
  })

  afterEach(async () => {
    vi.restoreAllMocks()
    await store.close()
  })

  describe.each(faults)('with $what', ({ instead, code, cause }) => {
    it.each([
      { what: 'a step', method: 'put' as const, run: () => store.commit(step), writes: 12 },
      { what: 'a deletion', method: 'delete' as const, run: () => store.delete('a'), writes: 6 },
    ])('leaves all as it was, whichever write of $what fails', async ({ method, run, writes }) => {
      const before = await contents(name)
      for (let nth = 1; nth <= writes; nth++) {
        const restore = failWrite(method, nth, instead)
        const error = await storeFailure(run())
        restore()
        expect({ nth, code: error.code, cause: error.cause }).toMatchObject({
          nth,
          code,
          cause: { name: expect.stringMatching(cause) },
        })
        expect(await contents(name)).toEqual(before)
      }
      const restore = failWrite(method, writes + 1, instead)
      await run()
      restore()
      expect(await contents(name)).not.toEqual(before)
    })
  })

  it('goes on with the steps that were asked for beside the one that failed', async () => {
    failWrite('put', 1, () => raise('UnknownError'))
    const [failed, ...others] = await Promise.allSettled([
      store.commit(step),
      store.commit(smallBranch('b')),
      store.load('a'),
    ])
    expect(failed.status).toBe('rejected')
    expect(others.map((other) => other.status)).toEqual(['fulfilled', 'fulfilled'])
    expect(await store.load('b')).not.toBeNull()
  })

  it.each([
    ['listing', () => store.branches()],
    ['loading', () => store.load('a')],
    ['reading the journal', () => store.journal('a')],
    ['reading bodies', () => store.bodies(['any'])],
  ])('rejects with the cause when %s fails, and answers when it is asked again', async (_, read) => {
    for (const method of ['get', 'getAll'] as const)
      vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(() => raise('DataError'))
    expect(await storeFailure(read())).toMatchObject({ code: 'store_failed', cause: { name: 'DataError' } })
    vi.restoreAllMocks()
    expect(await store.load('a')).not.toBeNull()
  })
})

describe('indexedDbStore on a full disk', () => {
  afterEach(async () => {
    vi.unstubAllGlobals()
    await navigator.storageBuckets.delete('small')
  })

  it('refuses a step whole, still reads and deletes, and stores again once there is room', async () => {
    const bucket = await navigator.storageBuckets.open('small', { quota: 3_000_000 })
    vi.stubGlobal('indexedDB', bucket.indexedDB)
    const store = indexedDbStore()
    await store.commit(changeOf('old', { bodies: [bodyRow('old', noise(1_000_000))] }))
    for (const id of ['kept', 'a']) await store.commit(smallBranch(id))
    const before = await contents('dogear')

    const large = { ...step, bodies: [...step.bodies, bodyRow('large', noise(2_500_000))] }
    expect(await storeFailure(store.commit(large))).toMatchObject({
      code: 'store_full',
      cause: { name: 'QuotaExceededError' },
    })
    expect(await contents('dogear')).toEqual(before)

    await store.delete('old')
    await store.commit(step)
    expect((await store.load('a'))?.entries).toHaveLength(3)
    await store.close()
  })
})

describe('indexedDbStore where the database cannot be opened', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })

  it.each([
    ['SecurityError', 'store_unavailable'],
    ['QuotaExceededError', 'store_full'],
    ['UnknownError', 'store_failed'],
  ])('rejects after a %s with %s, and opens it with the next call', async (cause, code) => {
    const store = indexedDbStore({ name: freshDatabase() })
    const open = vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => raise(cause))
    expect(await storeFailure(store.commit(smallBranch('a')))).toMatchObject({ code, cause: { name: cause } })
    open.mockRestore()
    await store.commit(smallBranch('a'))
    expect(await store.branches()).toHaveLength(1)
    await store.close()
  })

  it('rejects where there is no IndexedDB', async () => {
    vi.stubGlobal('indexedDB', undefined)
    const store = indexedDbStore()
    for (const attempt of [
      store.branches(),
      store.load('a'),
      store.commit(smallBranch('a')),
      store.delete('a'),
    ])
      expect((await storeFailure(attempt)).code).toBe('store_unavailable')
    await store.close()
  })

  it('rejects where another thing has a database of that name', async () => {
    const name = freshDatabase()
    const foreign = await openDB(name, 1, { upgrade: (database) => database.createObjectStore('theirs') })
    const store = indexedDbStore({ name })
    expect(await storeFailure(store.branches())).toMatchObject({
      code: 'store_failed',
      cause: { name: 'NotFoundError' },
    })
    expect([...foreign.objectStoreNames]).toEqual(['theirs'])
    foreign.close()
    await store.close()
  })
})

/** Text that does not compress to much less. */
function noise(length: number): string {
  const units = new Uint16Array(length)
  for (let start = 0; start < length; start += 32_768)
    crypto.getRandomValues(units.subarray(start, start + 32_768))
  return Array.from(units, (unit) => String.fromCharCode(33 + (unit % 90))).join('')
}

function raise(name: string): never {
  throw new DOMException('made for a test', name)
}

/** Lets the nth write fail; returns what undoes it. */
function failWrite(method: 'put' | 'delete', nth: number, instead: Fault['instead']): () => void {
  const real: (this: IDBObjectStore, ...given: never[]) => IDBRequest = IDBObjectStore.prototype[method]
  let count = 0
  const spy = vi.spyOn(IDBObjectStore.prototype, method)
  spy.mockImplementation(function (this: IDBObjectStore, ...given: unknown[]) {
    const write = () => real.apply(this, given as never[])
    count++
    return count === nth ? instead(this, write) : write()
  })
  return () => spy.mockRestore()
}

/** Every row of every object store. */
async function contents(name: string): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const database = await openDB(name)
  const rows: Record<string, readonly unknown[]> = {}
  for (const objectStore of database.objectStoreNames) rows[objectStore] = await database.getAll(objectStore)
  database.close()
  return rows
}
