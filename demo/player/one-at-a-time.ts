export interface OneAtATime {
  /** Stops what is under way, waits for its end, and then runs the task. Never rejects. */
  begin(task: (signal: AbortSignal) => Promise<void>): Promise<void>
  stop(): void
}

/** Lets one long task run at a time. `onError` hears of every failure but those of a task that was stopped. */
export function oneAtATime(onError: (error: unknown) => void): OneAtATime {
  let current: { readonly stop: AbortController; readonly ended: Promise<void> } | null = null

  async function run(
    task: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
    before: typeof current,
  ) {
    before?.stop.abort()
    await before?.ended
    if (signal.aborted) return
    try {
      await task(signal)
    } catch (error) {
      if (!signal.aborted) onError(error)
    }
  }

  return {
    begin(task) {
      const stop = new AbortController()
      const ended = run(task, stop.signal, current)
      current = { stop, ended }
      return ended
    },
    stop: () => current?.stop.abort(),
  }
}
