export interface Blocked {
  /** Milliseconds from its start to its end. */
  readonly took: number
  /** Longest time in which the page could do nothing else, in milliseconds. */
  readonly longest: number
  /** Tasks over 50 ms, as the browser itself reports them. */
  readonly longTasks: readonly number[]
}

/** Marks in the trace of a page around what is watched. */
export const WATCH_START = 'watch starts'
export const WATCH_END = 'watch ends'

/**
 * Runs something while messages go round as fast as the page lets them. The time between two of them is an upper
 * bound of the longest task between them.
 */
export async function watchMainThread<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly blocked: Blocked }> {
  const longTasks: number[] = []
  const observer = new PerformanceObserver((list) => {
    longTasks.push(...list.getEntries().map((task) => task.duration))
  })
  await calm()
  observer.observe({ entryTypes: ['longtask'] })
  const pulse = new Pulse()
  await pulse.next()
  const start = performance.mark(WATCH_START).startTime
  const result = await work()
  const took = performance.mark(WATCH_END).startTime - start
  await pulse.next()
  const longest = pulse.stop(start)
  await calm()
  observer.disconnect()
  return { result, blocked: { took, longest, longTasks } }
}

/** Lets the page end what it is at. */
function calm(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10))
}

class Pulse {
  readonly #channel = new MessageChannel()
  #beats: number[] = []
  #onBeat: () => void = () => undefined

  constructor() {
    this.#channel.port1.onmessage = () => {
      this.#beats.push(performance.now())
      this.#onBeat()
      this.#channel.port2.postMessage(null)
    }
    this.#channel.port2.postMessage(null)
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#onBeat = resolve
    })
  }

  /** Longest time between two beats, of those after a point in time. */
  stop(since: number): number {
    this.#channel.port1.close()
    let longest = 0
    for (const [position, beat] of this.#beats.entries())
      if (beat > since)
        longest = Math.max(longest, beat - Math.max(since, this.#beats[position - 1] ?? since))
    return longest
  }
}
