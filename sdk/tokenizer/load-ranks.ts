import type { PackedRanks } from './ranks.ts'

let loading: Promise<PackedRanks> | undefined

/** Loads the chunk that holds the vocabulary, once; after a failure the next call tries again. */
export function loadRanks(): Promise<PackedRanks> {
  loading ??= importRanks()
  return loading
}

async function importRanks(): Promise<PackedRanks> {
  try {
    const { packedRanks } = await import('./ranks.generated.js')
    return packedRanks
  } catch (cause) {
    loading = undefined
    throw cause
  }
}
