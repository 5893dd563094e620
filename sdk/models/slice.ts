import type { ModelEntry } from './model-entry.ts'

export interface SliceModel extends ModelEntry {
  /** Plain names, as `modelNames` makes them, that mean this model and cannot be told from its own name. */
  readonly aliases?: readonly string[]
}

/** The model data that ships with dogear, by the provider that bills it. */
export interface ModelSlice {
  /** Names the state of the data. */
  readonly revision: string
  readonly providers: Readonly<Record<string, readonly SliceModel[]>>
}
