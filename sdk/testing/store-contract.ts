import type { BranchStore } from '../ports.ts'
import { describeAppending } from './store-contract/appending.ts'
import { describeBodies } from './store-contract/bodies.ts'
import { describeDeleting } from './store-contract/deleting.ts'
import { describeKeeping } from './store-contract/keeping.ts'
import { describeOrdering } from './store-contract/ordering.ts'
import { describeRevisions } from './store-contract/revisions.ts'
import type { TestRunner } from './store-contract/test-runner.ts'

/**
 * What every `BranchStore` must do, as tests of the runner that is given: `describeBranchStore('my store', makeStore,
 * { describe, it, beforeEach, afterEach, expect })`. `makeStore` must give an empty store each time; the suite closes it.
 */
export function describeBranchStore(
  name: string,
  makeStore: () => BranchStore | Promise<BranchStore>,
  runner: TestRunner,
): void {
  const { describe, beforeEach, afterEach } = runner
  describe(`${name} as a branch store`, () => {
    let made: BranchStore

    beforeEach(async () => {
      made = await makeStore()
    })

    afterEach(() => made.close())

    const store = () => made
    describeKeeping(store, runner)
    describeAppending(store, runner)
    describeBodies(store, runner)
    describeDeleting(store, runner)
    describeOrdering(store, runner)
    describeRevisions(store, runner)
  })
}
