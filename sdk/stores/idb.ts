import type { BranchStore } from '../ports.ts'
import { bodyMissing } from './failures.ts'
import { frozen } from './frozen.ts'
import { inBatches } from './idb-batches.ts'
import { IdbConnection } from './idb-connection.ts'
import { databaseName, upgradeSteps } from './idb-schema.ts'
import { newestFirst } from './newest-first.ts'
import { assertUnchanged, neededBodies, ownChange } from './own-change.ts'
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
  const connection = new IdbConnection({ name: options.name ?? databaseName, upgradeSteps })

  return {
    async branches() {
      const rows = await connection.run(
        { operation: 'listing branches', stores: ['branches'], mode: 'readonly' },
        (transaction) => transaction.objectStore('branches').getAll(),
      )
      return frozen(newestFirst(rows))
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

    async commit(change) {
      const own = ownChange(change)
      await connection.run(
        {
          operation: `storing a step of branch ${own.branch.id}`,
          stores: ['branches', 'lines', 'entries', 'bodies', 'references', 'journal'],
          mode: 'readwrite',
          durability: own.durability,
        },
        async (transaction) => {
          const lines = transaction.objectStore('lines')
          const entries = transaction.objectStore('entries')
          const journal = transaction.objectStore('journal')
          const bodies = transaction.objectStore('bodies')
          const references = transaction.objectStore('references')
          await transaction.objectStore('branches').put(own.branch)
          await Promise.all([
            inBatches(own.lines, async (line) => {
              await lines.put(line)
            }),
            inBatches(own.entries, async (entry) => {
              const stored = await entries.get([entry.branchId, entry.lineId, entry.index])
              if (stored) assertUnchanged(stored, entry)
              else await entries.put(entry)
            }),
            inBatches(own.journal, async (row) => {
              const stored = await journal.get([row.branchId, row.sequence])
              if (stored) assertUnchanged(stored, row)
              else await journal.put(row)
            }),
            inBatches([...neededBodies(own)], async ([hash, json]) => {
              const stored = await bodies.getKey(hash)
              if (stored === undefined && json === undefined) throw bodyMissing(hash)
              if (stored === undefined && json !== undefined) await bodies.put({ hash, json })
              await references.put({ branchId: own.branch.id, hash })
            }),
          ])
        },
      )
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
          stores: ['branches', 'lines', 'entries', 'bodies', 'references', 'journal'],
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
    },

    close: () => connection.close(),
  }
}

/** A branch's rows. An array sorts after every string and number, so this ends behind the last of them. */
function rowsOf(branchId: string): IDBKeyRange {
  return IDBKeyRange.bound([branchId], [branchId, []])
}
