import { DogearError } from '../errors.ts'
import type { BranchStore } from '../ports.ts'
import { indexedDbStore } from './idb.ts'
import { memoryStore } from './memory.ts'

/** A database of a newer dogear, or one that waits for another tab, is there all the same. */
const passing: ReadonlySet<string> = new Set(['store_newer', 'store_blocked'])

/**
 * IndexedDB, or memory where a browser has none for this page: in a private window, in a sandbox, or where site data is
 * blocked or broken. The chat goes on, and `onMemory` says why it will not outlive the page.
 */
export async function openDefaultStore(onMemory: (cause: unknown) => void): Promise<BranchStore> {
  const store = indexedDbStore()
  try {
    // The first read opens it.
    await store.row('')
    return store
  } catch (cause) {
    if (DogearError.isInstance(cause) && passing.has(cause.code)) throw cause
    onMemory(cause)
    return memoryStore()
  }
}
