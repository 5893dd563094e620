import { WATCH_END, WATCH_START } from './watch-main-thread.ts'

interface TraceEvent {
  readonly name: string
  readonly cat: string
  readonly pid: number
  readonly tid: number
  /** Microseconds, as are all durations. */
  readonly ts: number
  readonly dur?: number
  /** Time of the processor, without what other programs took of it meanwhile. */
  readonly tdur?: number
}

/** What Chromium must be told to trace. */
export const TRACE_CATEGORIES = ['disabled-by-default-devtools.timeline', 'blink.user_timing']

/** Milliseconds of processor time that the longest task of the page took, for each thing that was watched, in order. */
export function longestTracedTasks(trace: Buffer): readonly number[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] }
  const starts = traceEvents.filter(({ name }) => name === WATCH_START).sort((a, b) => a.ts - b.ts)
  const ends = traceEvents.filter(({ name }) => name === WATCH_END).sort((a, b) => a.ts - b.ts)
  const tasks = traceEvents.filter(({ name }) => name === 'RunTask').sort((a, b) => a.ts - b.ts)
  return starts.map((start, place) => {
    const end = ends[place]?.ts ?? Number.POSITIVE_INFINITY
    let longest = 0
    for (const { pid, tid, ts, dur = 0, tdur = dur } of tasks)
      if (pid === start.pid && tid === start.tid && ts + dur > start.ts && ts < end)
        longest = Math.max(longest, tdur)
    return longest / 1000
  })
}
