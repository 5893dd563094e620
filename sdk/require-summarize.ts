import { describeValue } from './engine/describe-value.ts'
import type { ContextPolicy } from './engine/policy.ts'
import { DogearError } from './errors.ts'
import type { Summarize } from './ports.ts'

/** The app's function as it was handed over. Throws `invalid_argument` for what is none. */
export function requireSummarize(value: unknown): Summarize | undefined {
  if (value === undefined || isSummarize(value)) return value
  throw new DogearError({
    code: 'invalid_argument',
    message: `summarize must be a function that resolves to the text of a summary, but is ${describeValue(value)}`,
    fields: { name: 'summarize' },
  })
}

function isSummarize(value: unknown): value is Summarize {
  return typeof value === 'function'
}

/** A policy that leaves summaries to the app's function needs one (R343). Throws `invalid_policy` where there is none. */
export function requireWriter(policy: ContextPolicy, summarize: Summarize | undefined): ContextPolicy {
  if (policy.compaction?.mode !== 'delegate' || summarize) return policy
  throw new DogearError({
    code: 'invalid_policy',
    message:
      'policy.compaction.mode is "delegate", which leaves summaries to the app, but createDogear was given no summarize function; give it one, or set the mode to "summarize" or "off"',
    fields: { path: 'policy.compaction.mode' },
  })
}
