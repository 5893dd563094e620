import type { FoldPreview, Prepared, PrepareOptions } from './branch.ts'
import { BranchState, type BranchStateOptions } from './branch-state.ts'
import { type CapturedRequest, captureRequest, handOver } from './captured-request.ts'
import { type CountingOptions, decideWithCounter } from './counting.ts'
import { decisionOf, refusalError, refusalOf, resolvedPolicy, tellDecision } from './decided.ts'
import { addStoredSources, ceilingFor, heldOf, listSources, remoteOf, statedFacts } from './decision-input.ts'
import type { DecidedRequest } from './engine/decide.ts'
import type { DecideInput } from './engine/decide-input.ts'
import { defaultStages } from './engine/default-stages.ts'
import type { WireFormat } from './engine/format.ts'
import type { ContextDecision } from './engine/journal.ts'
import type { MeasureMemory } from './engine/measure.ts'
import { asksNothing } from './engine/plan.ts'
import { type ContextPolicy, type PolicyInForce, policyInForce } from './engine/policy.ts'
import type { Line } from './engine/record.ts'
import { resumptionsLeft, standingRefusal, turnAfter, turnOf } from './engine/turn.ts'
import type { DogearError } from './errors.ts'
import type { EventBody } from './events.ts'
import { askedOf, type LastRequest, retriedRequest } from './last-request.ts'
import { outgoingRequest } from './outgoing-request.ts'
import { type Placed, placeRequest } from './placing.ts'
import type { FindModel, Summarize } from './ports.ts'
import { requireOptions, routeOf, signalOf } from './prepare-options.ts'
import { type IncomingRequest, takeInRequest } from './request-intake.ts'
import { type FormatRegistry, type OpenedRequest, openRequest, wireFor } from './request-reading.ts'
import { requireWriter } from './require-summarize.ts'
import { breatheBetween, runInPieces } from './run-in-pieces.ts'
import { SerialQueue } from './serial-queue.ts'
import { endOf, type SentRequest, settleRequest } from './settling.ts'
import { storeDecision, storeStep } from './storing.ts'
import { type SummaryTransport, summariesBy, summaryWriter } from './summarizing.ts'
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

