import type { Ceiling } from './ceiling.ts'
import { compileItems, firstChange, itemSignature, type SourceMessage } from './compile.ts'
import { type FoldOutcome, runFold } from './fold.ts'
import type { Composition, Warning, WireFormat, WireMessage } from './format.ts'
import type { KnownField } from './intake.ts'
import type { ContextDecision, FoldRecord, RefusalReason, TraceStep } from './journal.ts'
import { keptEntries } from './keep.ts'
import { type MeasureMemory, measureRequest, type RequestSize } from './measure.ts'
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
import type { Stage } from './stages/stage.ts'

/** The last completed request of a line whose input was reported for it alone (rules.md 4, U2). */
export interface Anchor {
  readonly model: string
  readonly reported: number
  readonly counted: number
  /** Signatures of the items it carried. */
  readonly items: readonly string[]
}

export interface DecideInput {
  readonly requestId: string
  readonly at: number
  readonly line: Line
  readonly wire: WireFormat
  readonly model: string | undefined
  readonly fields: readonly KnownField[]
  readonly leading: readonly WireMessage['snapshot'][]
  /** By the record index of a message's first draft; must hold every message of the view. */
  readonly sources: ReadonlyMap<number, SourceMessage>
  /** Record index of the first draft of each message of the app's list, in its order. */
  readonly order: readonly number[]
  readonly policy: PolicyInForce
  readonly ceiling: Ceiling
  readonly scale: Scale
  readonly anchor: Anchor | null
  readonly run: 'iterative' | 'bounded'
  /** The provider wants the first round of the current turn as it was. */
  readonly keepsTurnHead: boolean
  /** The provider holds the history, and reported this much for what is continued; null: nothing on record. */
  readonly remote: { readonly reported: number | null } | null
  /** Stages that may run, in order; none for a retry, which must send the same bytes again. */
  readonly stages: readonly Stage[]
  /** Registered name of the context tool where this request carries it. */
  readonly contextTool: string | null
  /** False where even the ranks could not be loaded: such a count may fold, it never refuses. */
  readonly exact: boolean
  readonly memory: MeasureMemory
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
  const incoming = yield* compileAndMeasure(input, input.line)
  const { method, factor } = chooseMethod(input, incoming)
  const estimate: Estimate = { counted: incoming.size.counted, factor }
  const { ceiling } = input.ceiling
  const trace: TraceStep[] = [measuredStep(input, estimate)]
  const undecided = { line: input.line, estimate, folds: [], folded: [], landed: false }
  const blocked = foldBlocked(input)
  const folding =
    ceiling !== null && blocked === null && atOrPast(estimate, ceiling, input.policy.contextFoldAt)
      ? yield* runFold({
          line: input.line,
          estimate,
          ceiling,
          contextFoldTarget: input.policy.contextFoldTarget,
          requestId: input.requestId,
          reason: 'threshold',
          at: input.at,
          scale: input.scale,
          stages: input.stages,
          context: (line) => ({
            line,
            sources: input.sources,
            keep: keptEntries(line, line.view, { keepsTurnHead: input.keepsTurnHead }),
            margin: input.policy.contextFoldTailMargin,
          }),
          *measure(line) {
            const { size } = yield* compileAndMeasure(input, line)
            return { counted: size.counted, factor }
          },
        })
      : { ...undecided, trace: [] }
  const final = folding.landed ? yield* compileAndMeasure(input, folding.line) : incoming
  trace.push(...folding.trace)
  const refusal = refusalOf(input, folding)
  if (refusal !== null && ceiling !== null)
    trace.push({ type: 'refused', estimate: estimateNumber(folding.estimate), ceiling, reason: refusal })
  return {
    line: folding.line,
    messages: final.composition.messages,
    changed: final.changed,
    size: final.size,
    countedBefore: incoming.size.counted,
    items: final.items,
    folds: folding.folds,
    refusal,
    facts: {
      ...ceilingFacts(input),
      method,
      before: estimateNumber(estimate),
      after: estimateNumber(folding.estimate),
      counted: final.size.counted,
      scale: scaleNumber(input.scale),
      parts: final.size.parts,
      action: actionOf(input, folding, refusal),
      folded: folding.folded,
      trace,
      warnings: [...final.composition.warnings, ...remoteWarnings(input)],
    },
  }
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

type Folding = Pick<FoldOutcome, 'estimate' | 'landed'>

/** Only a count over the ceiling refuses, an estimate never; history that nobody measured is refused as such. */
function refusalOf(input: DecideInput, folding: Folding): RefusalReason | null {
  const { ceiling, source } = input.ceiling
  if (ceiling === null) return null
  // Under a ceiling that nobody asked for, an app that worked before must go on working (rules.md 6).
  if (isUnmeasured(input)) return source === 'default' ? null : 'remote_unmeasured'
  if (!input.exact || !over(folding.estimate, ceiling)) return null
  return foldBlocked(input) ?? (folding.landed ? 'over_ceiling' : 'nothing_to_fold')
}

function actionOf(
  input: DecideInput,
  folding: Folding,
  refusal: RefusalReason | null,
): DecisionFacts['action'] {
  if (refusal !== null) return 'refuse'
  if (folding.landed) return 'fold'
  const { ceiling } = input.ceiling
  const near = ceiling !== null && atOrPast(folding.estimate, ceiling, input.policy.contextFoldAt)
  return input.remote && near ? 'notice' : 'pass'
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

interface Compiled {
  readonly composition: Composition
  readonly changed: boolean
  readonly items: readonly string[]
  readonly size: RequestSize
}

function* compileAndMeasure(input: DecideInput, line: Line): Plan<Compiled> {
  const items = compileItems({
    line,
    view: line.view,
    sources: input.sources,
    wire: input.wire,
    rules: {
      contextTool: input.policy.recovery === 'user' ? null : input.contextTool,
      ...(input.policy.toolResultMaxChars === undefined ? {} : { maxChars: input.policy.toolResultMaxChars }),
    },
  })
  const changedFrom = firstChange(items, input.order)
  const composition = input.wire.compose(items, { model: input.model, changedFrom })
  const size = yield* measureRequest({
    wire: input.wire,
    model: input.model,
    fields: input.fields,
    leading: input.leading,
    messages: composition.messages,
    record: line.record,
    memory: input.memory,
  })
  return {
    composition,
    changed: changedFrom !== null,
    items: items.map((item) => itemSignature(item, input.policy.toolResultMaxChars)),
    size,
  }
}

function chooseMethod(
  input: DecideInput,
  incoming: Compiled,
): { readonly method: ContextDecision['method']; readonly factor: Ratio } {
  const { anchor, scale, remote } = input
  const countedNow = incoming.size.counted
  if (remote?.reported != null)
    return {
      method: 'remote',
      factor: anchoredFactor({ reported: remote.reported, countedThen: 0, countedNow, scale }),
    }
  if (!input.exact) return { method: 'estimate', factor: scaleFactor(scale) }
  if (anchor === null || anchor.model !== (input.model ?? '') || !extendsItems(incoming.items, anchor.items))
    return { method: 'counted', factor: scaleFactor(scale) }
  const { reported, counted } = anchor
  const factor = anchoredFactor({ reported, countedThen: counted, countedNow, scale })
  // Tools that went since may take more away than was ever reported.
  return factor.numerator > 0n
    ? { method: 'anchored', factor }
    : { method: 'counted', factor: scaleFactor(scale) }
}

/** Strictly longer, with the anchor's items as its beginning. */
function extendsItems(items: readonly string[], before: readonly string[]): boolean {
  return items.length > before.length && before.every((item, position) => items[position] === item)
}

function measuredStep(input: DecideInput, estimate: Estimate): TraceStep {
  const { line, ceiling } = ceilingFacts(input)
  return { type: 'measured', estimate: estimateNumber(estimate), line, ceiling }
}
