import type { DBSchema, IDBPDatabase, IDBPTransaction } from 'idb'
import type { BodyRow, BranchRow, EntryRow, JournalRow, LineRow } from '../ports.ts'

export const databaseName = 'dogear'

/** What stands in the database at its newest version. Every store but `bodies` is keyed by branch first. */
export interface BranchSchema extends DBSchema {
  branches: { key: string; value: BranchRow }
  lines: { key: [branchId: string, lineId: string]; value: LineRow }
  entries: { key: [branchId: string, lineId: string, index: number]; value: EntryRow }
  bodies: { key: string; value: BodyRow }
  /** Which branch needs which body, so that deleting a branch looks at its own bodies only. */
  references: {
    key: [branchId: string, hash: string]
    value: { readonly branchId: string; readonly hash: string }
    indexes: { hash: string }
  }
  journal: { key: [branchId: string, sequence: number]; value: JournalRow }
}

/** Lifts a database by one version. */
export type UpgradeStep = (
  database: IDBPDatabase,
  transaction: IDBPTransaction<unknown, string[], 'versionchange'>,
) => void | Promise<void>

/**
 * MIGRATE OR LOSE DATA. Step `n` lifts version `n` to `n + 1`; the list's length is the newest version.
 * - A step that has been released must never be changed, moved or removed.
 * - A change of a store, a key, an index or a row's shape must come as a new step at the end.
 * - A step must read and write rows as its own two versions know them, never through `BranchSchema`.
 * - A step must await nothing but its own transaction, which would end otherwise.
 */
export const upgradeSteps: readonly UpgradeStep[] = [
  (database) => {
    database.createObjectStore('branches', { keyPath: 'id' })
    database.createObjectStore('lines', { keyPath: ['branchId', 'lineId'] })
    database.createObjectStore('entries', { keyPath: ['branchId', 'lineId', 'index'] })
    database.createObjectStore('bodies', { keyPath: 'hash' })
    const references = database.createObjectStore('references', { keyPath: ['branchId', 'hash'] })
    references.createIndex('hash', 'hash')
    database.createObjectStore('journal', { keyPath: ['branchId', 'sequence'] })
  },
]
