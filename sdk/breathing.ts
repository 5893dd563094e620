import type { Breathe } from './ports.ts'

/** Milliseconds of work in one piece: a frame has sixteen, and most of them are the page's own. */
const WORK_MS = 5

/** A page that gets a task of its own in between whenever dogear has worked for some milliseconds. */
export function createBreathing(options: {
  /** Milliseconds since any point in time. */
  readonly now: () => number
  /** Resolves in a later task, behind those that wait already. */
  readonly nextTask: () => Promise<void>
}): Breathe {
  const { now, nextTask } = options
  let since = Number.NEGATIVE_INFINITY
  return () => {
    if (now() - since < WORK_MS) return undefined
    return nextTask().then(() => {
      since = now()
    })
  }
}
