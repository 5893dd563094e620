import type { IDBPTransaction } from 'idb'
import type { BranchChange, BranchStore } from '../ports.ts'
import { bodyMissing } from './failures.ts'
import { frozen } from './frozen.ts'
import { inBatches } from './idb-batches.ts'
import { IdbConnection } from './idb-connection.ts'
import { type BranchSchema, databaseName, upgradeSteps } from './idb-schema.ts'
import { IdbSharing } from './idb-sharing.ts'
import { newestFirst } from './newest-first.ts'
import { assertFresh, assertUnchanged, neededBodies, ownChange } from './own-change.ts'
import { parseBodies } from './parse-bodies.ts'

export interface IndexedDbStoreOptions {
  /** Name of the database; `dogear` when absent. Stores of one name share one database, across tabs too. */
  readonly name?: string
}

/**
 * Keeps branches in this browser's IndexedDB. Opens the database on first use. Beside the port's errors:
 * `store_unavailable` where there is no IndexedDB, `store_newer` for a database of a newer dogear, which is
 * left alone, `store_blocked` while another tab holds an older one open, `store_full`, and `store_failed`
 * with the browser's own error as cause.
 */
export function indexedDbStore(options: IndexedDbStoreOptions = {}): BranchStore {
  const { name = databaseName } = options
  const connection = new IdbConnection({ name, upgradeSteps })
  const sharing = new IdbSharing(name)

  return {
    async branches() {
      const rows = await connection.run(
        { operation: 'listing branches', stores: ['branches'], mode: 'readonly' },
        (transaction) => transaction.objectStore('branches').getAll(),
      )
      return frozen(newestFirst(rows))
    },

    async row(branchId) {
      const row = await connection.run(
        { operation: `reading branch ${branchId}`, stores: ['branches'], mode: 'readonly' },
        (transaction) => transaction.objectStore('branches').get(branchId),
      )
      return row ? frozen(row) : null
    },

    async load(branchId) {
      return connection.run(
        {
          operation: `loading branch ${branchId}`,
          stores: ['branches', 'lines', 'entries'],
          mode: 'readonly',
        },
        async (transaction) => {
          const branch = await transaction.objectStore('branches').get(branchId)
          if (!branch) return null
          const lines = await transaction.objectStore('lines').getAll(rowsOf(branchId))
          const entries = await transaction.objectStore('entries').getAll(rowsOf(branchId))
          return frozen({ branch, lines, entries })
        },
      )
    },

    async commit(...changes) {
      const own = changes.map(ownChange)
      const [first] = own
      if (first === undefined) return
      await connection.run(
        {
          operation: `storing a step of branch ${first.branch.id}`,
          stores: allStores,
          mode: 'readwrite',
          durability: own.some(({ durability }) => durability === 'strict') ? 'strict' : 'relaxed',
        },
        async (transaction) => {
          for (const change of own) await writeChange(transaction, change)
        },
      )
      for (const { branch } of own) sharing.changed(branch.id)
    },

    async bodies(hashes) {
      const texts = await connection.run(
        { operation: 'reading bodies', stores: ['bodies'], mode: 'readonly' },
        (transaction) => {
          const bodies = transaction.objectStore('bodies')
          return Promise.all(hashes.map(async (hash) => (await bodies.get(hash))?.json))
        },
      )
      return parseBodies(hashes, texts)
    },

    async journal(branchId) {
      const rows = await connection.run(
        { operation: `reading the journal of branch ${branchId}`, stores: ['journal'], mode: 'readonly' },
        (transaction) => transaction.objectStore('journal').getAll(rowsOf(branchId)),
      )
      return frozen(rows)
    },

    async delete(branchId) {
      await connection.run(
        {
          operation: `deleting branch ${branchId}`,
          stores: allStores,
          mode: 'readwrite',
          durability: 'strict',
        },
        async (transaction) => {
          const bodies = transaction.objectStore('bodies')
          const references = transaction.objectStore('references')
          const needed = await references.getAllKeys(rowsOf(branchId))
          await references.delete(rowsOf(branchId))
          await transaction.objectStore('branches').delete(branchId)
          await transaction.objectStore('lines').delete(rowsOf(branchId))
          await transaction.objectStore('entries').delete(rowsOf(branchId))
          await transaction.objectStore('journal').delete(rowsOf(branchId))
          await Promise.all(
            needed.map(async ([, hash]) => {
              if ((await references.index('hash').getKey(hash)) === undefined) await bodies.delete(hash)
            }),
          )
        },
      )
      sharing.changed(branchId)
    },

    async collect() {
      return connection.run(
        { operation: 'collecting bodies', stores: ['bodies', 'references'], mode: 'readwrite' },
        async (transaction) => {
          const bodies = transaction.objectStore('bodies')
          const references = transaction.objectStore('references').index('hash')
          const orphans: string[] = []
          await inBatches(await bodies.getAllKeys(), async (hash) => {
            if ((await references.getKey(hash)) === undefined) orphans.push(hash)
          })
          await inBatches(orphans, (hash) => bodies.delete(hash))
          return orphans.length
        },
      )
    },

    async close() {
      await connection.close()
      sharing.close()
    },
    sharing,
  }
}

const allStores = ['branches', 'lines', 'entries', 'bodies', 'references', 'journal'] as const

/** Must await nothing but the transaction's own requests. */
async function writeChange(
  transaction: IDBPTransaction<BranchSchema, typeof allStores, 'readwrite'>,
  change: BranchChange,
): Promise<void> {
  const branches = transaction.objectStore('branches')
  const lines = transaction.objectStore('lines')
  const entries = transaction.objectStore('entries')
  const journal = transaction.objectStore('journal')
  const bodies = transaction.objectStore('bodies')
  const references = transaction.objectStore('references')
  if (change.from !== undefined) assertFresh(await branches.get(change.branch.id), change)
  await branches.put(change.branch)
  await Promise.all([
    inBatches(change.lines, async (line) => {
      await lines.put(line)
    }),
    inBatches(change.entries, async (entry) => {
      const stored = await entries.get([entry.branchId, entry.lineId, entry.index])
      if (stored) assertUnchanged(stored, entry)
      else await entries.put(entry)
    }),
    inBatches(change.journal, async (row) => {
      const stored = await journal.get([row.branchId, row.sequence])
      if (stored) assertUnchanged(stored, row)
      else await journal.put(row)
    }),
    inBatches([...neededBodies(change)], async ([hash, json]) => {
      const stored = await bodies.getKey(hash)
      if (stored === undefined && json === undefined) throw bodyMissing(hash)
      if (stored === undefined && json !== undefined) await bodies.put({ hash, json })
      await references.put({ branchId: change.branch.id, hash })
    }),
  ])
}

/** A branch's rows. An array sorts after every string and number, so this ends behind the last of them. */
function rowsOf(branchId: string): IDBKeyRange {
  return IDBKeyRange.bound([branchId], [branchId, []])
}
