export interface Throttled {
  /** Runs soon; requests that come before it ran, or while it runs, are answered by one more run. */
  request(): void
  cancel(): void
}

/** Runs a task at once when it is asked for, and then no more than once per interval, never twice at a time. */
export function throttle(task: () => void | Promise<void>, everyMs: number): Throttled {
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = false
  let again = false
  let cancelled = false
  let restedAt = 0

  function schedule(): void {
    const rest = Math.max(0, restedAt + everyMs - performance.now())
    timer ??= setTimeout(run, rest)
  }

  async function run(): Promise<void> {
    timer = undefined
    running = true
    again = false
    try {
      await task()
    } finally {
      running = false
      restedAt = performance.now()
      if (again && !cancelled) schedule()
    }
  }

  return {
    request() {
      if (cancelled) return
      if (running) again = true
      else schedule()
    },
    cancel() {
      cancelled = true
      clearTimeout(timer)
    },
  }
}
