import { type IDBPDatabase, openDB } from 'idb'
import { storageMissing, storeFailure } from './failures.ts'
import { allOrNothing } from './idb-all-or-nothing.ts'
import type { BranchSchema, UpgradeStep } from './idb-schema.ts'

export type BranchDatabase = IDBPDatabase<BranchSchema>

/** Opens the database and lifts it to the newest version: every step that is due, or none. */
export async function openDatabase(options: {
  readonly name: string
  readonly upgradeSteps: readonly UpgradeStep[]
  /** An older version is still open elsewhere, and the upgrade waits for it. */
  readonly onBlocked: () => void
}): Promise<BranchDatabase> {
  const { name, upgradeSteps, onBlocked } = options
  let upgradeFailure: unknown
  try {
    if (!globalThis.indexedDB) throw storageMissing()
    const database = await openDB(name, upgradeSteps.length, {
      upgrade(older, version, _newest, transaction) {
        allOrNothing(transaction, async () => {
          for (const step of upgradeSteps.slice(version)) await step(older, transaction)
        }).catch((cause) => {
          upgradeFailure = cause
        })
      },
      blocked: onBlocked,
      // A newer version wants to upgrade, or the database is to be deleted: neither may wait for this page.
      blocking: () => database.close(),
    })
    return database as BranchDatabase
  } catch (cause) {
    // After a failed step the open request itself says no more than that it was aborted.
    throw storeFailure(`opening database ${name}`, upgradeFailure ?? cause)
  }
}
