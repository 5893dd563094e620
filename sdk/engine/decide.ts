import { type Anchor, chooseMethod } from './choose-method.ts'
import { type CompiledRequest, compileRequest, type RequestFacts } from './compile-request.ts'
import type { Digest } from './digest.ts'
import { settleFirstRound } from './first-round-decision.ts'
import { type FoldOutcome, type FoldStages, runFold } from './fold.ts'
import { type FoldConditions, foldBlocked, hasFold, placesCache } from './fold-conditions.ts'
import type { NativeMessage, ToolFacts, Warning, WireMessage } from './format.ts'
import type { ContextDecision, FoldRecord, RefusalReason, TraceStep } from './journal.ts'
import type { JsonValue } from './json.ts'
import { keptEntries } from './keep.ts'
import type { RequestSize } from './measure.ts'
import { measureChange } from './measure-change.ts'
import { noticeText } from './notice.ts'
import type { Plan } from './plan.ts'
import type { Line } from './record.ts'
import {
  atOrPast,
  type Estimate,
  estimateNumber,
  lineTokens,
  over,
  type Scale,
  scaleNumber,
  targetTokens,
} from './scale.ts'

export interface DecideInput extends FoldConditions, Omit<RequestFacts, 'rules' | 'placesMarks'> {
  readonly requestId: string
  readonly at: number
  readonly line: Line
  readonly scale: Scale
  readonly anchor: Anchor | null
  /** The provider wants the first round of the current turn as it was. */
  readonly keepsTurnHead: boolean
  /** Reasoning of the request is bound to all that stands before it, so nothing may be said only once. */
  readonly bindsReasoning: boolean
  /** Stages that may run; none for a retry, which must send the same bytes again, and under a refusal that stands. */
  readonly stages: FoldStages | null
  /** Who writes summaries: nobody where the app wants none, or where there is no way to ask for one. */
  readonly summaries: 'available' | 'off' | 'missing'
  /** Further folds that the turn may still have when the request as it would leave is over the ceiling (R60). */
  readonly resumptions: number
  readonly tools: readonly ToolFacts[]
  /** Names the first round where it is decided; null: nothing is sent, so nothing is decided (R262). */
  readonly digest: Digest | null
  /** False where even the ranks could not be loaded: such a count may fold, it never refuses. */
  readonly exact: boolean
}

export interface DecidedRequest {
  /** With the view that the request was compiled from, and whatever the fold added to the record. */
  readonly line: Line
  readonly messages: readonly WireMessage[]
  /** Values that replace those of the app's request, by key. */
  readonly fields: ReadonlyMap<string, JsonValue>
  /** System messages that replace those at the head of the app's list, by position. */
  readonly leading: ReadonlyMap<number, NativeMessage>
  /** The request is not the app's own. */
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
  | 'frontier'
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
  const { method, factorFor } = chooseMethod({
    ...input,
    // What lacks a part of unknown size is flagged, and teaches nothing.
    exact: input.exact && !lacksHeld(input),
    items: incoming.items,
    countedNow: incoming.size.counted,
  })
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
  const fold = function* (reason: FoldReason): Plan<boolean> {
    const outcome = yield* runFold({
      ...foldFacts(input, facts, notice),
      line: folding.line,
      size: final.size,
      factor: folding.factor,
      factorFor,
      scale: folding.scale,
      passesBefore: folding.folds.length,
      reason,
    })
    trace.push(...outcome.trace)
    folding = joinFoldings(folding, outcome)
    if (outcome.landed) final = yield* compileRequest(facts, folding.line, notice)
    return outcome.landed
  }
  let goesOn = startsFold(input, estimate) && (yield* fold('threshold'))
  const firstRound = yield* settleFirstRound({
    ...input,
    ...facts,
    ...folding,
    ceiling: input.ceiling.ceiling,
    messages: final.messages,
    // Only a count decides, for the decision stands for good.
    mayDecide: mayFold(input) && input.exact,
  })
  folding = { ...folding, line: firstRound.line }
  if (firstRound.frontier === 'decided') final = yield* compileRequest(facts, folding.line)
  // What the notice says must depend on nothing but the view, for a retry says it again.
  const putNotice = function* (): Plan<void> {
    notice = noticeFor(input, estimateOf(final, folding))
    if (notice !== null) final = yield* compileRequest(facts, folding.line, notice)
  }
  yield* putNotice()
  let resumptions = 0
  while (goesOn && resumesFold(input, estimateOf(final, folding), resumptions)) {
    trace.push(resumedStep(input, estimateOf(final, folding)))
    resumptions++
    goesOn = yield* fold('refused')
    if (!goesOn || notice === null) continue
    final = yield* compileRequest(facts, folding.line)
    yield* putNotice()
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
    messages: final.messages,
    fields: final.fields,
    leading: final.leading,
    changed: final.changed,
    size: final.size,
    countedBefore: incoming.size.counted,
    items: final.items,
    folds: folding.folds,
    refusal,
    scale: folding.scale,
    resumptions,
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
      ...(firstRound.frontier === null ? {} : { frontier: firstRound.frontier }),
      trace,
      warnings: [
        ...final.warnings,
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

type FoldReason = Parameters<typeof runFold>[0]['reason']

function mayFold(input: DecideInput): boolean {
  return input.stages !== null && hasFold(input)
}

function startsFold(input: DecideInput, estimate: Estimate): boolean {
  return mayFold(input) && atOrPast(estimate, input.ceiling.ceiling ?? 0, input.policy.contextFoldAt)
}

/** Another fold, where the request as it would leave is still over the ceiling (R59, R60). */
function resumesFold(input: DecideInput, estimate: Estimate, resumptions: number): boolean {
  return resumptions < input.resumptions && over(estimate, input.ceiling.ceiling ?? 0)
}

export function requestFacts(input: DecideInput): RequestFacts {
  const { policy } = input
  return {
    ...input,
    placesMarks: placesCache(input),
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

export function foldFacts(input: DecideInput, facts: RequestFacts, notice: string | null): FoldFacts {
  const { wire, policy, model, memory } = input
  const { placesMarks } = facts
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

/** The notice of a request that is at or past the line after folding, where the model could do something about it. */
function noticeFor(input: DecideInput, estimate: Estimate): string | null {
  const { policy, contextTool } = input
  const { ceiling } = input.ceiling
  if (!policy.notice || contextTool === null || ceiling === null || input.bindsReasoning) return null
  // It stands after every mark, and one at the end of the request would be on it.
  if (input.endMark !== null || foldBlocked(input) !== null) return null
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
  return lacksRemote(input) || lacksHeld(input)
}

function lacksRemote({ remote }: DecideInput): boolean {
  return remote !== null && remote.reported === null
}

function lacksHeld({ held }: DecideInput): boolean {
  return held?.tokens === null
}

const heldWarning: Warning = {
  code: 'cached_content_unmeasured',
  message:
    'the request names a cached content whose size is not on record, so it was measured without it; hand over cachedContentTokens, or settle the request with its response',
}

function remoteWarnings(input: DecideInput): readonly Warning[] {
  const warnings = lacksHeld(input) ? [heldWarning] : []
  if (!lacksRemote(input)) return warnings
  return [
    ...warnings,
    {
      code: 'remote_history_unmeasured',
      message:
        'the request continues a response whose size is not on record, so the history that the provider holds could not be measured; settle each request with its response',
    },
  ]
}

function measuredStep(input: DecideInput, estimate: Estimate): TraceStep {
  const { line, ceiling } = ceilingFacts(input)
  return { type: 'measured', estimate: estimateNumber(estimate), line, ceiling }
}
