/** What the browser says of this site's storage; a figure that it does not tell is absent. */
export interface StorageStatus {
  /** Whether the browser keeps it though space runs out; null: it does not say. */
  readonly persisted: boolean | null
  /** Bytes that this site has stored, of whatever kind. */
  readonly usage?: number
  /** Bytes that it may store. */
  readonly quota?: number
}

export async function storageStatus(): Promise<StorageStatus> {
  const storage = globalThis.navigator?.storage
  if (!storage) return { persisted: null }
  const [persisted, { usage, quota }] = await Promise.all([
    storage.persisted?.().catch(() => null) ?? null,
    storage.estimate?.().catch(() => ({}) as StorageEstimate) ?? ({} as StorageEstimate),
  ])
  return {
    persisted,
    ...(usage === undefined ? {} : { usage }),
    ...(quota === undefined ? {} : { quota }),
  }
}

/** Asks the browser to keep what this site stores; some ask the person. False where it does not. */
export async function persistStorage(): Promise<boolean> {
  return (await globalThis.navigator?.storage?.persist?.().catch(() => false)) ?? false
}
