import { deleteDB, openDB } from 'idb'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { BranchStore } from '../ports.ts'
import { freshDatabase } from '../testing/fresh-database.ts'
import { storeFailure } from '../testing/store-failure.ts'
import { branchRow, changeOf, entryRow, smallBranch } from '../testing/store-rows.ts'
import { indexedDbStore } from './idb.ts'
import { IdbConnection } from './idb-connection.ts'
import { type UpgradeStep, upgradeSteps } from './idb-schema.ts'

/** What a later version might do: rewrites rows and adds an index. */
const nextStep: UpgradeStep = async (_database, transaction) => {
  const branches = transaction.objectStore('branches')
  for (const row of await branches.getAll()) await branches.put({ ...row, model: 'unknown' })
  branches.createIndex('updatedAt', 'updatedAt')
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the schema', () => {
  it('of version 1 never changes: a change is a new version', async () => {
    const name = freshDatabase()
    await liftTo(name, upgradeSteps.slice(0, 1))
    expect(await shapeOf(name)).toEqual({
      version: 1,
      bodies: { keyPath: 'hash', indexes: {} },
      branches: { keyPath: 'id', indexes: {} },
      entries: { keyPath: ['branchId', 'lineId', 'index'], indexes: {} },
      journal: { keyPath: ['branchId', 'sequence'], indexes: {} },
      lines: { keyPath: ['branchId', 'lineId'], indexes: {} },
      references: { keyPath: ['branchId', 'hash'], indexes: { hash: 'hash' } },
    })
  })

  it('is the same whichever version it was lifted from', async () => {
    const fresh = freshDatabase()
    await liftTo(fresh, upgradeSteps)
    const shape = await shapeOf(fresh)
    for (let version = 1; version <= upgradeSteps.length; version++) {
      const name = freshDatabase()
      await liftTo(name, upgradeSteps.slice(0, version))
      await liftTo(name, upgradeSteps)
      expect(await shapeOf(name)).toEqual(shape)
    }
  })
})

describe('an upgrade', () => {
  it('runs the steps that are due, each once and in order, from every version', async () => {
    for (const from of [0, 1, 2, 3]) {
      const name = freshDatabase()
      const ran: number[] = []
      const steps: readonly UpgradeStep[] = [
        async (database, transaction) => {
          ran.push(1)
          await upgradeSteps[0]?.(database, transaction)
          await transaction.objectStore('branches').put(branchRow('first'))
        },
        async (database, transaction) => {
          ran.push(2)
          await nextStep(database, transaction)
        },
        (database) => {
          ran.push(3)
          database.deleteObjectStore('journal')
        },
      ]
      if (from > 0) await liftTo(name, steps.slice(0, from))
      expect(ran.splice(0)).toEqual([1, 2, 3].slice(0, from))
      await liftTo(name, steps)
      expect(ran).toEqual([1, 2, 3].slice(from))
      const shape = await shapeOf(name)
      expect(shape).toMatchObject({ version: 3, branches: { indexes: { updatedAt: 'updatedAt' } } })
      expect(shape).not.toHaveProperty('journal')
      expect(await rowsAt(name, 'branches')).toEqual([branchRow('first', { model: 'unknown' })])
    }
  })

  it('keeps what was stored', async () => {
    const name = freshDatabase()
    const store = indexedDbStore({ name })
    await store.commit(smallBranch('a'))
    await store.close()
    const before = { entries: await rowsAt(name, 'entries'), bodies: await rowsAt(name, 'bodies') }
    await liftTo(name, [...upgradeSteps, nextStep])
    expect(await rowsAt(name, 'branches')).toEqual([branchRow('a', { model: 'unknown' })])
    expect({ entries: await rowsAt(name, 'entries'), bodies: await rowsAt(name, 'bodies') }).toEqual(before)
  })

  const failing: readonly [string, UpgradeStep, object][] = [
    ['throws at once', () => raise(), { message: 'made for a test' }],
    [
      'throws after it wrote',
      async (_database, transaction) => {
        await transaction.objectStore('branches').clear()
        raise()
      },
      { message: 'made for a test' },
    ],
    [
      'makes a request that fails',
      async (_database, transaction) => {
        await transaction.objectStore('branches').add(branchRow('a'))
      },
      { name: 'ConstraintError' },
    ],
  ]

  it.each(failing)('whose step %s changes nothing, says why, and is tried again', async (_, step, cause) => {
    const name = freshDatabase()
    const older = indexedDbStore({ name })
    await older.commit(smallBranch('a'))
    const kept = await older.load('a')
    const shape = await shapeOf(name)

    const newer = new IdbConnection({ name, upgradeSteps: [...upgradeSteps, nextStep, step] })
    expect(await storeFailure(countBranches(newer))).toMatchObject({ code: 'store_failed', cause })
    expect(await shapeOf(name)).toEqual(shape)
    expect(await older.load('a')).toEqual(kept)

    expect(await storeFailure(countBranches(newer))).toMatchObject({ code: 'store_failed', cause })
    await Promise.all([older.close(), newer.close()])
  })
})

