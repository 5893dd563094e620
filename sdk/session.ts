import type { FoldPreview, Prepared, PrepareOptions } from './branch.ts'
import { BranchState, type BranchStateOptions } from './branch-state.ts'
import { type CapturedRequest, captureRequest, handOver } from './captured-request.ts'
import { type CountingOptions, decideWithCounter } from './counting.ts'
import { answeredBy, decisionOf, refusalError, refusalOf, resolvedPolicy, tellDecision } from './decided.ts'
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
import type { MeasureMemory } from './engine/measure.ts'
import { asksNothing } from './engine/plan.ts'
import { type ContextPolicy, frozenPolicy, policyInForce } from './engine/policy.ts'
import type { Line } from './engine/record.ts'
import { turnAfter } from './engine/turn.ts'
import type { DogearError } from './errors.ts'
import type { EventBody } from './events.ts'
import { type LastRequest, retriedRequest } from './last-request.ts'
import { modelTransport } from './model-transport.ts'
import { outgoingRequest } from './outgoing-request.ts'
import { placeRequest } from './placing.ts'
import type { FindModel, Summarize } from './ports.ts'
import { callOf, requireOptions, signalOf } from './prepare-options.ts'
import { type IncomingRequest, takeInRequest } from './request-intake.ts'
import { type FormatRegistry, type OpenedRequest, openRequest, wireFor } from './request-reading.ts'
import { requireWriter } from './require-summarize.ts'
import { breatheBetween, runInPieces } from './run-in-pieces.ts'
import { SerialQueue } from './serial-queue.ts'
import { endOf, type SentRequest, settleRequest } from './settling.ts'
import { storeDecision, storeStep } from './storing.ts'
import { type SummaryTransport, summaryWriter } from './summarizing.ts'
import { requestWarnings, settingWarnings } from './warnings.ts'

