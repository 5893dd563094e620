import type { Warning } from './engine/format.ts'
import type { PartSize, RefusalReason } from './engine/journal.ts'

export type DogearErrorCode =
  | 'invalid_request'
  | 'unknown_format'
  | 'format_unavailable'
  | 'chunk_unavailable'
  | 'invalid_policy'
  | 'invalid_argument'
  | 'policy_disagrees'
  | 'transcript_unreadable'
  | 'input_ceiling_exceeded'
  | 'compiled_request_invalid'
  | 'result_over_bound'
  | 'request_too_large'
  | 'tokenizer_unavailable'
  | 'tokenizer_crashed'
  | 'store_unavailable'
  | 'store_newer'
  | 'store_blocked'
  | 'store_conflict'
  | 'store_stale'
  | 'store_full'
  | 'store_failed'
  | 'body_missing'
  | 'import_unreadable'
  | 'branch_closed'
  | 'branch_deleted'
  | 'aborted'

export interface DogearErrorOptions {
  readonly code: DogearErrorCode
  /** Names the thing, what was expected, what came, and what to do. Never conversation text. */
  readonly message: string
  readonly fields?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

const marker = Symbol.for('dogear.error')

/**
 * Base of every error that dogear throws. `isInstance` recognises errors of another copy of the package in
 * the same page, which `instanceof` does not.
 */
export class DogearError extends Error {
  readonly code: DogearErrorCode
  readonly fields: Readonly<Record<string, unknown>>
  readonly [marker] = true

  constructor(options: DogearErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'DogearError'
    this.code = options.code
    this.fields = options.fields ?? {}
  }

  static isInstance(error: unknown): error is DogearError {
    return typeof error === 'object' && error !== null && marker in error
  }
}

/** What a dogear that was closed answers. */
export function closedError(): DogearError {
  return new DogearError({
    code: 'branch_closed',
    message: 'this dogear was closed; create another with createDogear()',
  })
}

export function branchDeleted(id: string): DogearError {
  return new DogearError({
    code: 'branch_deleted',
    message: `branch "${id}" was deleted; dogear.branch("${id}") starts a new one`,
    fields: { branchId: id },
  })
}

/** The request was not sent: after every stage it is over the ceiling (R51, R54 to R57). */
export class InputCeilingError extends DogearError {
  /** Tokens; may be fractional, since the estimate is the count times an exact scale. */
  readonly estimate: number
  readonly ceiling: number
  readonly counted: number
  readonly scale: number
  /** Largest first. */
  readonly largestParts: readonly PartSize[]
  readonly reason: RefusalReason
  /** What kept the request from being made smaller, and what to do about it. */
  readonly warnings: readonly Warning[]

  constructor(facts: {
    estimate: number
    ceiling: number
    counted: number
    scale: number
    largestParts: readonly PartSize[]
    reason: RefusalReason
    warnings?: readonly Warning[]
  }) {
    super({
      code: 'input_ceiling_exceeded',
      message: refusalMessage(facts),
      fields: { ...facts },
    })
    this.name = 'InputCeilingError'
    this.estimate = facts.estimate
    this.ceiling = facts.ceiling
    this.counted = facts.counted
    this.scale = facts.scale
    this.largestParts = facts.largestParts
    this.reason = facts.reason
    this.warnings = facts.warnings ?? []
  }
}

function refusalMessage({
  reason,
  estimate,
  ceiling,
  warnings = [],
}: Pick<InputCeilingError, 'reason' | 'estimate' | 'ceiling'> & {
  readonly warnings?: readonly Warning[]
}): string {
  if (reason === 'remote_unmeasured')
    return `the size of what the provider holds is not on record, so under the ceiling of ${ceiling} the request was not sent; settle each request with its response, prepare one with a cached content with its cachedContentTokens, or set maxInputTokens: 'none'`
  const refused = `request of about ${Math.ceil(estimate)} tokens is over the ceiling of ${ceiling} (${reason}); raise maxInputTokens, shorten the largest parts, or set maxInputTokens: 'none'`
  return [refused, ...warnings.map(({ message }) => message)].join('. ')
}

export class StoreError extends DogearError {
  constructor(options: DogearErrorOptions) {
    super(options)
    this.name = 'StoreError'
  }
}

export class TokenizerError extends DogearError {
  constructor(options: DogearErrorOptions) {
    super(options)
    this.name = 'TokenizerError'
  }
}
