import type { Ceiling } from './ceiling.ts'
import { type CompiledRequest, compileRequest, type RequestFacts } from './compile-request.ts'
import { type FoldOutcome, type FoldStages, runFold } from './fold.ts'
import type { ToolFacts, Warning, WireMessage } from './format.ts'
import type { ContextDecision, FoldRecord, RefusalReason, TraceStep } from './journal.ts'
import { keptEntries } from './keep.ts'
import type { RequestSize } from './measure.ts'
import { measureChange } from './measure-change.ts'
import { noticeText } from './notice.ts'
import type { Plan } from './plan.ts'
import type { PolicyInForce } from './policy.ts'
import type { Line } from './record.ts'
import {
  anchoredFactor,
  atOrPast,
  type Estimate,
  estimateNumber,
  lineTokens,
  over,
  type Ratio,
  type Scale,
  scaleFactor,
  scaleNumber,
  targetTokens,
} from './scale.ts'

/** The last completed request of a line whose input was reported for it alone (rules.md 4, U2). */
export interface Anchor {
  readonly model: string
  readonly reported: number
  readonly counted: number
  /** Signatures of the items it carried. */
  readonly items: readonly string[]
}

export interface DecideInput extends Omit<RequestFacts, 'rules'> {
  readonly requestId: string
  readonly at: number
  readonly line: Line
  readonly policy: PolicyInForce
  readonly ceiling: Ceiling
  readonly scale: Scale
  readonly anchor: Anchor | null
  readonly run: 'iterative' | 'bounded'
  /** The provider wants the first round of the current turn as it was. */
  readonly keepsTurnHead: boolean
  /** Reasoning of the request is bound to all that stands before it, so nothing may be said only once. */
  readonly bindsReasoning: boolean
  /** The provider holds the history, and reported this much for what is continued; null: nothing on record. */
  readonly remote: { readonly reported: number | null } | null
  /** Stages that may run; none for a retry, which must send the same bytes again, and under a refusal that stands. */
  readonly stages: FoldStages | null
  /** Who writes summaries: nobody where the app wants none, or where there is no way to ask for one. */
  readonly summaries: 'available' | 'off' | 'missing'
  /** Further folds that the turn may still have when the request as it would leave is over the ceiling (R60). */
  readonly resumptions: number
  readonly tools: readonly ToolFacts[]
  /** Registered name of the context tool where this request carries it. */
  readonly contextTool: string | null
  /** False where even the ranks could not be loaded: such a count may fold, it never refuses. */
  readonly exact: boolean
}

export interface DecidedRequest {
  /** With the view that the request was compiled from, and whatever the fold added to the record. */
  readonly line: Line
  readonly messages: readonly WireMessage[]
  /** The messages are not the app's own list. */
  readonly changed: boolean
  readonly size: RequestSize
  /** Tokens counted of the request as it came, before any fold. */
  readonly countedBefore: number
  readonly items: readonly string[]
  readonly folds: readonly FoldRecord[]
  readonly facts: DecisionFacts
  readonly refusal: RefusalReason | null
  /** Scale in force now: a summary request may have raised it. */
  readonly scale: Scale
  /** Resumptions that this request took of the turn's (R60). */
  readonly resumptions: number
}

/** The part of a decision that the engine knows; the session adds ids and time. */
export type DecisionFacts = Pick<
  ContextDecision,
  | 'ceiling'
  | 'ceilingSource'
  | 'tier'
  | 'line'
  | 'target'
  | 'method'
  | 'before'
  | 'after'
  | 'counted'
  | 'scale'
  | 'parts'
  | 'action'
  | 'folded'
  | 'trace'
  | 'warnings'
>

/**
 * Decides one request: measures it, folds it past the line, and refuses what is over the ceiling after every
 * stage. Everything inside is measured by one exact factor, so that a pass, a target and the ceiling never
 * compare two measures (rules.md 4). Must be given the same input to give the same decision.
 */
