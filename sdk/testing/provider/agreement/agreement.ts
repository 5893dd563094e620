import type { JsonObject } from '../../../engine/json.ts'
import type { Spoken } from '../ask-provider.ts'
import type { Rejection } from '../dialect.ts'

/** A fault that both find, and the same request without it. */
export interface SharedFault {
  /** As the linter calls it. */
  readonly rule: string
  readonly what: string
  readonly request: JsonObject
  readonly rejection: Rejection
  readonly sound: JsonObject
}

/** A request that one of them takes and the other one does not, on purpose. */
export interface Difference {
  readonly what: string
  readonly why: string
  readonly request: JsonObject
  /** As the linter calls it; null: it finds nothing. */
  readonly rule: string | null
  /** The provider's status. */
  readonly status: number
}

export interface Agreement {
  readonly format: Spoken
  readonly faults: readonly SharedFault[]
  readonly differences: readonly Difference[]
}
