import type { FindModel } from '../ports.ts'
import { findModel } from './find-model.ts'
import type { ModelEntry } from './model-entry.ts'
import type { ModelSlice } from './slice.ts'

const nothingListed: ModelSlice = { revision: 'none', providers: {} }

/**
 * Answers what is known of a model. The shipped slice is a chunk of its own, loaded on first use; where it
 * cannot be loaded the app's entries answer alone, and the next query tries again.
 */
export function createModelLookup(overrides: readonly ModelEntry[]): FindModel {
  let loading: Promise<ModelSlice> | null = null
  const load = (): Promise<ModelSlice> => {
    loading ??= import('./slice.generated.ts').then(
      ({ slice }) => slice,
      () => {
        loading = null
        return nothingListed
      },
    )
    return loading
  }
  return async (query) => findModel(await load(), { ...query, overrides })
}
