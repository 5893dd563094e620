import { type Attempt, type DecidedAttempt, retryInput, sentAttempt } from './attempt.ts'
import type { Outcome, Prepared, PrepareOptions, Settlement } from './branch.ts'
import type { BranchState } from './branch-state.ts'
import { BranchSteps } from './branch-steps.ts'
import { type CapturedRequest, captureRequest, handOver } from './captured-request.ts'
import { CompiledRequests } from './compiled-requests.ts'
import { type CountingOptions, decideWithCounter } from './counting.ts'
import { decisionOf, refusalError, refusalOf, resolvedPolicy, tellDecision } from './decided.ts'
import {
  ceilingFor,
  decisionInput,
  type InputFacts,
  type StatedRequest,
  type TurnFacts,
} from './decision-input.ts'
import type { DecidedRequest } from './engine/decide.ts'
import type { DecideInput } from './engine/decide-input.ts'
import type { WireFormat } from './engine/format.ts'
import type { ContextDecision } from './engine/journal.ts'
import { sortedJson } from './engine/json.ts'
import { asksNothing } from './engine/plan.ts'
import { type ContextPolicy, frozenPolicy, policyInForce } from './engine/policy.ts'
import type { RepairRequest } from './engine/repair.ts'
import { turnAfter } from './engine/turn.ts'
import type { DogearError } from './errors.ts'
import { type LastRequest, retriedRequest } from './last-request.ts'
import { modelTransport } from './model-transport.ts'
import { isAborted, notRepaired, overflowOf, rejectionOf } from './overflow.ts'
import { placeRequest } from './placing.ts'
import { callOf, requireOptions, signalOf } from './prepare-options.ts'
import { takeInRequest } from './request-intake.ts'
import { openRequest, wireFor } from './request-reading.ts'
import { requireStoredPolicy } from './require-policy.ts'
import { requireWriter } from './require-summarize.ts'
import { breatheBetween, runInPieces } from './run-in-pieces.ts'
import type { SessionOptions } from './session-options.ts'
import { endOf, type SentRequest, settleRequest } from './settling.ts'
import { storeDecision, storeStep } from './storing.ts'
import { type SummaryTransport, summaryWriter } from './summarizing.ts'
import { branchBusy, requestWarnings, settingWarnings } from './warnings.ts'
import { writeAttempt } from './write-attempt.ts'

/** The newest request that was recorded, handed over or refused. */
interface NewestRequest extends StatedRequest {
  /** It could ask its model for a summary. */
  readonly asksModel: boolean
}

/**
 * The one place with effects, for one branch, in the order in which they happen: read the request, find its
 * line, decide, store, tell, hand over; and later settle. Its steps never overlap.
 */
export class Session {
  readonly #options: SessionOptions
  readonly #steps: BranchSteps
  readonly compiled = new CompiledRequests()
  #policy: ContextPolicy
  #policyResolved = false
  #newest: NewestRequest | null = null
  #isArmed = false
  #isRemote = false
  /** The newest request when the view was compacted for somebody. */
  #compacted: NewestRequest | null = null
  #last: (LastRequest & { readonly attempt: Attempt }) | null = null

