import { StoreError } from '../errors.ts'

/** The `StoreError` that a call must reject with. */
export async function storeFailure(attempt: Promise<unknown>): Promise<StoreError> {
  const outcome = await attempt.then(
    () => 'nothing was rejected',
    (reason: unknown) => reason,
  )
  if (outcome instanceof StoreError) return outcome
  throw new Error('expected a rejection with a StoreError', { cause: outcome })
}
