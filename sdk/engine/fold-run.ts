import type { FoldRecord, StageName, SummaryFallback, TraceStep } from './journal.ts'
import type { RequestSize } from './measure.ts'
import type { Plan } from './plan.ts'
import type { Line } from './record.ts'
import {
  atOrUnder,
  countedAtMost,
  type Estimate,
  estimateNumber,
  lower,
  over,
  type Ratio,
  type Scale,
  scaleNumber,
  targetTokens,
} from './scale.ts'
import type { Proposal, Stage, StageContext, SummaryStage } from './stages/stage.ts'

/** How many calls or bodies a fold record lists; its totals count them all (R298, R300). */
const RECORDED = 50

/** Share of the ceiling above which the notes in the view call for a reset before anything else (R278). */
const NOTES_SHARE = 0.15

/** Stages that reach past the newest note even while the provider's cache is placed: they rewrite it once (R277, R366). */
const wholeViewStages: ReadonlySet<StageName> = new Set(['reset', 'prune', 'summary'])

/** What a run of stages has whatever the stages are. */
export interface FoldRunInput {
  readonly line: Line
  /** Size of the line's view. */
  readonly size: RequestSize
  /** The one factor of this prepare, and what it becomes when a summary request raises the scale (R107). */
  readonly factor: Ratio
  readonly factorFor: (scale: Scale) => Ratio
  readonly scale: Scale
  /** Tokens that the request may come to; null: not known, so that no stage is ever enough. */
  readonly ceiling: number | null
  /** Tokens that a request for a summary may come to; null: not known. */
  readonly readerLimit: number | null
  /** Share of the ceiling at or under which the run ends. */
  readonly contextFoldTarget: number
  readonly requestId: string
  /** Passes of the same request before this fold; names go on from there. */
  readonly passesBefore: number
  readonly reason: FoldRecord['reason']
  readonly at: number
  /** Whether there is anybody to write a summary; on an estimate none is asked for, whoever is there. */
  readonly summaries: 'available' | 'missing' | 'on_counts_only'
  /** Whether the provider's cache is placed, so that notes and the first round stay where they are (R253). */
  readonly placesMarks: boolean
  /** The stage's own context for a line; the runner adds what it knows itself. */
  readonly context: (
    line: Line,
  ) => Omit<
    StageContext,
    | 'line'
    | 'size'
    | 'foldId'
    | 'targetCounted'
    | 'ceilingCounted'
    | 'readerCounted'
    | 'requestId'
    | 'measure'
  >
  /** Measures a candidate line. */
  readonly measure: (line: Line) => Plan<RequestSize>
}

export interface FoldOutcome {
  readonly line: Line
  readonly size: RequestSize
  readonly factor: Ratio
  readonly scale: Scale
  readonly folds: readonly FoldRecord[]
  readonly trace: readonly TraceStep[]
  /** Record indexes that landed passes took out of the view. */
  readonly folded: readonly number[]
  /** A pass landed (R63). */
  readonly landed: boolean
  /** A summary would have been asked for, and there is nobody to write it. */
  readonly lacksSummarizer: boolean
  /** Why no summary came of the newest request for one; null: one came, or none was asked for. */
  readonly failedSummary: SummaryFallback['reason'] | null
}

/**
 * Runs passes, one after the other, until one reaches the target (R97). A pass lands only when it strictly lowers the
 * estimate; otherwise the view stays exactly as it was, and a note that it wrote stays in the record, outside the view
 * (R106, R108, R80).
 */
export class FoldRun {
  readonly #input: FoldRunInput
  #line: Line
  #size: RequestSize
  #factor: Ratio
  #scale: Scale
  readonly #folds: FoldRecord[] = []
  readonly #trace: TraceStep[] = []
  readonly #folded: number[] = []
  #landed = false
  #lacksSummarizer = false
  #failedSummary: SummaryFallback['reason'] | null = null

  constructor(input: FoldRunInput) {
    this.#input = input
    this.#line = input.line
    this.#size = input.size
    this.#factor = input.factor
    this.#scale = input.scale
  }

  get landed(): boolean {
    return this.#landed
  }

  get isSendable(): boolean {
    return !this.#isOver(this.#size.counted)
  }

  outcome(): FoldOutcome {
    return {
      line: this.#line,
      size: this.#size,
      factor: this.#factor,
      scale: this.#scale,
      folds: this.#folds,
      trace: this.#trace,
      folded: this.#folded,
      landed: this.#landed,
      lacksSummarizer: this.#lacksSummarizer,
      failedSummary: this.#failedSummary,
    }
  }

