import type { FoldRecord, TraceStep } from './journal.ts'
import type { Plan } from './plan.ts'
import type { Line } from './record.ts'
import {
  atOrUnder,
  type Estimate,
  estimateNumber,
  lower,
  type Scale,
  scaleNumber,
  targetTokens,
} from './scale.ts'
import type { Proposal, Stage, StageContext } from './stages/stage.ts'
import { toolIo } from './stages/tool-io.ts'

/** The stages in force, in order; each runs at most once in a fold (R95, R96). */
export const stages: readonly Stage[] = [toolIo(6), toolIo(2)]

/** How many calls a fold record lists; `callsTotal` counts them all (R298). */
const RECORDED_CALLS = 50

export interface FoldInput {
  readonly line: Line
  /** What the line's view was measured at. */
  readonly estimate: Estimate
  readonly ceiling: number
  readonly contextFoldTarget: number
  readonly requestId: string
  readonly reason: FoldRecord['reason']
  readonly at: number
  readonly scale: Scale
  readonly stages: readonly Stage[]
  /** The stage's own context for a line; the runner adds the fold's name. */
  readonly context: (line: Line) => Omit<StageContext, 'foldId'>
  /** Measures a candidate line by the one factor of this prepare. */
  readonly measure: (line: Line) => Plan<Estimate>
}

export interface FoldOutcome {
  readonly line: Line
  readonly estimate: Estimate
  readonly folds: readonly FoldRecord[]
  readonly trace: readonly TraceStep[]
  /** Record indexes that landed passes took out of the view. */
  readonly folded: readonly number[]
  /** A pass landed (R63). */
  readonly landed: boolean
}

/**
 * Runs the stages until one reaches the target (R97). A pass lands only when it strictly lowers the estimate;
 * otherwise the view stays exactly as it was, and what the stage added stays in the record, outside the view
 * (R106, R108, R80).
 */
export function* runFold(input: FoldInput): Plan<FoldOutcome> {
  let { line, estimate } = input
  const folds: FoldRecord[] = []
  const trace: TraceStep[] = []
  const folded: number[] = []
  const target = targetTokens(input.ceiling, input.contextFoldTarget)
  const reached = (size: Estimate): boolean => atOrUnder(size, input.ceiling, input.contextFoldTarget)
  for (const stage of input.stages) {
    if (reached(estimate)) break
    const id = `${input.requestId}/${folds.length + 1}`
    const proposal = yield* stage.propose({ ...input.context(line), foldId: id })
    const before = estimateNumber(estimate)
    const step = { type: 'stage', stage: stage.name, keptTail: stage.keptTail, before, target } as const
    if (proposal === null) {
      trace.push({ ...step, outcome: 'nothing_to_take', after: before, indexes: [] })
      continue
    }
    const candidate: Line = { ...line, record: [...line.record, ...proposal.added], view: proposal.view }
    const measured = yield* input.measure(candidate)
    const landed = lower(measured, estimate)
    const after = estimateNumber(measured)
    const outcome = landed ? 'landed' : 'rolled_back'
    line = landed ? candidate : { ...line, record: candidate.record }
    estimate = landed ? measured : estimate
    if (landed) folded.push(...proposal.taken)
    trace.push({ ...step, outcome, after, indexes: proposal.taken })
    folds.push({
      v: 1,
      id,
      at: input.at,
      requestId: input.requestId,
      reason: input.reason,
      stage: stage.name,
      keptTail: stage.keptTail,
      ...takenFacts(proposal),
      summarySource: null,
      summaryUsage: null,
      before,
      after,
      ceiling: input.ceiling,
      scale: scaleNumber(input.scale),
      outcome,
      targetReached: reached(estimate),
    })
  }
  return { line, estimate, folds, trace, folded, landed: folded.length > 0 }
}

function takenFacts(
  proposal: Proposal,
): Pick<FoldRecord, 'noteIndex' | 'replaced' | 'messagesFolded' | 'calls' | 'callsTotal'> {
  const note = proposal.added.find((entry) => entry.note !== undefined)
  const calls = note?.note?.calls ?? []
  return {
    ...(note ? { noteIndex: note.index } : {}),
    replaced: ranges(proposal.taken),
    messagesFolded: proposal.taken.length,
    calls: calls.slice(0, RECORDED_CALLS),
    callsTotal: calls.length,
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
