import { StoreError } from '../errors.ts'
import type { BranchStore } from '../ports.ts'

/** A store whose code is loaded on first use. A failed load is tried again on the next. */
export function lazyStore(load: () => Promise<BranchStore>): BranchStore {
  let loading: Promise<BranchStore> | null = null
  const store = (): Promise<BranchStore> => {
    loading ??= load().catch((cause: unknown) => {
      loading = null
      throw new StoreError({
        code: 'store_unavailable',
        message: 'the chunk of the store could not be loaded; check that the build serves it, and try again',
        cause,
      })
    })
    return loading
  }
  return {
    branches: async () => (await store()).branches(),
    load: async (branchId) => (await store()).load(branchId),
    commit: async (change) => (await store()).commit(change),
    bodies: async (hashes) => (await store()).bodies(hashes),
    journal: async (branchId) => (await store()).journal(branchId),
    delete: async (branchId) => (await store()).delete(branchId),
    close: async () => {
      // A store that was never used has nothing to let go.
      if (loading) await (await loading).close()
    },
  }
}