describe('a database of a newer version', () => {
  it('is refused and left alone', async () => {
    const name = freshDatabase()
    const newer = await openDB(name, upgradeSteps.length + 1, {
      upgrade: (database) => database.createObjectStore('theirs').put('kept', 'key'),
    })
    newer.close()
    const shape = await shapeOf(name)

    const store = indexedDbStore({ name })
    const attempts = [store.branches(), store.load('a'), store.commit(smallBranch('a')), store.delete('a')]
    for (const attempt of attempts)
      expect(await storeFailure(attempt)).toMatchObject({
        code: 'store_newer',
        cause: { name: 'VersionError' },
      })
    await store.close()
    expect(await shapeOf(name)).toEqual(shape)
    expect(await rowsAt(name, 'theirs')).toEqual(['kept'])
  })
})

describe('two versions at once', () => {
  it('makes the older one finish what it began, let go, and say that it is too old', async () => {
    const name = freshDatabase()
    const older = indexedDbStore({ name })
    await older.branches()
    const begun = Array.from({ length: 20 }, (_, index) =>
      older.commit(changeOf('a', { entries: [entryRow('a', index)] })),
    )
    const newer = new IdbConnection({ name, upgradeSteps: [...upgradeSteps, nextStep] })
    expect(await countBranches(newer)).toBe(1)
    await Promise.all(begun)
    expect(await rowsAt(name, 'entries')).toHaveLength(20)

    expect((await storeFailure(older.commit(smallBranch('b')))).code).toBe('store_newer')
    expect((await storeFailure(older.branches())).code).toBe('store_newer')
    expect(await countBranches(newer)).toBe(1)
    await Promise.all([older.close(), newer.close()])
  })

  it('rejects while a connection that does not let go is in the way, and goes on once it has', async () => {
    const { name, newer, stubborn } = await blockedUpgrade()
    const refused = await storeFailure(countBranches(newer))
    expect(refused).toMatchObject({ code: 'store_blocked', fields: { database: name } })
    expect((await storeFailure(countBranches(newer))).code).toBe('store_blocked')
    stubborn.close()
    await vi.waitFor(async () => expect(await countBranches(newer)).toBe(0))
    expect((await shapeOf(name)).version).toBe(upgradeSteps.length + 1)
    await newer.close()
  })

  it('waits for a connection that lets go a little later', async () => {
    const { newer, stubborn } = await blockedUpgrade()
    stubborn.addEventListener('versionchange', () => setTimeout(() => stubborn.close(), 100))
    expect(await countBranches(newer)).toBe(0)
    await newer.close()
  })

  it('gives back a database that it got after it was closed', async () => {
    const { newer, stubborn } = await blockedUpgrade()
    await storeFailure(countBranches(newer))
    await newer.close()
    stubborn.close()
    const closed = vi.spyOn(IDBDatabase.prototype, 'close')
    await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce())
  })
})

