import { chooseMethod } from './choose-method.ts'
import { type CompiledRequest, compileRequest, type RequestFacts } from './compile-request.ts'
import type { DecideInput } from './decide-input.ts'
import { settleFirstRound } from './first-round-decision.ts'
import { type FoldInput, runFold } from './fold.ts'
import { hasFold, repairOutcome } from './fold-conditions.ts'
import { foldFacts, requestFacts } from './fold-facts.ts'
import type { FoldOutcome } from './fold-run.ts'
import type { NativeMessage, Warning, WireMessage } from './format.ts'
import type { ContextDecision, FoldRecord, RefusalReason, TraceStep } from './journal.ts'
import type { JsonValue } from './json.ts'
import type { RequestSize } from './measure.ts'
import { noticeFor } from './notice.ts'
import type { Plan } from './plan.ts'
import type { Line } from './record.ts'
import { rejectedFactor, repairLimit, repairTrigger, runRepair } from './repair.ts'
import {
  atOrPast,
  type Estimate,
  estimateNumber,
  largerFactor,
  lineTokens,
  over,
  type Ratio,
  type Scale,
  scaleFactor,
  scaleNumber,
  targetTokens,
} from './scale.ts'
import { summaryWarnings } from './summary-warnings.ts'
import { tokensOfPart } from './tally.ts'
import { actionOf, lacksHeld, refusalOf, remoteWarnings } from './verdict.ts'

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
  /** What the request tells the model once; a retry tells the same. */
  readonly notice: string | null
  /** Scale in force now: a summary request may have raised it. */
  readonly scale: Scale
  /** Resumptions that this request took of the turn's (R60). */
  readonly resumptions: number
  /**
   * The least that its provider can report of it: what it reported of the request that this one extends, less what
   * the app took away beside the list (R324). Null where nothing says so.
   */
  readonly leastReported: number | null
}

/** The part of a decision that the engine knows; the session adds ids and time. */
export type DecisionFacts = Pick<
  ContextDecision,
  | 'ceiling'
  | 'ceilingSource'
  | 'tier'
  | 'window'
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
  const deciding = new Deciding(input, facts, incoming)
  yield* deciding.foldPastLine()
  yield* deciding.settleFirstRound()
  yield* deciding.putNotice()
  yield* deciding.foldOverCeiling()
  yield* deciding.dropNotice()
  yield* deciding.repair()
  return deciding.decided()
}

type Folding = Omit<FoldOutcome, 'trace'>

/** One request on its way to a decision: the steps above, in their order. */
class Deciding {
  readonly #input: DecideInput
  readonly #facts: RequestFacts
  readonly #incoming: CompiledRequest
  readonly #method: ReturnType<typeof chooseMethod>
  /** By any scale; a rejection says how small it cannot be. */
  readonly #factorFor: (scale: Scale) => Ratio
  readonly #trace: TraceStep[]
  #folding: Folding
  /** The request as it would leave now. */
  #final: CompiledRequest
  #notice: string | null = null
  #frontier: NonNullable<ContextDecision['frontier']> | null = null
  #resumptions = 0
  /** The newest fold landed, so that another one may find more (R63). */
  #goesOn = false
  #isRepaired = false

