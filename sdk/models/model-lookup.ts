import type { Warning } from '../engine/format.ts'
import type { FindModel } from '../ports.ts'
import { findModel } from './find-model.ts'
import type { ModelEntry } from './model-entry.ts'
import type { ModelSlice } from './slice.ts'
import { assertModelEntries } from './validate-model-entries.ts'

const nothingListed: ModelSlice = { revision: 'none', providers: {} }

const unavailable: Warning = {
  code: 'models_unavailable',
  message:
    'the chunk with model limits and price tiers could not be loaded, so that `auto` is no ceiling for now; check that the build serves it, or set maxInputTokens to a number',
}

/**
 * Answers what is known of a model. The shipped slice is a chunk of its own, loaded on first use; where it
 * cannot be loaded `onWarning` is told, the app's entries answer alone, and the next query tries again.
 * Throws `invalid_argument` for an entry that is not one.
 */
export function createModelLookup(
  entries: readonly ModelEntry[],
  onWarning?: (warning: Warning) => void,
): FindModel {
  assertModelEntries(entries)
  const overrides = entries.map((entry) => ({ ...entry }))
  let loading: Promise<ModelSlice> | null = null
  const load = (): Promise<ModelSlice> => {
    loading ??= import('./slice.generated.ts').then(
      ({ slice }) => slice,
      () => {
        loading = null
        onWarning?.(unavailable)
        return nothingListed
      },
    )
    return loading
  }
  return async (query) => findModel(await load(), { ...query, overrides })
}
