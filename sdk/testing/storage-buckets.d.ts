/** Parts of the browser's storage that stand by themselves: TypeScript's library does not know them yet. */
interface StorageBucketManager {
  open(name: string, options?: { readonly quota?: number }): Promise<{ readonly indexedDB: IDBFactory }>
  delete(name: string): Promise<void>
}

interface Navigator {
  readonly storageBuckets: StorageBucketManager
}
