import { describeValue } from './engine/describe-value.ts'
import { isObject } from './engine/json.ts'
import { DogearError } from './errors.ts'

/** Half-open range of record indexes. */
export interface IndexRange {
  readonly start: number
  readonly end: number
}

/** What an app or a model handed to a verb, as an object; `shape` shows what was expected. */
export function requireObject(value: unknown, shape: string): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value
  throw badArgument('the argument', `an object, ${shape}`, value)
}

/** An integer of at least `least`; `fallback` where it is absent. */
export function requireInteger(
  name: string,
  value: unknown,
  options: { readonly least: number; readonly fallback?: number },
): number {
  const { least, fallback } = options
  if (value === undefined && fallback !== undefined) return fallback
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value
  throw badArgument(name, `an integer of at least ${least}`, value)
}

/** One entry, or those from `start` to before `end`. */
export function requireRange(value: unknown): IndexRange {
  const given = requireObject(value, '{ start, end? }')
  const start = requireInteger('start', given.start, { least: 0 })
  const end = requireInteger('end', given.end, { least: 0, fallback: start + 1 })
  if (end <= start) throw badArgument('end', `over start, which is ${start}`, end)
  return { start, end }
}

export function badArgument(name: string, expected: string, value: unknown): DogearError {
  return new DogearError({
    code: 'invalid_argument',
    message: `${name} must be ${expected}, but is ${describeValue(value)}`,
    fields: { name, expected },
  })
}

/** A verb's refusal of what it was given: nothing throws there, the reply says why (requirements, L). */
export async function orReason<Reply>(
  work: () => Promise<Reply>,
): Promise<Reply | { readonly success: false; readonly reason: string }> {
  try {
    return await work()
  } catch (error) {
    if (DogearError.isInstance(error) && error.code === 'invalid_argument')
      return { success: false, reason: error.message }
    throw error
  }
}
