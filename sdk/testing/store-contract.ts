import { afterEach, beforeEach, describe } from 'vitest'
import type { BranchStore } from '../ports.ts'
import { describeAppending } from './store-contract/appending.ts'
import { describeBodies } from './store-contract/bodies.ts'
import { describeDeleting } from './store-contract/deleting.ts'
import { describeKeeping } from './store-contract/keeping.ts'
import { describeOrdering } from './store-contract/ordering.ts'

/**
 * What every `BranchStore` must do. `makeStore` must give an empty store each time; the suite closes it.
 * Runs under Vitest, in the environment that the store is made for.
 */
export function describeBranchStore(name: string, makeStore: () => BranchStore | Promise<BranchStore>): void {
  describe(`${name} as a branch store`, () => {
    let made: BranchStore

    beforeEach(async () => {
      made = await makeStore()
    })

    afterEach(() => made.close())

    const store = () => made
    describeKeeping(store)
    describeAppending(store)
    describeBodies(store)
    describeDeleting(store)
    describeOrdering(store)
  })
}
