import type { SummaryJob, SummaryOutcome } from './engine/plan.ts'
import { readSummary } from './engine/summary-text.ts'
import type { Summarize } from './ports.ts'
import { untilAborted } from './until-aborted.ts'

/** How long an app's summary may take before the note goes without one. */
const SUMMARY_TIMEOUT_MS = 60_000

export interface SummarizingOptions {
  readonly branchId: string
  readonly summarize: Summarize
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Has the summaries of one request written by the app's function. Whatever goes wrong, and whatever comes back
 * that is no summary, is a failed one: the note's lists then stand alone (R157), and the function is not asked
 * again for this request, which has waited for it long enough. Nothing is summarised twice (rules.md 4, U10).
 * Rejects only where the caller's signal aborts.
 */
export function summaryWriter(options: SummarizingOptions): (job: SummaryJob) => Promise<SummaryOutcome> {
  const written = new Map<string, string>()
  let failed = false
  return async (job) => {
    const text = written.get(job.history) ?? (failed ? null : await writeSummary(job, options))
    if (text === null) {
      failed = true
      return { type: 'failed', usage: null }
    }
    written.set(job.history, text)
    return { type: 'written', text, source: 'delegate', usage: null }
  }
}

async function writeSummary(job: SummaryJob, options: SummarizingOptions): Promise<string | null> {
  const { branchId, summarize, timeoutMs = SUMMARY_TIMEOUT_MS, signal } = options
  const timeout = AbortSignal.timeout(timeoutMs)
  const both = signal ? AbortSignal.any([signal, timeout]) : timeout
  try {
    return readSummary(await untilAborted(summarize({ branchId, ...job, signal: both }), both))
  } catch (error) {
    if (signal?.aborted) throw error
    return null
  }
}
