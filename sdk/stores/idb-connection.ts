import type { IDBPTransaction, StoreNames } from 'idb'
import { storeFailure, upgradeBlocked } from './failures.ts'
import { allOrNothing } from './idb-all-or-nothing.ts'
import { type BranchDatabase, openDatabase } from './idb-open.ts'
import type { BranchSchema, UpgradeStep } from './idb-schema.ts'

/** A page that is asked to let go may have a transaction to finish; after this it is in the way. */
const blockedGraceMs = 1_000

type Names = readonly StoreNames<BranchSchema>[]
type Mode = 'readonly' | 'readwrite'

interface Scope<Stores extends Names, Access extends Mode> {
  /** What is being done, for the error that says it failed. */
  readonly operation: string
  readonly stores: Stores
  readonly mode: Access
  readonly durability?: 'strict' | 'relaxed'
}

interface Opening {
  database: Promise<BranchDatabase>
}

/**
 * Owns the connection to one database. Opens it on first use, lets it go when a newer version wants to
 * upgrade or the browser ends it, and opens it again on the next use. A failed opening is not kept.
 */
export class IdbConnection {
  readonly #name: string
  readonly #upgradeSteps: readonly UpgradeStep[]
  readonly #pending = new Set<Promise<unknown>>()
  #opening: Opening | undefined

  constructor(options: { readonly name: string; readonly upgradeSteps: readonly UpgradeStep[] }) {
    this.#name = options.name
    this.#upgradeSteps = options.upgradeSteps
  }

  /** Runs `work` in one transaction. Rejects with a `StoreError`; then nothing that it wrote is stored. */
  run<const Stores extends Names, Access extends Mode, Value>(
    scope: Scope<Stores, Access>,
    work: (transaction: IDBPTransaction<BranchSchema, Stores, Access>) => Promise<Value>,
  ): Promise<Value> {
    const running = this.#run(scope, work)
    const settled = () => this.#pending.delete(running)
    this.#pending.add(running)
    running.then(settled, settled)
    return running
  }

  /** Waits for what is under way, then lets the database go. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#pending)
    const opening = this.#opening
    this.#opening = undefined
    const database = await opening?.database.catch(() => undefined)
    database?.close()
  }

  async #run<Stores extends Names, Access extends Mode, Value>(
    scope: Scope<Stores, Access>,
    work: (transaction: IDBPTransaction<BranchSchema, Stores, Access>) => Promise<Value>,
  ): Promise<Value> {
    try {
      const transaction = await this.#begin(scope)
      return await allOrNothing(transaction, () => work(transaction))
    } catch (cause) {
      throw storeFailure(scope.operation, cause)
    }
  }

  async #begin<Stores extends Names, Access extends Mode>(
    scope: Scope<Stores, Access>,
  ): Promise<IDBPTransaction<BranchSchema, Stores, Access>> {
    const { stores, mode, durability = 'relaxed' } = scope
    const opening = this.#connect()
    const database = await opening.database
    try {
      return database.transaction(stores, mode, { durability })
    } catch (cause) {
      if (!(cause instanceof DOMException) || cause.name !== 'InvalidStateError') throw cause
      // The connection has ended: it made way for a newer version or a deletion, or the browser took it, which
      // Safari does to pages in the background without an event. This is where every such end is noticed.
      this.#forget(opening)
      const reopened = await this.#connect().database
      return reopened.transaction(stores, mode, { durability })
    }
  }

  #connect(): Opening {
    this.#opening ??= this.#open()
    return this.#opening
  }

  #forget(opening: Opening): void {
    if (this.#opening === opening) this.#opening = undefined
  }

  #open(): Opening {
    const name = this.#name
    const opening: Opening = {
      database: new Promise((resolve, reject) => {
        openDatabase({
          name,
          upgradeSteps: this.#upgradeSteps,
          onBlocked: () => setTimeout(() => reject(upgradeBlocked(name)), blockedGraceMs),
        }).then(
          (database) => {
            resolve(database)
            // A blocked request stays with the browser and goes through once the other page has let go.
            opening.database = Promise.resolve(database)
            if (this.#opening !== opening) database.close()
          },
          (error) => {
            this.#forget(opening)
            reject(error)
          },
        )
      }),
    }
    return opening
  }
}
