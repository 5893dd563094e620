import type {
  ContextDecision,
  FoldRecord,
  RefusalReason,
  StageName,
  TraceStep,
} from '../sdk/engine/journal.ts'
import { formatCount, formatDelta, formatRanges, formatTokens } from './format.ts'
import { shownRanges } from './limits.ts'
import type { PanelRequest } from './reduce.ts'

/** What a stage takes, and what it does with it. */
const stageWords: Readonly<Record<StageName, { readonly takes: string; readonly did: string }>> = {
  tool_io: { takes: 'tool calls and results', did: 'Folded tool calls and results' },
  clip: { takes: 'long results', did: 'Clipped long results' },
  all: { takes: 'whole rounds', did: 'Summarised whole rounds' },
  reset: {
    takes: 'everything after the first round',
    did: 'Made one note of everything after the first round',
  },
  prune: { takes: 'read results', did: 'Cleared read results' },
  summary: { takes: 'whole rounds', did: 'Summarised whole rounds' },
}

const refusalWords: Readonly<Record<RefusalReason, string>> = {
  over_ceiling: 'Everything that may be folded is folded.',
  nothing_to_fold: 'There is nothing that may be folded.',
  no_context_tool:
    'Nothing was folded: the request carries no tool by which the model could read folded entries back.',
  bounded_run: 'A bounded run is never folded.',
  remote_history: 'The provider holds the history, where no fold can reach it.',
  result_over_bound:
    'A result cannot be shortened to the bound with the words that say how to read the rest.',
  remote_unmeasured: 'The provider holds the history, and nothing on record says how large it is.',
}

const reasonWords: Readonly<Record<FoldRecord['reason'], string>> = {
  threshold: 'the request reached the fold line',
  refused: 'the request was over the ceiling',
  usage: 'by the usage that was reported before it, the request was over the model’s window',
  wall: 'the request was larger than its provider takes',
  overflow: 'the provider said that the request was too long',
  manual: 'it was asked for',
}

/** A stage in a word, for a column. */
export function nameStage(stage: StageName): string {
  return {
    tool_io: 'tool calls',
    clip: 'clip',
    all: 'rounds',
    reset: 'reset',
    prune: 'prune',
    summary: 'summary',
  }[stage]
}

export function describeStage(stage: StageName): string {
  return stageWords[stage].takes
}

export function describeReason(reason: FoldRecord['reason']): string {
  return reasonWords[reason]
}

/** One sentence per step of the engine's trace, then what became of the request. */
export function describeRequest(request: PanelRequest): readonly string[] {
  const { decision } = request
  return [...decision.trace.map(describeStep), describeEnd(request)]
}

function describeStep(step: TraceStep): string {
  switch (step.type) {
    case 'measured':
      return describeMeasure(step)
    case 'stage':
      return describePass(step)
    case 'floor':
      return describeFloor(step)
    case 'notes':
      return `The notes come to ${formatTokens(step.estimate)}, ${step.resets ? 'over' : 'at or under'} their limit of ${formatTokens(step.limit)}${step.resets ? ', so they were made into one' : ''}.`
    case 'resumed':
      return `As it would have left it was still ${formatTokens(step.estimate)}, over the ceiling of ${formatTokens(step.ceiling)}, so it was folded once more.`
    case 'repair':
      return describeRepair(step)
    case 'refusal_stands':
      return 'An earlier request of this turn was refused, and that stands until a new turn begins.'
    case 'refused':
      return step.ceiling === null
        ? refusalWords[step.reason]
        : `${formatTokens(step.estimate)} is over the ceiling of ${formatTokens(step.ceiling)}. ${refusalWords[step.reason]}`
  }
}

function describeMeasure({ estimate, line, ceiling }: Extract<TraceStep, { type: 'measured' }>): string {
  const measured = `Measured ${formatTokens(estimate)}`
  if (ceiling === null || line === null) return `${measured}. No ceiling is in force.`
  if (estimate >= line) return `${measured}, at or past the fold line of ${formatTokens(line)}.`
  return `${measured}, under the fold line of ${formatTokens(line)}.`
}

function describeRepair({ trigger, limit, outcome }: Extract<TraceStep, { type: 'repair' }>): string {
  const over = limit === null ? '' : ` It may come to ${formatTokens(limit)}.`
  const words = {
    repairs: 'so it was to be made smaller',
    off: 'and it was left as it is, for the policy wants no repair',
    blocked: 'and it was left as it is, for such a request is never folded',
    repaired_before: 'and it was left as it is, for it had its one repair',
  }
  return `${capitalise(reasonWords[trigger])}, ${words[outcome]}.${over}`
}

function describeFloor({ estimate, verdict }: Extract<TraceStep, { type: 'floor' }>): string {
  const words = {
    unsendable: 'over the ceiling, so no summary could make it fit and none was asked for',
    one_pass: 'over the target, so only the newest two entries were kept',
    passes: 'at or under the target',
  }
  return `Without all that may be summarised it would be ${formatTokens(estimate)}, ${words[verdict]}.`
}

