import { StoreError } from '../errors.ts'
import type { BranchStore, StoreSharing } from '../ports.ts'

/** A store whose code is loaded on first use. A failed load is tried again on the next. */
export function lazyStore(load: () => Promise<BranchStore>): BranchStore {
  let loading: Promise<BranchStore> | null = null
  const store = (): Promise<BranchStore> => {
    loading ??= load().catch((cause: unknown) => {
      loading = null
      if (cause instanceof StoreError) throw cause
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
    row: async (branchId) => (await store()).row(branchId),
    load: async (branchId) => (await store()).load(branchId),
    commit: async (...changes) => (await store()).commit(...changes),
    bodies: async (hashes) => (await store()).bodies(hashes),
    journal: async (branchId) => (await store()).journal(branchId),
    collect: async () => (await store()).collect(),
    delete: async (branchId) => (await store()).delete(branchId),
    close: async () => {
      // A store that was never used has nothing to let go.
      if (loading) await (await loading).close()
    },
    sharing: lazySharing(store),
  }
}

function lazySharing(store: () => Promise<BranchStore>): StoreSharing {
  /** Something that lasts until it is ended, which may be before it has begun. */
  const lasting = (begin: (sharing: StoreSharing) => () => void): (() => void) => {
    let isOver = false
    let end = (): void => {
      isOver = true
    }
    store().then(
      ({ sharing }) => {
        if (sharing && !isOver) end = begin(sharing)
      },
      // Whoever uses the store hears of it.
      () => undefined,
    )
    return () => end()
  }
  return {
    async exclusively(branchId, step) {
      const { sharing } = await store()
      return sharing ? sharing.exclusively(branchId, step) : step(true)
    },
    subscribe: (listener) => lasting((sharing) => sharing.subscribe(listener)),
    hold: (branchId) => lasting((sharing) => sharing.hold(branchId)),
    held: async () => (await store()).sharing?.held() ?? new Set(),
  }
}
