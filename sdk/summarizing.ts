import type { DecideInput } from './engine/decide-input.ts'
import type { ReportedUsage, SummaryQuestion } from './engine/format.ts'
import type { SummaryFallback } from './engine/journal.ts'
import type { SummaryJob, SummaryOutcome } from './engine/plan.ts'
import type { PolicyInForce } from './engine/policy.ts'
import { summaryText } from './engine/summary-request.ts'
import { readSummary } from './engine/summary-text.ts'
import type { Summarize } from './ports.ts'
import { throwIfAborted } from './prepare-options.ts'
import { summaryEnvelope } from './summary-envelope.ts'
import { untilAborted } from './until-aborted.ts'

/** How long a summary may take before it counts as failed. */
const SUMMARY_TIMEOUT_MS = 60_000

/** Puts a question to the model of a round, on the way that the round itself goes. */
export type SummaryTransport = (
  question: SummaryQuestion & { readonly signal: AbortSignal },
) => Promise<{ readonly text: string | null; readonly usage: ReportedUsage | null }>

/** Who may write the summaries of a request. */
export interface SummaryWays {
  readonly compaction: PolicyInForce['compaction']
  /** The app's own function. */
  readonly summarize?: Summarize | undefined
  readonly transport?: SummaryTransport | undefined
}

export interface SummarizingOptions extends SummaryWays {
  readonly branchId: string
  readonly signal?: AbortSignal | undefined
}

/** Whether there is anybody, as the engine asks. */
export function summariesBy({ compaction, summarize, transport }: SummaryWays): DecideInput['summaries'] {
  if (compaction.mode === 'off') return 'off'
  return summarize || transport ? 'available' : 'missing'
}

/**
 * Has the summaries of one request written: by the app's function, and where that fails, or there is none, by the
 * model (rules.md 4, U13). Whatever goes wrong, and whatever comes back that is no summary, is a failed one: the
 * note's lists then stand alone (R157), and whoever failed is not asked again for this request, which has waited for
 * it long enough (R342). Nothing is summarised twice (rules.md 4, U10). Rejects only where the caller's signal aborts.
 * Undefined where there is nobody.
 */
export function summaryWriter(
  options: SummarizingOptions,
): ((job: SummaryJob) => Promise<SummaryOutcome>) | undefined {
  const known = new Map<string, SummaryOutcome>()
  let writers = writersOf(options)
  let fallback: SummaryFallback | undefined
  /** Why the newest of those failed who were asked. */
  let reason: SummaryFallback['reason'] = 'failed'
  if (writers.length === 0) return undefined
  return async (job) => {
    const name = summaryText(job)
    const before = known.get(name)
    if (before) return before
    let usage: ReportedUsage | null = null
    for (const writer of writers) {
      const written = await write(job, writer, options.signal)
      usage = written.usage
      if (written.text !== null) {
        const { source } = writer
        const outcome = {
          type: 'written',
          text: written.text,
          source,
          ...(fallback && { fallback }),
        } as const
        // What it took is told once.
        known.set(name, { ...outcome, usage: null })
        return { ...outcome, usage }
      }
      reason = written.reason
      writers = writers.filter((each) => each !== writer)
      // Nobody comes after the model.
      if (writers.length > 0) fallback = { from: 'delegate', reason: written.reason }
    }
    return { type: 'failed', reason, usage, ...(fallback && { fallback }) }
  }
}

type Written =
  | { readonly text: string; readonly usage: ReportedUsage | null }
  | { readonly text: null; readonly usage: ReportedUsage | null; readonly reason: SummaryFallback['reason'] }

interface Writer {
  readonly source: 'model' | 'delegate'
  readonly timeoutMs: number
  /** What it brings as the text may be anything. */
  ask(
    job: SummaryJob,
    signal: AbortSignal,
  ): Promise<{ readonly text: unknown; readonly usage: ReportedUsage | null }>
}

function writersOf({ branchId, compaction, summarize, transport }: SummarizingOptions): readonly Writer[] {
  const { timeoutMs = SUMMARY_TIMEOUT_MS } = compaction.mode === 'delegate' ? compaction : {}
  const { model, reasoning } = compaction.mode === 'summarize' ? compaction : {}
  const delegate: Writer | undefined = summarize && {
    source: 'delegate',
    timeoutMs,
    ask: async (job, signal) => ({
      text: await summarize({ ...summaryEnvelope(branchId, job), signal }),
      usage: null,
    }),
  }
  const byModel: Writer | undefined = transport && {
    source: 'model',
    timeoutMs: SUMMARY_TIMEOUT_MS,
    ask: (job, signal) =>
      transport({
        instructions: job.instructions,
        history: summaryText(job),
        reasoning,
        signal,
        ...(model === undefined ? {} : { model }),
      }),
  }
  return [delegate, byModel].filter((writer) => writer !== undefined)
}

async function write(job: SummaryJob, writer: Writer, signal: AbortSignal | undefined): Promise<Written> {
  const timeout = AbortSignal.timeout(writer.timeoutMs)
  const both = signal ? AbortSignal.any([signal, timeout]) : timeout
  try {
    const { text, usage } = await untilAborted(writer.ask(job, both), both)
    const summary = readSummary(text)
    return summary === null ? { text: null, usage, reason: 'empty' } : { text: summary, usage }
  } catch {
    throwIfAborted(signal)
    return { text: null, usage: null, reason: timeout.aborted ? 'timeout' : 'failed' }
  }
}