function describePass(step: Extract<TraceStep, { type: 'stage' }>): string {
  const { takes, did } = stageWords[step.stage]
  const kept = step.keptTail === null ? '' : `, keeping the last ${step.keptTail}`
  if (step.outcome === 'nothing_to_take') return `Looked for ${takes}${kept}: nothing that may be taken.`
  if (step.outcome === 'no_summarizer')
    return `Could have summarised ${takes}${kept}, but there is nobody to write the summary.`
  if (step.outcome === 'not_counted')
    return `Could have summarised ${takes}${kept}, but not on an estimate: the tokenizer was not there.`
  if (step.outcome === 'needs_summary')
    return `Would have ${takes}${kept} summarised, which leaves about ${formatTokens(step.after)} beside the summary.`
  const change = `${formatTokens(step.before)} → ${formatTokens(step.after)} (${formatDelta(step.after - step.before)})`
  if (step.outcome === 'rolled_back')
    return `Tried ${takes}${kept}: ${change}. That is no gain, so it was undone.`
  const reached =
    step.target === null
      ? ''
      : `, ${step.after <= step.target ? 'at or under' : 'still over'} the target of ${formatTokens(step.target)}`
  const entries = `${formatCount(step.indexes.length, 'entry', 'entries')}: ${formatRanges(step.indexes, shownRanges)}`
  return `${did}${kept}: ${change}${reached}. ${entries}.`
}

function describeEnd({ decision, settlement }: PanelRequest): string {
  if (!decision.sent) return 'Not sent.'
  const sent = `Sent at about ${formatTokens(decision.after)}`
  if (!settlement) return `${sent}; no outcome has been reported yet.`
  const reported = settlement.usage?.input
  const words = {
    completed: 'answered',
    failed: 'failed at the provider',
    aborted: 'aborted',
    inferred: 'answered, as a later request shows',
  }[settlement.outcome]
  if (reported === undefined) return `${sent}; ${words}, with no usage reported.`
  return `${sent}; ${words}. The provider counted ${formatTokens(reported)} (${formatDelta(reported - Math.ceil(decision.after))}).`
}

/** The one line that a row, the chart and the announcement use. */
export function describeOutcome({ decision, settlement }: PanelRequest): string {
  if (decision.action === 'refuse')
    return `Refused: ${formatTokens(decision.after)} is over ${formatTokens(decision.ceiling)}`
  const clipped = clippedBy(decision)
  if (decision.folded.length > 0 || clipped > 0) {
    const folded =
      decision.folded.length > 0 ? [`folded ${formatCount(decision.folded.length, 'entry', 'entries')}`] : []
    const cut = clipped > 0 ? [`clipped ${formatCount(clipped, 'result')}`] : []
    return capitalise(`${[...folded, ...cut].join(' and ')} to fit ${formatTokens(decision.ceiling)}`)
  }
  if (settlement?.outcome === 'failed') return 'Failed at the provider'
  if (settlement?.outcome === 'aborted') return 'Aborted'
  return `Sent at about ${formatTokens(decision.after)}`
}

function clippedBy({ trace }: ContextDecision): number {
  return trace.reduce(
    (sum, step) =>
      step.type === 'stage' && step.stage === 'clip' && step.outcome === 'landed'
        ? sum + step.indexes.length
        : sum,
    0,
  )
}

function capitalise(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

export function describeFold(fold: FoldRecord): string {
  const { verb, did, what } = takenWords(fold)
  const why = reasonWords[fold.reason]
  if (fold.outcome === 'rolled_back')
    return `Tried to ${verb} ${what} because ${why}. It was undone: no gain.`
  const target = fold.targetReached ? 'The target was reached.' : 'The target was not reached.'
  return `${did} ${what} because ${why}. ${target}`
}

function takenWords(fold: FoldRecord): {
  readonly verb: string
  readonly did: string
  readonly what: string
} {
  if (fold.clippedTotal !== undefined)
    return { verb: 'clip', did: 'Clipped', what: formatCount(fold.clippedTotal, 'result text') }
  if (fold.clearedTotal !== undefined)
    return {
      verb: 'clear',
      did: 'Cleared',
      what: formatCount(fold.clearedTotal, 'result that was read', 'results that were read'),
    }
  const entries = formatCount(fold.messagesFolded, 'entry', 'entries')
  return { verb: 'fold', did: 'Folded', what: `${entries} (${stageWords[fold.stage].takes})` }
}

/** Who wrote the note of a fold. */
export function describeSummary({ summarySource, stage }: FoldRecord): string {
  if (summarySource === 'model') return 'written by the model'
  if (summarySource === 'delegate') return 'written by the app'
  const wanted = stage === 'all' || stage === 'reset' || stage === 'summary'
  return wanted ? 'none came, so the lists stand alone' : 'none'
}

export function describeCeilingSource(decision: ContextDecision): string {
  const words: Readonly<Record<ContextDecision['ceilingSource'], string>> = {
    policy: 'set by the policy',
    model: 'the model’s own limit',
    call: 'lowered for this call',
    default: 'the default for this model',
    auto: 'the model’s first price tier',
    none: 'switched off',
    unpriced: 'unknown: the model has no price on record',
  }
  return words[decision.ceilingSource]
}

export function describeMethod(decision: ContextDecision): string {
  const words: Readonly<Record<ContextDecision['method'], string>> = {
    counted: 'counted locally, times the scale',
    anchored: 'the last reported input, plus what was added',
    remote: 'history held by the provider, plus what was added',
    bound: 'an upper bound, before the tokenizer was ready',
    estimate: 'an estimate, without the tokenizer',
  }
  return words[decision.method]
}
