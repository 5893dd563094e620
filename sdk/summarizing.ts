import type { SummaryJob, SummaryOutcome } from './engine/plan.ts'
import { readSummary } from './engine/summary-text.ts'
import type { Summarize } from './ports.ts'

/** How long an app's summary may take before the note goes without one. */
const SUMMARY_TIMEOUT_MS = 60_000

export interface SummarizingOptions {
  readonly branchId: string
  readonly summarize: Summarize
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Has a summary written by the app's function. Whatever goes wrong, and whatever comes back that is no summary,
 * is a failed one: the note's lists then stand alone (R157). Rejects only where the caller's signal aborts.
 */
export async function writeSummary(job: SummaryJob, options: SummarizingOptions): Promise<SummaryOutcome> {
  const { branchId, summarize, timeoutMs = SUMMARY_TIMEOUT_MS, signal } = options
  const timeout = AbortSignal.timeout(timeoutMs)
  const both = signal ? AbortSignal.any([signal, timeout]) : timeout
  try {
    const work = summarize({ branchId, ...job, signal: both })
    const text = readSummary(await untilAborted(work, both))
    if (text !== null) return { type: 'written', text, source: 'delegate', usage: null }
  } catch (error) {
    if (signal?.aborted) throw error
  }
  return { type: 'failed', usage: null }
}

/** An app's function may not heed its signal. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