/** How one request is prepared, and how a summary could be asked of its model. */
type SentOptions = PrepareOptions & { readonly transport: SummaryTransport | undefined }

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
  #incoming: IncomingRequest | null = null
  #input: Omit<DecideInput, 'exact'> | null = null
  /** Where the newest request goes, which may decide its ceiling. */
  #route: Pick<PrepareOptions, 'provider' | 'url'> = {}
  /** The newest request could ask its model for a summary. */
  #asksModel = false
  #last: LastRequest | null = null

  constructor(options: SessionOptions, policy: ContextPolicy) {
    this.#options = options
    this.#policy = Object.freeze({ ...policy })
  }

  get policy(): ContextPolicy {
    return this.#policy
  }

  get contextToolName(): string {
    return this.#options.contextToolName
  }

  /** The provider wants the first round of the turn as it was, as far as the newest request says. */
  get keepsTurnHead(): boolean {
    return this.#input?.keepsTurnHead ?? false
  }

  /** A policy that the app sets, as far as it can be had here (R343). Throws `invalid_policy`. */
  accepted(policy: ContextPolicy): ContextPolicy {
    return requireWriter(policy, this.#options.summarize)
  }

  /** In force from the next prepare. */
  setPolicy(policy: ContextPolicy): void {
    // Frozen, for the app can see it, and what was validated must stay so.
    this.#policy = Object.freeze({ ...policy })
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

  /** Without a transport no summary is asked of a model. */
  async prepare(request: unknown, options: PrepareOptions, transport?: SummaryTransport): Promise<Prepared> {
    // Before the first await: what the app does to its list from here on is for its next request.
    const captured = captureRequest(request)
    requireOptions(options)
    return this.step((state) => this.#prepare(state, captured, { ...options, transport }))
  }

  /** Format of the newest request, or of those that the stored branch came from. */
  async wire(state: BranchState): Promise<WireFormat | null> {
    if (this.#input) return this.#input.wire
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
        ...(this.#asksModel && input.summaries === 'missing' ? { summaries: 'available' as const } : {}),
        stages: defaultStages,
        resumptions: resumptionsLeft(turnOf(input.line, state.line(input.line.id)?.turn ?? null)),
      },
      { breathe, counter, loadTimeoutMs },
    )
    const { before, after, line, target, parts, action, trace } = facts
    return { before, after, ceiling: facts.ceiling, line, target, parts, action, steps: trace }
  }

  /** A verb changed the view: the newest list, sent again, is another request (rules.md 6, "Order and retries"). */
  viewChanged(): void {
    this.#last = null
  }

  async #prepare(state: BranchState, captured: CapturedRequest, options: SentOptions): Promise<Prepared> {
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
    const { line } = placed
    const { heldPrefix } = opened.read
    const asked = askedOf(this.#policy, model, { ...options, heldPrefix })
    const retried = retriedRequest(this.#last, { lineId: line.id, asked, incoming })
    const turn = turnOf(line, state.line(line.id)?.turn ?? null)
    const standing = placed.isRecorded ? standingRefusal(turn, line, asked) : null
    const input: Omit<DecideInput, 'exact'> = {
      ...(await this.#decideInput(state, { opened, incoming, placed, model, options })),
      ...(retried ? { requestId: retried.requestId, repeated: retried.decided } : {}),
      stages: retried || standing ? null : defaultStages,
      resumptions: resumptionsLeft(turn),
    }
    const decided = await decideWithCounter(input, this.counting(options.signal, options.transport))
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
    if (placed.isRecorded) {
      const { provider } = this.#options
      await storeStep(state, {
        incoming,
        decided,
        decision,
        turn: afterwards,
        policy: this.#policy,
        provider,
      })
      this.#incoming = incoming
      this.#input = input
      this.#asksModel = options.transport !== undefined
      this.#route = routeOf(options)
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
    if (placed.isRecorded) this.#last = { ...incoming, asked, sent }
    const handed = handOver({ captured, opened, incoming, decided, outgoing })
    return this.#prepared(handed, decision, sent)
  }

  /** What the newest list was understood as; another format understands the same list in another way. */
  #previous(opened: OpenedRequest): IncomingRequest | null {
    return this.#input?.wire === opened.wire ? this.#incoming : null
  }

  /** Loads the branch on first use; a failed load is tried again on the next. */
  #loaded(): Promise<BranchState> {
    this.#state ??= BranchState.open(this.#options).catch((error: unknown) => {
      this.#state = null
      throw error
    })
    return this.#state
  }

  async #decideInput(
    state: BranchState,
    facts: {
      readonly opened: OpenedRequest
      readonly incoming: IncomingRequest
      readonly placed: Placed
      readonly model: string | undefined
      readonly options: SentOptions
    },
  ): Promise<Omit<DecideInput, 'exact' | 'stages' | 'resumptions'>> {
    const { opened, incoming, placed, model, options } = facts
    const { line } = placed
    const policy = policyInForce(placed.isRecorded ? this.#policy : withoutBound(this.#policy))
    const { order, sources } = listSources(line, opened, incoming)
    await addStoredSources(sources, { state, line, wire: opened.wire })
    return {
      requestId: this.#options.newId(),
      at: this.#options.clock(),
      line,
      wire: opened.wire,
      model,
      fields: incoming.fields,
      leading: incoming.leading.map((message) => message.snapshot),
      order,
      sources,
      policy,
      ceiling: await this.#ceiling(this.#policy, model, options),
      scale: state.scale(model ?? ''),
      anchor: state.line(line.id)?.anchor ?? null,
      run: placed.isForeign ? 'bounded' : (options.run ?? policy.run),
      remote: remoteOf(state, opened),
      held: heldOf(state, opened, options),
      ...statedFacts(opened, this.#options.contextToolName),
      summaries: this.#summaries(policy, options.transport),
      digest: this.#options.digest,
      memory: this.#options.memory,
    }
  }

  /** The input of the newest request, over its line and under the policy as they stand now. */
  async currentInput(
    state: BranchState,
    changed: { readonly line?: Line; readonly policy?: ContextPolicy },
  ): Promise<Omit<DecideInput, 'exact'> | null> {
    const input = this.#input
    if (input === null) return null
    const { policy = this.#policy, line = state.line(input.line.id)?.line ?? input.line } = changed
    const sources = new Map(input.sources)
    await addStoredSources(sources, { state, line, wire: input.wire })
    return {
      ...input,
      line,
      sources,
      policy: policyInForce(policy),
      summaries: this.#summaries(policyInForce(policy)),
      ceiling: await this.#ceiling(policy, input.model, this.#route),
      digest: null,
      anchor: state.line(line.id)?.anchor ?? null,
      scale: state.scale(input.model ?? ''),
    }
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

  #summaries({ compaction }: PolicyInForce, transport?: SummaryTransport): DecideInput['summaries'] {
    return summariesBy({ compaction, summarize: this.#options.summarize, transport })
  }

  #ceiling(
    policy: ContextPolicy,
    model: string | undefined,
    options: PrepareOptions,
  ): ReturnType<typeof ceilingFor> {
    const { findModel } = this.#options
    return ceilingFor({ policy, findModel, model, provider: this.#providerOf(options), options })
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
        settled ??= this.step((state) => settleRequest({ state, sent, outcome, clock, emit }))
        return settled
      },
    }
  }
}

/** What is not recorded could not be read back, so its bodies stay whole. */
function withoutBound({ toolResultMaxChars: _, ...policy }: ContextPolicy): ContextPolicy {
  return policy
}
