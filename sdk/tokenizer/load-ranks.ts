import type { PackedRanks } from './ranks.ts'

let loading: Promise<PackedRanks> | undefined

/** Loads the chunk that holds the vocabulary, once; after a failure the next call tries again. */
export function loadRanks(): Promise<PackedRanks> {
  loading ??= import('./ranks.generated.js').then(
    ({ packedRanks }) => packedRanks,
    (cause: unknown) => {
      loading = undefined
      throw cause
    },
  )
  return loading
}
