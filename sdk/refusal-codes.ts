import { DogearError } from './errors.ts'

/** The status of a refusal, by its code: over what the app's policy lets out, or over what the provider takes (R14, R51). */
export const refusalStatuses: ReadonlyMap<string, readonly [status: number, text: string]> = new Map([
  ['input_ceiling_exceeded', [400, 'Bad Request']],
  ['result_over_bound', [400, 'Bad Request']],
  ['request_too_large', [413, 'Content Too Large']],
])

/** Whether the request must not leave (R55). */
export function isRefusal(error: unknown): error is DogearError {
  return DogearError.isInstance(error) && refusalStatuses.has(error.code)
}