  constructor(options: SessionOptions, policy: ContextPolicy) {
    this.#options = options
    this.#policy = frozenPolicy(policy)
    this.#steps = new BranchSteps({
      ...options,
      onBusy: () => options.emit({ type: 'warning', warning: branchBusy }),
      onChanged: (state) => this.#changedElsewhere(state),
    })
  }

  get policy(): ContextPolicy {
    return this.#policy
  }

  get contextToolName(): string {
    return this.#options.contextToolName
  }

  /** The provider wants the first round of the turn as it was, as far as the newest request says. */
  get keepsTurnHead(): boolean {
    return this.#newest?.opened.read.keepsTurnHead === true
  }

  /** The next request can ask its model for a summary, as far as the way of the newest one says. */
  get asksModel(): boolean {
    return this.#newest?.asksModel === true
  }

  /** The newest request was made to fit, or what it holds was compacted since: there is no second time (R363). */
  get isCompacted(): boolean {
    const isRepaired = this.#last?.sent.isRepaired === true
    return isRepaired || (this.#newest !== null && this.#compacted === this.#newest)
  }

  /** The provider holds the history of the newest request, where nothing here can reach it (R40, R361). */
  get isRemote(): boolean {
    return this.#isRemote
  }

  compacted(): void {
    this.#compacted = this.#newest
  }

  /** The next request that can have a summary written is compacted (R323). */
  arm(): void {
    this.#isArmed = true
  }

  /** A policy that the app sets, as far as it can be had here (R343). Throws `invalid_policy`. */
  accepted(policy: ContextPolicy): ContextPolicy {
    return requireWriter(policy, this.#options.summarize)
  }

  /** In force from the next prepare. */
  setPolicy(policy: ContextPolicy): void {
    // Frozen, for the app can see it, and what was validated must stay so.
    this.#policy = frozenPolicy(policy)
    this.#policyResolved = false
    this.#options.emit({ type: 'policy-set', policy: { ...policy } })
  }

  /** Runs a step behind those that were asked for before it. */
  step<Result>(work: (state: BranchState) => Promise<Result>): Promise<Result> {
    return this.#steps.run(work)
  }

  /** Takes in what somebody else changed. */
  lookUp(): void {
    this.#steps.lookUp()
  }

  /** Every later step rejects with the error; nothing is written any more. */
  end(error: DogearError): void {
    this.#steps.end(error)
  }

  /** Resolves when all that was asked for has ended. */
  idle(): Promise<void> {
    return this.#steps.idle()
  }

  async prepare(request: unknown, options: PrepareOptions): Promise<Prepared> {
    // Before the first await: what the app does to its list from here on is for its next request.
    const captured = captureRequest(request)
    requireOptions(options)
    const said = { ...options }
    return this.step((state) => this.#prepare(state, captured, said))
  }

  /** Format of the newest request, or of those that the stored branch came from. */
  async wire(state: BranchState): Promise<WireFormat | null> {
    if (this.#newest) return this.#newest.opened.wire
    const { format } = state.row
    return format === undefined ? null : this.#options.formats.load(format)
  }

  /** A verb changed the view: the newest list, sent again, is another request (rules.md 6, "Order and retries"). */
  viewChanged(): void {
    this.#last = null
  }

  async #prepare(state: BranchState, captured: CapturedRequest, options: PrepareOptions): Promise<Prepared> {
    const { digest, formats, breathe, model: ownModel, provider } = this.#options
    const pieces = { breathe, ...signalOf(options) }
    await breatheBetween(pieces)
    const { body } = captured
    const route = { model: options.model ?? ownModel, provider: options.provider ?? provider }
    const opened = openRequest(await wireFor(body, { ...options, formats }), body, route)
    // Another format understands the same list in another way.
    const previous = this.#newest?.opened.wire === opened.wire ? this.#newest.incoming : null
    const intake = takeInRequest(opened, { previous, digest })
    const incoming = await runInPieces(intake, { ...pieces, answer: asksNothing })
    await breatheBetween(pieces)
    const model = options.model ?? opened.read.model ?? ownModel
    const placed = placeRequest(opened, incoming, {
      lines: state.lines().map(({ line: known }) => known),
      newLineId: this.#options.newId(),
    })
    const { line, isRecorded, isForeign } = placed
    const settings = this.#policyResolved ? [] : settingWarnings(this.#policy, opened, incoming)
    return this.#hand(
      state,
      await this.#decide(state, {
        captured,
        stated: { opened, incoming, model, call: callOf(options), isRecorded, isForeign },
        line,
        transport: modelTransport(opened, options),
        ...signalOf(options),
        told: [...placed.warnings, ...settings],
        forkedFrom: placed.forkedFrom,
      }),
    )
  }

  async #decide(state: BranchState, attempt: Attempt): Promise<DecidedAttempt> {
    const { stated, line, transport, signal } = attempt
    const repairAsked = this.#isArmed && stated.isRecorded ? ({ trigger: 'manual' } as const) : null
    const fresh = await this.#inputOf({ state, stated, line, transport, repairAsked })
    const { asked, standing } = fresh
    const decide = (facts: Omit<DecideInput, 'exact'>): Promise<DecidedRequest> =>
      decideWithCounter(facts, this.counting(signal, transport))
    const before = retriedRequest(this.#last, { lineId: line.id, asked, incoming: stated.incoming })
    if (before === null) {
      const decided = await decide(fresh)
      // Whatever came of it, it was tried.
      if (fresh.repair.asked && fresh.summaries === 'available') this.#isArmed = false
      return { ...attempt, input: fresh, decided, before }
    }
    const retry = retryInput(fresh, before)
    const decided = await decide(retry)
    if (decided.refusal === null || standing) return { ...attempt, input: retry, decided, before }
    // What no longer fits, for the scale has risen since, is folded like any other request.
    const input = { ...fresh, requestId: before.requestId }
    return { ...attempt, input, decided: await decide(input), before }
  }

  /** Stores an attempt, tells of it, and hands it over; rejects where it was refused. */
  async #hand(state: BranchState, made: DecidedAttempt): Promise<Prepared> {
    const pieces = { breathe: this.#options.breathe, ...signalOf(made) }
    await breatheBetween(pieces)
    const { attempt, outgoing } = await writeAttempt(made, (asked) => this.#decideRepair(state, made, asked))
    const { captured, stated, input, decided, before, told, forkedFrom, transport } = attempt
    const { opened, incoming, isRecorded } = stated
    const { turn, asked, standing } = input
    await breatheBetween(pieces)
    const faults = requestWarnings(opened)
    await breatheBetween(pieces)

    const decision = decisionOf(input, decided, {
      branchId: this.#options.branchId,
      sequence: state.nextSequence(),
      attempt: (before?.attempt ?? 0) + 1,
      warnings: [...told, ...faults, ...decided.facts.warnings],
      standing,
    })
    const refusal = standing ?? refusalOf(decision, decided)
    const { resumptions } = decided
    const afterwards = turnAfter(turn, { line: attempt.line, resumptions, refusal, asked })
    for (const warning of told) this.#options.emit({ type: 'warning', warning })
    this.#isRemote = opened.read.continues !== undefined
    if (isRecorded) {
      const { provider } = this.#options
      await storeStep(state, {
        incoming,
        decided,
        decision,
        turn: afterwards,
        policy: this.#policy,
        provider,
      })
      this.#newest = { ...stated, asksModel: transport !== undefined }
      // A refusal keeps what was folded for it, so that an earlier list of the line would leave as other bytes.
      const isFolded = decided.folds.some(({ outcome }) => outcome === 'landed')
      if (refusal !== null && isFolded && this.#last?.sent.lineId === attempt.line.id) this.#last = null
    } else await storeDecision(state, decision)
    this.compiled.keep(decision.requestId, decided)
    this.#tell({ input, decided, decision, forkedFrom })
    if (refusal !== null) throw refusalError(refusal)

    const sent = sentAttempt(attempt, decision, this.#options.clock())
    if (isRecorded) this.#last = { ...incoming, asked, sent, attempt }
    return this.#prepared(handOver({ captured, opened, incoming, decided, outgoing }), decision, sent)
  }

  /** Makes a request fit that its provider rejected, once (R319, R363); null: it cannot be. */
  async #repair(state: BranchState, sent: SentRequest, rejection: RepairRequest): Promise<Prepared | null> {
    const known = state.line(state.lineIdOf(sent.lineId))
    const last = this.#last
    // Of an older request, or one whose view somebody changed since, the list is not the one that would be sent now.
    if (last?.sent !== sent || sent.isRepaired || known === undefined) return null
    const { line } = known
    const attempt = { ...last.attempt, line, told: [], forkedFrom: undefined }
    // It has been folded under its ceiling.
    const asItWas = { requestId: sent.requestId, stages: null }
    const { input, decided } = await this.#decideRepair(state, attempt, rejection, asItWas)
    if (decided.facts.action === 'repair')
      return this.#hand(state, { ...attempt, input, decided, before: sent })
    const { emit } = this.#options
    const { recordTried } = await import('./tried-folds.ts')
    await recordTried(state, { decided, lineId: line.id, requestId: sent.requestId, emit })
    return null
  }

  /** Decides an attempt anew, so that it is made to fit. */
  async #decideRepair(
    state: BranchState,
    { stated, line, transport, signal }: Attempt,
    repairAsked: RepairRequest,
    own: Partial<DecidedAttempt['input']> = {},
  ): Promise<Pick<DecidedAttempt, 'input' | 'decided'>> {
    const input = { ...(await this.#inputOf({ state, stated, line, transport, repairAsked })), ...own }
    return { input, decided: await decideWithCounter(input, this.counting(signal, transport)) }
  }

  /** Lists that were known here are matched anew, and the policy is the one that somebody set last. */
  #changedElsewhere({ row }: BranchState): void {
    this.#last = null
    this.#compacted = null
    const policy = requireStoredPolicy(row.policy)
    if (sortedJson(policy) !== sortedJson(this.#policy)) this.setPolicy(policy)
    this.#options.emit({ type: 'changed-elsewhere', lineId: row.lineId })
  }

  #inputOf(
    facts: Omit<InputFacts, 'requestId' | 'at' | 'policy' | 'digest'> &
      Partial<Pick<InputFacts, 'policy' | 'digest'>>,
  ): Promise<Omit<DecideInput, 'exact'> & TurnFacts> {
    const { newId, clock, digest } = this.#options
    const request = { requestId: newId(), at: clock(), policy: this.#policy, digest }
    return decisionInput({ ...request, ...facts }, this.#options)
  }

  /** The input of the newest request, over its line and under the policy as they stand now. */
  async currentInput(
    state: BranchState,
    changed: Partial<Pick<InputFacts, 'line' | 'policy' | 'repairAsked'>>,
  ): Promise<(Omit<DecideInput, 'exact'> & TurnFacts) | null> {
    if (this.#newest === null) return null
    const { line } = state.current
    return this.#inputOf({ state, stated: this.#newest, line, ...changed, digest: null })
  }

  /** The ceiling of a branch of which no request has been seen, as far as what is stored of it says; null: none. */
  async storedCeiling({ row }: BranchState): Promise<number | null> {
    const { findModel, model = row.model, provider = row.provider } = this.#options
    const { ceiling } = await ceilingFor({ policy: this.#policy, findModel, model, provider })
    return ceiling
  }

  /** How this branch's wishes are fulfilled; an app's signal ends the wait for any of them. */
  counting(signal?: AbortSignal, transport?: SummaryTransport): CountingOptions {
    const { branchId, breathe, counter, loadTimeoutMs, summarize } = this.#options
    const { compaction } = policyInForce(this.#policy)
    const write = summaryWriter({ branchId, compaction, summarize, transport, signal })
    return {
      breathe,
      counter,
      loadTimeoutMs,
      ...(signal ? { signal } : {}),
      ...(write ? { summarize: write } : {}),
    }
  }

  #tell(step: {
    readonly input: Omit<DecideInput, 'exact'>
    readonly decided: DecidedRequest
    readonly decision: ContextDecision
    readonly forkedFrom: string | undefined
  }): void {
    const { emit } = this.#options
    if (!this.#policyResolved) {
      const resolved = resolvedPolicy(step.input, step.decision)
      emit({ type: 'policy-set', policy: { ...this.#policy }, resolved })
    }
    this.#policyResolved = true
    tellDecision({ ...step, emit })
  }

  #prepared(request: unknown, decision: ContextDecision, sent: SentRequest): Prepared {
    let settled: Promise<Settlement> | null = null
    return {
      request,
      decision,
      warnings: decision.warnings,
      settle: async (outcome) => {
        if (settled === null) endOf(outcome)
        settled ??= this.step((state) => this.#settle(state, sent, outcome))
        return settled
      },
    }
  }

  async #settle(state: BranchState, sent: SentRequest, outcome: Outcome): Promise<Settlement> {
    const { clock, emit } = this.#options
    const isLast = this.#last?.sent.requestId === sent.requestId
    // Whichever of its attempts was completed, the same list is another request from now on.
    if (isLast && endOf(outcome) === 'completed') this.#last = null
    const overflow = await overflowOf(outcome, sent.provider ?? this.#options.provider)
    const settlement = await settleRequest({ state, sent, outcome, overflow, clock, emit })
    const rejection = overflow && rejectionOf(overflow)
    if (!rejection) return settlement
    try {
      const retry = await this.#repair(state, sent, rejection)
      return retry ? { ...settlement, retry } : settlement
    } catch (error) {
      // The rejection stands; why nothing could be made of it is said beside it.
      const { requestId, lineId } = sent
      if (!isAborted(error)) emit({ type: 'warning', requestId, lineId, warning: notRepaired(error) })
      return settlement
    }
  }
}
