import { describeValue } from '../engine/describe-value.ts'
import { TokenizerError } from '../errors.ts'

/** Throws `invalid_argument` for what cannot be counted; `index` is its place among the texts of one call. */
export function mustBeText(text: unknown, index = 0): void {
  if (typeof text === 'string') return
  throw new TokenizerError({
    code: 'invalid_argument',
    message: `text ${index} to count must be a string, not ${describeValue(text)}`,
    fields: { index },
  })
}