  constructor(input: DecideInput, facts: RequestFacts, incoming: CompiledRequest) {
    this.#input = input
    this.#facts = facts
    this.#incoming = incoming
    this.#final = incoming
    this.#method = chooseMethod({
      ...input,
      // What lacks a part of unknown size is flagged, and teaches nothing.
      exact: input.exact && !lacksHeld(input),
      items: incoming.items,
      countedNow: incoming.size.counted,
      toolsNow: tokensOfPart(incoming.size, 'tools'),
    })
    const least = rejectedFactor(input.repair, incoming.size.counted)
    this.#factorFor = (scale) => largerFactor(this.#method.factorFor(scale), least)
    this.#folding = {
      line: input.line,
      size: incoming.size,
      factor: this.#factorFor(input.scale),
      scale: input.scale,
      folds: [],
      folded: [],
      landed: false,
      lacksSummarizer: false,
      failedSummary: null,
    }
    const { line, ceiling } = ceilingFacts(input)
    this.#trace = [{ type: 'measured', estimate: estimateNumber(this.#estimate()), line, ceiling }]
  }

  *foldPastLine(): Plan<void> {
    const { ceiling, policy } = this.#input
    if (!this.#mayFold() || !atOrPast(this.#estimate(), ceiling.ceiling ?? 0, policy.contextFoldAt)) return
    yield* this.#fold('threshold')
  }

  *settleFirstRound(): Plan<void> {
    const { line, scale } = this.#folding
    const { line: settled, frontier } = yield* settleFirstRound({
      ...this.#input,
      ...this.#facts,
      line,
      scale,
      ceiling: this.#input.ceiling.ceiling,
      messages: this.#final.messages,
      // Only a count decides, for the decision stands for good.
      mayDecide: this.#mayFold() && this.#input.exact,
    })
    this.#frontier = frontier
    this.#folding = { ...this.#folding, line: settled }
    if (frontier === 'decided') yield* this.#compile()
  }

  /** A retry says what its first attempt said, whatever the scale has become since. */
  *putNotice(): Plan<void> {
    const { repeated } = this.#input
    this.#notice = repeated ? repeated.notice : noticeFor(this.#input, this.#estimate())
    if (this.#notice !== null) yield* this.#compile()
  }

  /** Folds on, where the request as it would leave is over the ceiling (R59, R60). */
  *foldOverCeiling(): Plan<void> {
    const { resumptions, ceiling } = this.#input
    while (this.#goesOn && this.#resumptions < resumptions && this.#isOver()) {
      const estimate = estimateNumber(this.#estimate())
      this.#trace.push({ type: 'resumed', estimate, ceiling: ceiling.ceiling ?? 0 })
      this.#resumptions++
      yield* this.#fold('refused')
      if (!this.#goesOn || this.#notice === null) continue
      this.#notice = null
      yield* this.#compile()
      yield* this.putNotice()
    }
  }

  /** What is said to help must not be what makes a request too large. */
  *dropNotice(): Plan<void> {
    if (this.#notice === null || !this.#isOver()) return
    this.#notice = null
    yield* this.#compile()
  }

  /** Makes a request fit its model that would be sent otherwise, and one that was rejected (R311, R319). */
  *repair(): Plan<void> {
    const { repair, exact } = this.#input
    const isAnchored = this.#method.method === 'anchored'
    const trigger = repairTrigger(repair, { estimate: this.#estimate(), isAnchored, exact })
    // Whoever asked for less may do so because it is refused.
    if (trigger === null || (repair.asked === null && this.#refusal() !== null)) return
    const limit = repairLimit(repair)
    const outcome = repairOutcome(this.#input)
    this.#trace.push({ type: 'repair', trigger, estimate: estimateNumber(this.#estimate()), limit, outcome })
    if (outcome !== 'repairs' || repair.stages === null) return
    const repaired = yield* runRepair({
      ...this.#run(trigger),
      ceiling: limit,
      ...(trigger === 'overflow' && repair.readerWindow === null
        ? { readerLimit: this.#rejectedReaderLimit(limit) }
        : {}),
      stages: repair.stages,
      ...(repair.asked?.trigger === 'wall' ? { arm: repair.asked.arm } : {}),
    })
    this.#isRepaired = repaired.landed
    yield* this.#take(repaired)
  }

  /** A rejection shows that counts are short of it, so what reads the rest stays well below what is taken. */
  #rejectedReaderLimit(limit: number | null): number {
    const { contextFoldAt, contextFoldTarget } = this.#input.policy
    return limit === null
      ? Math.floor(estimateNumber(this.#estimate()) * contextFoldTarget)
      : Math.floor(limit * contextFoldAt)
  }

  decided(): DecidedRequest {
    const final = this.#final
    const { line, folds, folded, landed, scale } = this.#folding
    const after = this.#estimate()
    const refusal = this.#refusal()
    return {
      line,
      messages: final.messages,
      fields: final.fields,
      leading: final.leading,
      changed: final.changed,
      size: final.size,
      countedBefore: this.#incoming.size.counted,
      items: final.items,
      folds,
      refusal,
      notice: this.#notice,
      scale,
      resumptions: this.#resumptions,
      leastReported: this.#leastReported(),
      facts: {
        ...ceilingFacts(this.#input),
        method: this.#method.method,
        before: estimateNumber(this.#estimateBefore()),
        after: estimateNumber(after),
        counted: final.size.counted,
        scale: scaleNumber(scale),
        parts: final.size.parts,
        action: actionOf(this.#input, {
          after,
          landed,
          repaired: this.#isRepaired,
          noticed: this.#notice !== null,
          refusal,
        }),
        folded,
        ...(this.#frontier === null ? {} : { frontier: this.#frontier }),
        trace: [...this.#trace, ...this.#refusedSteps(refusal, after)],
        warnings: this.#warnings(),
      },
    }
  }

  *#fold(reason: FoldInput['reason']): Plan<void> {
    const outcome = yield* runFold(this.#run(reason))
    this.#goesOn = outcome.landed
    yield* this.#take(outcome)
  }

  /** What a run of stages begins from. */
  #run<Reason extends FoldInput['reason']>(reason: Reason): FoldInput & { readonly reason: Reason } {
    const { line, factor, scale, folds } = this.#folding
    return {
      ...foldFacts(this.#input, this.#facts, this.#notice),
      line,
      size: this.#final.size,
      factor,
      factorFor: this.#factorFor,
      scale,
      passesBefore: folds.length,
      reason,
    }
  }

  /** Goes on from where a run of stages ended. */
  *#take(outcome: FoldOutcome): Plan<void> {
    const { folds, folded, landed, lacksSummarizer, failedSummary } = this.#folding
    this.#trace.push(...outcome.trace)
    this.#folding = {
      ...outcome,
      folds: [...folds, ...outcome.folds],
      folded: [...folded, ...outcome.folded],
      landed: landed || outcome.landed,
      lacksSummarizer: lacksSummarizer || outcome.lacksSummarizer,
      failedSummary: outcome.failedSummary ?? failedSummary,
    }
    if (outcome.landed) yield* this.#compile()
  }

  *#compile(): Plan<void> {
    this.#final = yield* compileRequest(this.#facts, this.#folding.line, this.#notice)
  }

  #refusal(): RefusalReason | null {
    const { landed } = this.#folding
    return refusalOf(this.#input, { final: this.#final, after: this.#estimate(), landed })
  }

  #leastReported(): number | null {
    const { anchor, scale, bindsReasoning } = this.#input
    // Of reasoning a provider may drop some by itself.
    if (anchor === null || this.#method.method !== 'anchored' || bindsReasoning || this.#folding.landed)
      return null
    const growth = { counted: this.#final.size.counted - anchor.counted, factor: scaleFactor(scale) }
    return Math.floor(anchor.reported + Math.min(0, estimateNumber(growth)))
  }

  #mayFold(): boolean {
    return this.#input.stages !== null && hasFold(this.#input)
  }

  #isOver(): boolean {
    const { ceiling } = this.#input.ceiling
    return ceiling !== null && over(this.#estimate(), ceiling)
  }

  /** Of the request as it would leave now. */
  #estimate(): Estimate {
    return { counted: this.#final.size.counted, factor: this.#folding.factor }
  }

  #estimateBefore(): Estimate {
    return { counted: this.#incoming.size.counted, factor: this.#factorFor(this.#input.scale) }
  }

  #refusedSteps(refusal: RefusalReason | null, after: Estimate): readonly TraceStep[] {
    if (refusal === null) return []
    const { ceiling } = this.#input.ceiling
    return [{ type: 'refused', estimate: estimateNumber(after), ceiling, reason: refusal }]
  }

  #warnings(): readonly Warning[] {
    const { lacksSummarizer, failedSummary } = this.#folding
    return [
      ...this.#final.warnings,
      ...remoteWarnings(this.#input),
      ...summaryWarnings({
        isMissing: lacksSummarizer && this.#input.summaries === 'missing',
        failed: failedSummary,
      }),
    ]
  }
}

/** The ceiling and its line and target in whole tokens, as a decision and a meter show them. */
function ceilingFacts(
  input: Pick<DecideInput, 'ceiling' | 'policy' | 'repair'>,
): Pick<ContextDecision, 'ceiling' | 'ceilingSource' | 'tier' | 'window' | 'line' | 'target'> {
  const { ceiling, source, tier } = input.ceiling
  const { window } = input.repair
  return {
    ceiling,
    ceilingSource: source,
    ...(tier ? { tier } : {}),
    ...(window === null ? {} : { window }),
    line: ceiling === null ? null : lineTokens(ceiling, input.policy.contextFoldAt),
    target: ceiling === null ? null : targetTokens(ceiling, input.policy.contextFoldTarget),
  }
}
