/**
 * What some work comes to, or a rejection with the signal's reason as soon as it aborts: whoever does the work may
 * not heed the signal, and may answer without a promise.
 */
export function untilAborted<Result>(
  work: Result | PromiseLike<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return Promise.resolve(work)
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort))
  })
}
