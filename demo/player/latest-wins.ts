/**
 * Runs an asynchronous task with one value at a time. Of the values that come in while it runs, only the
 * latest is taken up afterwards, so that a slider that is dragged never builds a queue.
 */
export function latestWins<Value>(task: (value: Value) => Promise<void>): (value: Value) => Promise<void> {
  let waiting: { readonly value: Value } | null = null
  let running: Promise<void> | null = null

  async function drain(): Promise<void> {
    while (waiting) {
      const { value } = waiting
      waiting = null
      await task(value)
    }
  }

  return (value) => {
    waiting = { value }
    running ??= drain().finally(() => {
      running = null
    })
    return running
  }
}
