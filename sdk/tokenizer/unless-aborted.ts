import { abortedBy } from './count-backend.ts'

/** Waits for a promise that others may wait for too, and stops waiting with `aborted` when the signal says so. */
export async function unlessAborted<Value>(promise: Promise<Value>, signal?: AbortSignal): Promise<Value> {
  if (!signal) return promise
  let onAbort = (): void => {}
  const aborting = new Promise<never>((_, reject) => {
    onAbort = () => reject(abortedBy(signal))
    signal.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([promise, aborting])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