export function* decideRequest(input: DecideInput): Plan<DecidedRequest> {
  const facts = requestFacts(input)
  const incoming = yield* compileRequest(facts, input.line)
  const { method, factorFor } = chooseMethod(input, incoming)
  const estimate: Estimate = { counted: incoming.size.counted, factor: factorFor(input.scale) }
  const trace: TraceStep[] = [measuredStep(input, estimate)]
  let folding: Folding = {
    line: input.line,
    size: incoming.size,
    factor: estimate.factor,
    scale: input.scale,
    folds: [],
    folded: [],
    landed: false,
    lacksSummarizer: false,
  }
  let notice: string | null = null
  let final = incoming
  let resumptions = -1
  while (mayFold(input, folding, final, resumptions)) {
    const isFirst = resumptions < 0
    if (!isFirst) trace.push(resumedStep(input, estimateOf(final, folding)))
    const outcome = yield* runFold({
      ...foldFacts(input, facts, notice),
      line: folding.line,
      size: final.size,
      factor: folding.factor,
      factorFor,
      scale: folding.scale,
      passesBefore: folding.folds.length,
      reason: isFirst ? 'threshold' : 'refused',
    })
    resumptions++
    trace.push(...outcome.trace)
    folding = joinFoldings(folding, outcome)
    if (outcome.landed) final = yield* compileRequest(facts, folding.line, notice)
    if (isFirst) {
      notice = noticeFor(input, estimateOf(final, folding))
      if (notice !== null) final = yield* compileRequest(facts, folding.line, notice)
    }
    if (!outcome.landed) break
  }
  const after = estimateOf(final, folding)
  const refusal = refusalOf(input, { final, after, landed: folding.landed })
  if (refusal !== null)
    trace.push({
      type: 'refused',
      estimate: estimateNumber(after),
      ceiling: input.ceiling.ceiling,
      reason: refusal,
    })
  return {
    line: folding.line,
    messages: final.composition.messages,
    changed: final.changed,
    size: final.size,
    countedBefore: incoming.size.counted,
    items: final.items,
    folds: folding.folds,
    refusal,
    scale: folding.scale,
    resumptions: Math.max(0, resumptions),
    facts: {
      ...ceilingFacts(input),
      method,
      before: estimateNumber(estimate),
      after: estimateNumber(after),
      counted: final.size.counted,
      scale: scaleNumber(folding.scale),
      parts: final.size.parts,
      action: actionOf(input, { after, landed: folding.landed, noticed: notice !== null, refusal }),
      folded: folding.folded,
      trace,
      warnings: [
        ...final.composition.warnings,
        ...remoteWarnings(input),
        ...(folding.lacksSummarizer && input.summaries === 'missing' ? [summarizerWarning] : []),
      ],
    },
  }
}

type Folding = Omit<FoldOutcome, 'trace'>

function joinFoldings(before: Folding, after: FoldOutcome): Folding {
  return {
    ...after,
    folds: [...before.folds, ...after.folds],
    folded: [...before.folded, ...after.folded],
    landed: before.landed || after.landed,
    lacksSummarizer: before.lacksSummarizer || after.lacksSummarizer,
  }
}

function estimateOf(compiled: CompiledRequest, { factor }: Pick<Folding, 'factor'>): Estimate {
  return { counted: compiled.size.counted, factor }
}

/** The first fold starts at the line; a further one only where the request as it would leave is over the ceiling. */
function mayFold(input: DecideInput, folding: Folding, final: CompiledRequest, resumptions: number): boolean {
  const { ceiling } = input.ceiling
  if (ceiling === null || input.stages === null || foldBlocked(input) !== null) return false
  const estimate = estimateOf(final, folding)
  if (resumptions < 0) return atOrPast(estimate, ceiling, input.policy.contextFoldAt)
  return resumptions < input.resumptions && over(estimate, ceiling)
}

function requestFacts(input: DecideInput): RequestFacts {
  const { policy } = input
  return {
    ...input,
    rules: {
      contextTool: policy.recovery === 'user' ? null : input.contextTool,
      ...(policy.toolResultMaxChars === undefined ? {} : { maxChars: policy.toolResultMaxChars }),
    },
  }
}

type FoldFacts = Pick<
  Parameters<typeof runFold>[0],
  | 'ceiling'
  | 'contextFoldTarget'
  | 'requestId'
  | 'at'
  | 'stages'
  | 'canSummarize'
  | 'placesMarks'
  | 'context'
  | 'measure'
>

const NO_STAGES: FoldStages = { ordinary: [], summaries: [], resets: [] }

function foldFacts(input: DecideInput, facts: RequestFacts, notice: string | null): FoldFacts {
  const { wire, policy, model, memory } = input
  const placesMarks = placesCache(input)
  return {
    ceiling: input.ceiling.ceiling ?? 0,
    contextFoldTarget: policy.contextFoldTarget,
    requestId: input.requestId,
    at: input.at,
    stages: input.stages ?? NO_STAGES,
    canSummarize: input.summaries === 'available' && input.exact,
    placesMarks,
    context: (line): ReturnType<FoldFacts['context']> => ({
      sources: input.sources,
      wire,
      rules: facts.rules,
      contextTool: input.contextTool,
      tools: input.tools,
      summaryBodies: policy.summaryBodies,
      keep: keptEntries(line, { keepsTurnHead: input.keepsTurnHead, placesMarks }),
      from: placesMarks ? line.view.findLastIndex((index) => line.record[index]?.note) + 1 : 0,
      margin: policy.contextFoldTailMargin,
      measureChange: (before, after) => measureChange({ wire, model, memory, before, after }),
    }),
    *measure(line) {
      return (yield* compileRequest(facts, line, notice)).size
    },
  }
}

/** Whether the provider's cache is placed: the policy wants it and the format can do it (R253, R386). */
function placesCache({ policy, wire }: Pick<DecideInput, 'policy' | 'wire'>): boolean {
  return policy.promptCaching === true && wire.cacheMarks !== undefined
}