export interface SessionOptions
  extends BranchStateOptions,
    Pick<CountingOptions, 'breathe' | 'counter' | 'loadTimeoutMs'> {
  /** The app's own summary function. */
  readonly summarize?: Summarize
  readonly findModel: FindModel
  readonly formats: FormatRegistry
  readonly contextToolName: string
  /** Counts that branches share: they stay bounded together, and a clone's texts are known already. */
  readonly memory: MeasureMemory
  readonly model?: string
  readonly provider?: string
  /** Adds what every event of the branch carries, and passes it on. */
  readonly emit: (event: EventBody) => void
}

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
  readonly #queue = new SerialQueue()
  #state: Promise<BranchState> | null = null
  #policy: ContextPolicy
  #policyResolved = false
  #ended: DogearError | null = null
  #newest: NewestRequest | null = null
  #last: LastRequest | null = null

  constructor(options: SessionOptions, policy: ContextPolicy) {
    this.#options = options
    this.#policy = frozenPolicy(policy)
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
    return this.#queue.run(async () => {
      if (this.#ended) throw this.#ended
      return work(await this.#loaded())
    })
  }

  /** Every later step rejects with the error; nothing is written any more. */
  end(error: DogearError): void {
    this.#ended = error
  }

  /** Resolves when all that was asked for has ended. */
  idle(): Promise<void> {
    return this.#queue.idle()
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

  /** The next request as it would be decided now; null until one has been seen since the branch was opened. */
  async preview(state: BranchState, policy: ContextPolicy): Promise<FoldPreview | null> {
    const input = await this.currentInput(state, { policy })
    if (input === null) return null
    const { breathe, counter, loadTimeoutMs } = this.#options
    const { facts } = await decideWithCounter(
      {
        ...input,
        // The next request will come the way that the newest did.
        ...(this.#newest?.asksModel && input.summaries === 'missing'
          ? { summaries: 'available' as const }
          : {}),
      },
      { breathe, counter, loadTimeoutMs },
    )
    const { before, after, ceiling, line, target, parts } = facts
    const { action, trace } = input.standing ? answeredBy(input.standing, facts) : facts
    return { before, after, ceiling, line, target, parts, action, steps: trace }
  }

  /** A verb changed the view: the newest list, sent again, is another request (rules.md 6, "Order and retries"). */
  viewChanged(): void {
    this.#last = null
  }

  async #prepare(state: BranchState, captured: CapturedRequest, options: PrepareOptions): Promise<Prepared> {
    const { digest, clock, formats, breathe } = this.#options
    const pieces = { breathe, ...signalOf(options) }
    await breatheBetween(pieces)
    const { body } = captured
    const route = { model: options.model ?? this.#options.model, provider: this.#providerOf(options) }
    const opened = openRequest(await wireFor(body, { ...options, formats }), body, route)
    const intake = takeInRequest(opened, { previous: this.#previous(opened), digest })
    const incoming = await runInPieces(intake, { ...pieces, answer: asksNothing })
    await breatheBetween(pieces)
    const model = options.model ?? opened.read.model ?? this.#options.model
    const placed = placeRequest(opened, incoming, {
      lines: state.lines().map(({ line: known }) => known),
      newLineId: this.#options.newId(),
    })
    const { line, isRecorded, isForeign } = placed
    const { heldPrefix } = opened.read
    const transport = modelTransport(opened, options)
    const stated = { opened, incoming, model, call: callOf(options), isRecorded, isForeign }
    const fresh = await this.#inputOf({ state, stated, line, policy: this.#policy, transport, digest })
    const { turn, asked, standing } = fresh
    const retried = retriedRequest(this.#last, { lineId: line.id, asked, incoming })
    const decide = (facts: Omit<DecideInput, 'exact'>): Promise<DecidedRequest> =>
      decideWithCounter(facts, this.counting(options.signal, transport))
    let input: Omit<DecideInput, 'exact'> = retried
      ? { ...fresh, requestId: retried.requestId, repeated: retried.decided, stages: null }
      : fresh
    let decided = await decide(input)
    if (retried && decided.refusal !== null && !standing) {
      // What no longer fits, for the scale has risen since, is folded like any other request.
      input = { ...fresh, requestId: retried.requestId }
      decided = await decide(input)
    }
    await breatheBetween(pieces)
    const outgoing = outgoingRequest(opened, decided)
    await breatheBetween(pieces)
    const faults = requestWarnings(opened)
    await breatheBetween(pieces)

    const settings = this.#policyResolved ? [] : settingWarnings(this.#policy, opened, incoming)
    const told = [...placed.warnings, ...settings]
    const decision = decisionOf(input, decided, {
      branchId: this.#options.branchId,
      sequence: state.nextSequence(),
      attempt: (retried?.attempt ?? 0) + 1,
      warnings: [...told, ...faults, ...decided.facts.warnings],
      standing,
    })
    const refusal = standing ?? refusalOf(decision, decided)
    const afterwards = turnAfter(turn, { line, resumptions: decided.resumptions, refusal, asked })
    for (const warning of told) this.#options.emit({ type: 'warning', warning })
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
      if (refusal !== null && isFolded && this.#last?.sent.lineId === line.id) this.#last = null
    } else await storeDecision(state, decision)
    this.#tell({ input, decided, decision, forkedFrom: placed.forkedFrom })
    if (refusal !== null) throw refusalError(refusal)

    const { requestId, attempt, lineId } = decision
    const sent: SentRequest = {
      requestId,
      attempt,
      lineId,
      model: model ?? '',
      wire: opened.wire,
      decided,
      ...(heldPrefix === undefined ? {} : { heldPrefix }),
      handedOverAt: clock(),
    }
    if (isRecorded) this.#last = { ...incoming, asked, sent }
    const handed = handOver({ captured, opened, incoming, decided, outgoing })
    return this.#prepared(handed, decision, sent)
  }

  /** What the newest list was understood as; another format understands the same list in another way. */
  #previous(opened: OpenedRequest): IncomingRequest | null {
    return this.#newest?.opened.wire === opened.wire ? this.#newest.incoming : null
  }

  /** Whichever of its attempts was completed, the same list is another request from now on. */
  #completed({ requestId }: SentRequest): void {
    if (this.#last?.sent.requestId === requestId) this.#last = null
  }

  /** Loads the branch on first use; a failed load is tried again on the next. */
  #loaded(): Promise<BranchState> {
    this.#state ??= BranchState.open(this.#options).catch((error: unknown) => {
      this.#state = null
      throw error
    })
    return this.#state
  }

  #inputOf(facts: Omit<InputFacts, 'requestId' | 'at'>): Promise<Omit<DecideInput, 'exact'> & TurnFacts> {
    const { newId, clock } = this.#options
    return decisionInput({ ...facts, requestId: newId(), at: clock() }, this.#options)
  }

  /** The input of the newest request, over its line and under the policy as they stand now. */
  async currentInput(
    state: BranchState,
    changed: { readonly line?: Line; readonly policy?: ContextPolicy },
  ): Promise<(Omit<DecideInput, 'exact'> & TurnFacts) | null> {
    const { policy = this.#policy, line = state.current.line } = changed
    if (this.#newest === null) return null
    return this.#inputOf({ state, stated: this.#newest, line, policy, digest: null })
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

  #providerOf(options: Pick<PrepareOptions, 'provider'>): string | undefined {
    return options.provider ?? this.#options.provider
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
    const { clock, emit } = this.#options
    let settled: ReturnType<Prepared['settle']> | null = null
    return {
      request,
      decision,
      warnings: decision.warnings,
      settle: async (outcome) => {
        if (settled === null) endOf(outcome)
        settled ??= this.step((state) => {
          if (endOf(outcome) === 'completed') this.#completed(sent)
          return settleRequest({ state, sent, outcome, clock, emit })
        })
        return settled
      },
    }
  }
}