  /** What the notes come to is the request with them less the request without (rules.md 5). */
  *notesCallForReset(): Plan<boolean> {
    const { ceiling } = this.#input
    const view = this.#line.view.filter((index) => !this.#line.record[index]?.note)
    if (ceiling === null || view.length === this.#line.view.length) return false
    const without = yield* this.#input.measure({ ...this.#line, view })
    const notes = this.#estimate(this.#size.counted - without.counted)
    const resets = over(notes, ceiling, NOTES_SHARE)
    const limit = targetTokens(ceiling, NOTES_SHARE)
    this.#trace.push({ type: 'notes', estimate: estimateNumber(notes), limit, resets })
    return resets
  }

  /**
   * Runs the stages that have summaries written, as far as the floor view lets them help (R102 to R105). False
   * where none of them ran.
   */
  *summarise(stages: readonly SummaryStage[]): Plan<boolean> {
    const last = stages.at(-1)
    if (last === undefined || this.#reached(this.#size.counted)) return false
    const context = this.#context(last)
    const taken = last.takes(context)
    if (taken.size === 0) {
      this.#skip(last, 'nothing_to_take')
      return false
    }
    const { summaries } = this.#input
    if (summaries !== 'available') {
      this.#lacksSummarizer ||= summaries === 'missing'
      this.#skip(last, summaries === 'missing' ? 'no_summarizer' : 'not_counted')
      return false
    }
    const view = this.#line.view.filter((index) => !taken.has(index))
    const floor = this.#estimate((yield* this.#input.measure({ ...this.#line, view })).counted)
    const verdict = this.#isOver(floor.counted)
      ? 'unsendable'
      : this.#reached(floor.counted)
        ? 'passes'
        : 'one_pass'
    this.#trace.push({ type: 'floor', estimate: estimateNumber(floor), verdict })
    if (verdict === 'unsendable') return false
    for (const stage of verdict === 'passes' ? stages : [last]) yield* this.pass(stage)
    return true
  }

  /** `onlyToTarget`: a pass that is not enough by itself does not land. */
  *pass(stage: Stage, { onlyToTarget = false } = {}): Plan<void> {
    if (this.#reached(this.#size.counted)) return
    const proposal = yield* stage.propose(this.#context(stage))
    if (proposal === null) {
      this.#skip(stage, 'nothing_to_take')
      return
    }
    const candidate: Line = {
      ...this.#line,
      record: [...this.#line.record, ...proposal.added],
      view: proposal.view,
    }
    const measured = yield* this.#input.measure(candidate)
    const { summary } = proposal
    if (summary && summary.type !== 'withheld' && summary.scale) this.#rescale(summary.scale)
    if (summary) this.#failedSummary = summary.type === 'failed' ? (summary.reason ?? 'failed') : null
    const before = this.#estimate(this.#size.counted)
    const after = this.#estimate(measured.counted)
    const landed = lower(after, before) && (!onlyToTarget || this.#reached(measured.counted))
    if (landed) {
      this.#line = candidate
      this.#size = measured
      this.#landed = true
      this.#folded.push(...proposal.taken)
    } else {
      const notes = proposal.added.filter((entry) => entry.note)
      this.#line = { ...this.#line, record: [...this.#line.record, ...notes] }
    }
    const step = this.#step(stage, estimateNumber(before), estimateNumber(after))
    if (summary?.type === 'withheld') {
      this.#trace.push({ ...step, outcome: 'needs_summary', indexes: proposal.taken })
      return
    }
    const outcome = landed ? 'landed' : 'rolled_back'
    this.#trace.push({ ...step, outcome, indexes: touched(proposal) })
    this.#folds.push(this.#record(stage, proposal, { before: step.before, after: step.after, outcome }))
  }

  #record(
    stage: Stage,
    proposal: Proposal,
    facts: Pick<FoldRecord, 'before' | 'after' | 'outcome'>,
  ): FoldRecord {
    const { at, requestId, reason, ceiling } = this.#input
    return {
      v: 1,
      id: this.#nextId(),
      at,
      requestId,
      reason,
      stage: stage.name,
      keptTail: stage.keptTail,
      ...takenFacts(proposal),
      ...summaryFacts(proposal),
      ...facts,
      ceiling,
      scale: scaleNumber(this.#scale),
      targetReached: this.#reached(this.#size.counted),
    }
  }

  #context(stage: Stage): StageContext {
    const { ceiling, contextFoldTarget, context, measure, readerLimit, requestId } = this.#input
    return {
      ...context(this.#line),
      line: this.#line,
      size: this.#size,
      foldId: this.#nextId(),
      targetCounted: ceiling === null ? 0 : countedAtMost(ceiling, contextFoldTarget, this.#factor),
      ceilingCounted: ceiling === null ? Number.MAX_SAFE_INTEGER : countedAtMost(ceiling, 1, this.#factor),
      ...(readerLimit === null ? {} : { readerCounted: countedAtMost(readerLimit, 1, this.#factor) }),
      requestId,
      measure,
      ...(wholeViewStages.has(stage.name) ? { from: 0 } : {}),
    }
  }

  #nextId(): string {
    const { requestId, passesBefore } = this.#input
    return `${requestId}/${passesBefore + this.#folds.length + 1}`
  }

  #rescale(scale: Scale): void {
    this.#scale = scale
    this.#factor = this.#input.factorFor(scale)
  }

  #skip(stage: Stage, outcome: 'nothing_to_take' | 'no_summarizer' | 'not_counted'): void {
    const size = estimateNumber(this.#estimate(this.#size.counted))
    this.#trace.push({ ...this.#step(stage, size, size), outcome, indexes: [] })
  }

  #step(stage: Stage, before: number, after: number): Omit<StageStep, 'outcome' | 'indexes'> {
    const { ceiling, contextFoldTarget } = this.#input
    const target = ceiling === null ? null : targetTokens(ceiling, contextFoldTarget)
    return { type: 'stage', stage: stage.name, keptTail: stage.keptTail, before, after, target }
  }

  #estimate(counted: number): Estimate {
    return { counted, factor: this.#factor }
  }

  #reached(counted: number): boolean {
    const { ceiling, contextFoldTarget } = this.#input
    return ceiling !== null && atOrUnder(this.#estimate(counted), ceiling, contextFoldTarget)
  }

  #isOver(counted: number): boolean {
    const { ceiling } = this.#input
    return ceiling !== null && over(this.#estimate(counted), ceiling)
  }
}

type StageStep = Extract<TraceStep, { type: 'stage' }>

function touched({ taken, clipped = [], cleared = [] }: Proposal): readonly number[] {
  return taken.length > 0 ? taken : [...new Set([...clipped, ...cleared].map(({ index }) => index))]
}

function takenFacts(
  proposal: Proposal,
): Pick<
  FoldRecord,
  | 'noteIndex'
  | 'replaced'
  | 'messagesFolded'
  | 'calls'
  | 'callsTotal'
  | 'clipped'
  | 'clippedTotal'
  | 'cleared'
  | 'clearedTotal'
  | 'prunedBefore'
  | 'compactedBefore'
> {
  const { taken, clipped, cleared, prunedBefore, compactedBefore } = proposal
  const note = proposal.added.find((entry) => entry.note !== undefined)
  const calls = note?.note?.calls ?? []
  return {
    ...(note ? { noteIndex: note.index } : {}),
    replaced: ranges(taken),
    messagesFolded: taken.length,
    calls: calls.slice(0, RECORDED),
    callsTotal: calls.length,
    ...(clipped ? { clipped: clipped.slice(0, RECORDED), clippedTotal: clipped.length } : {}),
    ...(cleared ? { cleared: cleared.slice(0, RECORDED), clearedTotal: cleared.length } : {}),
    ...(prunedBefore === undefined ? {} : { prunedBefore }),
    ...(compactedBefore === undefined ? {} : { compactedBefore }),
  }
}

/** A note is the app's own words unless somebody wrote a summary for it; what was only shortened has none (R298, R300). */
function summaryFacts({
  summary,
  clipped,
  cleared,
}: Proposal): Pick<FoldRecord, 'summarySource' | 'summaryUsage' | 'fallback'> {
  if (clipped || cleared) return { summarySource: null, summaryUsage: null }
  if (summary === undefined || summary.type === 'withheld')
    return { summarySource: 'host', summaryUsage: null }
  return {
    summarySource: summary.type === 'written' ? summary.source : 'host',
    summaryUsage: summary.usage,
    ...(summary.fallback ? { fallback: summary.fallback } : {}),
  }
}

/** Half-open ranges over ascending indexes. */
function ranges(indexes: readonly number[]): readonly { readonly start: number; readonly end: number }[] {
  const found: { start: number; end: number }[] = []
  for (const index of indexes) {
    const last = found.at(-1)
    if (last?.end === index) last.end = index + 1
    else found.push({ start: index, end: index + 1 })
  }
  return found
}