/** The notice of a request that is at or past the line after folding, where the model could do something about it. */
function noticeFor(input: DecideInput, estimate: Estimate): string | null {
  const { policy, contextTool } = input
  const { ceiling } = input.ceiling
  if (!policy.notice || contextTool === null || ceiling === null || input.bindsReasoning) return null
  if (!atOrPast(estimate, ceiling, policy.contextFoldAt)) return null
  return noticeText({ estimate: estimateNumber(estimate), ceiling, contextTool })
}

function resumedStep(input: DecideInput, estimate: Estimate): TraceStep {
  return { type: 'resumed', estimate: estimateNumber(estimate), ceiling: input.ceiling.ceiling ?? 0 }
}

const summarizerWarning: Warning = {
  code: 'summary_unavailable',
  message:
    'the fold could go on with a summary, but there is no way to have one written; give createDogear a summarize function, or send through dogear.fetch',
}

/** The ceiling and its line and target in whole tokens, as a decision and a meter show them. */
function ceilingFacts(
  input: Pick<DecideInput, 'ceiling' | 'policy'>,
): Pick<ContextDecision, 'ceiling' | 'ceilingSource' | 'tier' | 'line' | 'target'> {
  const { ceiling, source, tier } = input.ceiling
  return {
    ceiling,
    ceilingSource: source,
    ...(tier ? { tier } : {}),
    line: ceiling === null ? null : lineTokens(ceiling, input.policy.contextFoldAt),
    target: ceiling === null ? null : targetTokens(ceiling, input.policy.contextFoldTarget),
  }
}

/** Why this request may not be folded at all: a bounded run never is (R54), `model` recovery needs its tool (R57). */
function foldBlocked(input: DecideInput): RefusalReason | null {
  if (input.remote) return 'remote_history'
  if (input.run === 'bounded') return 'bounded_run'
  if (input.policy.recovery === 'model' && input.contextTool === null) return 'no_context_tool'
  return null
}

/** Only a count over the ceiling refuses, an estimate never; history that nobody measured is refused as such. */
function refusalOf(
  input: DecideInput,
  outcome: { readonly final: CompiledRequest; readonly after: Estimate; readonly landed: boolean },
): RefusalReason | null {
  if (outcome.final.unfit.length > 0) return 'result_over_bound'
  const { ceiling, source } = input.ceiling
  if (ceiling === null) return null
  // Under a ceiling that nobody asked for, an app that worked before must go on working (rules.md 6).
  if (isUnmeasured(input)) return source === 'default' ? null : 'remote_unmeasured'
  if (!input.exact || !over(outcome.after, ceiling)) return null
  return foldBlocked(input) ?? (outcome.landed ? 'over_ceiling' : 'nothing_to_fold')
}

function actionOf(
  input: DecideInput,
  outcome: {
    readonly after: Estimate
    readonly landed: boolean
    readonly noticed: boolean
    readonly refusal: RefusalReason | null
  },
): DecisionFacts['action'] {
  if (outcome.refusal !== null) return 'refuse'
  if (outcome.landed) return 'fold'
  const { ceiling } = input.ceiling
  const near = ceiling !== null && atOrPast(outcome.after, ceiling, input.policy.contextFoldAt)
  return outcome.noticed || (input.remote && near) ? 'notice' : 'pass'
}

function isUnmeasured(input: DecideInput): boolean {
  return input.remote !== null && input.remote.reported === null
}

function remoteWarnings(input: DecideInput): readonly Warning[] {
  if (!isUnmeasured(input)) return []
  return [
    {
      code: 'remote_history_unmeasured',
      message:
        'the request continues a response whose size is not on record, so the history that the provider holds could not be measured; settle each request with its response',
    },
  ]
}

function chooseMethod(
  input: DecideInput,
  incoming: CompiledRequest,
): { readonly method: ContextDecision['method']; readonly factorFor: (scale: Scale) => Ratio } {
  const { anchor, remote, scale } = input
  const countedNow = incoming.size.counted
  const anchoredTo = (reported: number, countedThen: number) => (inForce: Scale) =>
    anchoredFactor({ reported, countedThen, countedNow, scale: inForce })
  if (remote?.reported != null) return { method: 'remote', factorFor: anchoredTo(remote.reported, 0) }
  if (!input.exact) return { method: 'estimate', factorFor: scaleFactor }
  if (anchor === null || anchor.model !== (input.model ?? '') || !extendsItems(incoming.items, anchor.items))
    return { method: 'counted', factorFor: scaleFactor }
  const factorFor = anchoredTo(anchor.reported, anchor.counted)
  // Tools that went since may take more away than was ever reported.
  return factorFor(scale).numerator > 0n
    ? { method: 'anchored', factorFor }
    : { method: 'counted', factorFor: scaleFactor }
}

/** Strictly longer, with the anchor's items as its beginning. */
function extendsItems(items: readonly string[], before: readonly string[]): boolean {
  return items.length > before.length && before.every((item, position) => items[position] === item)
}

function measuredStep(input: DecideInput, estimate: Estimate): TraceStep {
  const { line, ceiling } = ceilingFacts(input)
  return { type: 'measured', estimate: estimateNumber(estimate), line, ceiling }
}