describe('a connection that ends', () => {
  it('because the database is deleted is opened anew', async () => {
    const name = freshDatabase()
    const store = indexedDbStore({ name })
    await store.commit(smallBranch('a'))
    const blocked = vi.fn()
    await deleteDB(name, { blocked })
    expect(blocked).not.toHaveBeenCalled()
    expect(await store.branches()).toEqual([])
    await store.commit(smallBranch('a'))
    expect(await store.branches()).toHaveLength(1)
    await store.close()
  })

  it('because the browser takes the data away is opened anew', async () => {
    onTestFinished(() => navigator.storageBuckets.delete('cleared'))
    onTestFinished(() => void vi.unstubAllGlobals())
    const openBucket = async () =>
      vi.stubGlobal('indexedDB', (await navigator.storageBuckets.open('cleared')).indexedDB)
    await openBucket()
    const store = indexedDbStore()
    await store.commit(smallBranch('a'))
    await navigator.storageBuckets.delete('cleared')
    await openBucket()
    expect(await store.branches()).toEqual([])
    await store.commit(smallBranch('a'))
    expect(await store.branches()).toHaveLength(1)
    await store.close()
  })

  it('without a word is opened anew, once for all that was asked', async () => {
    const { store, connection } = await openStore()
    const open = vi.spyOn(IDBFactory.prototype, 'open')
    connection.close()
    await Promise.all(Array.from({ length: 5 }, (_, index) => store.commit(smallBranch(`b${index}`))))
    expect(await store.branches()).toHaveLength(6)
    expect(open).toHaveBeenCalledOnce()
    await store.close()
  })
})

function raise(): never {
  throw new RangeError('made for a test')
}

/** A store with one branch, and the browser's own connection that it uses. */
async function openStore(): Promise<{ store: BranchStore; connection: IDBDatabase }> {
  const begun = vi.spyOn(IDBDatabase.prototype, 'transaction')
  const store = indexedDbStore({ name: freshDatabase() })
  await store.commit(smallBranch('a'))
  const [connection] = begun.mock.contexts
  begun.mockRestore()
  if (!(connection instanceof IDBDatabase)) throw new Error('expected the store to have begun a transaction')
  return { store, connection }
}

/** A connection that wants to upgrade, and another of the version before that does not let go by itself. */
async function blockedUpgrade() {
  const name = freshDatabase()
  await liftTo(name, upgradeSteps)
  const stubborn = await openDB(name)
  return { name, stubborn, newer: new IdbConnection({ name, upgradeSteps: [...upgradeSteps, nextStep] }) }
}

function countBranches(connection: IdbConnection): Promise<number> {
  return connection.run(
    { operation: 'counting branches', stores: ['branches'], mode: 'readonly' },
    (transaction) => transaction.objectStore('branches').count(),
  )
}

/** Opens the database where these steps are all that there are, and closes it. */
async function liftTo(name: string, steps: readonly UpgradeStep[]): Promise<void> {
  const connection = new IdbConnection({ name, upgradeSteps: steps })
  await countBranches(connection)
  await connection.close()
}

/** Version, object stores, key paths and indexes. */
async function shapeOf(name: string): Promise<Record<string, unknown>> {
  const database = await openDB(name)
  const shape: Record<string, unknown> = { version: database.version }
  for (const objectStoreName of database.objectStoreNames) {
    const objectStore = database.transaction(objectStoreName).store
    const indexes = Array.from(objectStore.indexNames, (index) => [index, objectStore.index(index).keyPath])
    shape[objectStoreName] = { keyPath: objectStore.keyPath, indexes: Object.fromEntries(indexes) }
  }
  database.close()
  return shape
}

async function rowsAt(name: string, objectStore: string): Promise<readonly unknown[]> {
  const database = await openDB(name)
  const rows = await database.getAll(objectStore)
  database.close()
  return rows
}
