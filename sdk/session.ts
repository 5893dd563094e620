import type { FoldPreview, Prepared, PrepareOptions } from './branch.ts'
import { BranchState, type BranchStateOptions } from './branch-state.ts'
import { type CapturedRequest, captureRequest, handOver } from './captured-request.ts'
import { type CountingOptions, decideWithCounter } from './counting.ts'
import { ceilingOf, refusalOf } from './decided.ts'
import { addStoredSources, ceilingFor, contextToolIn, listSources, remoteOf } from './decision-input.ts'
import { appendMessages } from './engine/append.ts'
import type { DecidedRequest, DecideInput } from './engine/decide.ts'
import { stages } from './engine/fold.ts'
import type { Warning, WireFormat } from './engine/format.ts'
import type { ContextDecision } from './engine/journal.ts'
import type { MeasureMemory } from './engine/measure.ts'
import { placeList } from './engine/place.ts'
import { type ContextPolicy, policyInForce } from './engine/policy.ts'
import { emptyLine, type Line } from './engine/record.ts'
import type { DogearError } from './errors.ts'
import type { EventBody } from './events.ts'
import { askedOf, type LastRequest, retriedRequest } from './last-request.ts'
import { outgoingRequest } from './outgoing-request.ts'
import type { FindModel } from './ports.ts'
import { requireOptions, routeOf, signalOf, throwIfAborted } from './prepare-options.ts'
import { type IncomingRequest, newBodies, takeInRequest } from './request-intake.ts'
import { type FormatRegistry, type OpenedRequest, openRequest, wireFor } from './request-reading.ts'
import { SerialQueue } from './serial-queue.ts'
import { endOf, type SentRequest, settleRequest } from './settling.ts'
import { foreignListWarning, requestWarnings, unheededSettings } from './warnings.ts'

export interface SessionOptions extends BranchStateOptions, Omit<CountingOptions, 'signal'> {
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

interface Placed {
  readonly line: Line
  readonly forkedFrom?: string
  readonly isRecorded: boolean
  /** The list shares nothing with the branch. */
  readonly isForeign: boolean
  readonly warnings: readonly Warning[]
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
  #incoming: IncomingRequest | null = null
  #input: Omit<DecideInput, 'exact'> | null = null
  /** Where the newest request goes, which may decide its ceiling. */
  #route: Pick<PrepareOptions, 'provider' | 'url'> = {}
  #last: LastRequest | null = null

  constructor(options: SessionOptions, policy: ContextPolicy) {
    this.#options = options
    this.#policy = Object.freeze({ ...policy })
  }

  get policy(): ContextPolicy {
    return this.#policy
  }

  /** In force from the next prepare. */
  setPolicy(policy: ContextPolicy): void {
    // Frozen, for the app can see it, and what was validated must stay so.
    this.#policy = Object.freeze({ ...policy })
    this.#policyResolved = false
    this.#options.emit({ type: 'policy-set', policy: { ...policy } })
    for (const warning of unheededSettings(policy)) this.#options.emit({ type: 'warning', warning })
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
    return this.step((state) => this.#prepare(state, captured, options))
  }

  /** Format of the newest request, or of those that the stored branch came from. */
  async wire(state: BranchState): Promise<WireFormat | null> {
    if (this.#input) return this.#input.wire
    const { format } = state.row
    return format === undefined ? null : this.#options.formats.load(format)
  }

  /** The next request as it would be decided now; null until one has been seen since the branch was opened. */
  async preview(state: BranchState, policy: ContextPolicy): Promise<FoldPreview | null> {
    const input = await this.#currentInput(state, { policy })
    if (input === null) return null
    const { facts } = await decideWithCounter({ ...input, stages }, this.#options)
    const { before, after, line, target, parts, action, trace } = facts
    return { before, after, ceiling: facts.ceiling, line, target, parts, action, steps: trace }
  }

  /** Size of the next request over another line, without a fold; null where no request has been seen yet. */
  async sizeWith(
    state: BranchState,
    line: Line,
  ): Promise<{
    readonly estimate: number
    readonly ceiling: number | null
    readonly overCeiling: boolean
  } | null> {
    const input = await this.#currentInput(state, { line })
    if (input === null) return null
    const decided = await decideWithCounter({ ...input, stages: [] }, this.#options)
    const { after, ceiling } = decided.facts
    return { estimate: after, ceiling, overCeiling: decided.refusal !== null }
  }

  async #prepare(state: BranchState, captured: CapturedRequest, options: PrepareOptions): Promise<Prepared> {
    const { digest, clock, formats } = this.#options
    throwIfAborted(options.signal)
    const { body } = captured
    const opened = openRequest(await wireFor(body, { ...options, formats }), body)
    const incoming = takeInRequest(opened, { previous: this.#previous(opened), digest })
    const model = options.model ?? opened.read.model ?? this.#options.model
    const placed = this.#place(state, opened, incoming)
    const { line } = placed
    const asked = askedOf(this.#policy, model, options)
    const retried = retriedRequest(this.#last, { lineId: line.id, asked, incoming })
    const input = await this.#decideInput(state, { opened, incoming, placed, model, options, retried })
    const decided = await decideWithCounter(input, { ...this.#options, ...signalOf(options) })
    const outgoing = outgoingRequest(opened, decided)
    throwIfAborted(options.signal)

    const decision = this.#decision(state, input, decided, {
      attempt: (retried?.attempt ?? 0) + 1,
      warnings: [...placed.warnings, ...requestWarnings(opened), ...decided.facts.warnings],
    })
    for (const warning of placed.warnings) this.#options.emit({ type: 'warning', warning })
    await this.#store(state, { incoming, decided, decision, isRecorded: placed.isRecorded })
    if (placed.isRecorded) {
      this.#incoming = incoming
      this.#input = input
      this.#route = routeOf(options)
    }
    this.#tell(decided, decision, placed.forkedFrom)
    if (decided.refusal !== null) throw refusalOf(decision, decided.refusal)

    const { requestId, attempt, lineId } = decision
    const sent: SentRequest = {
      requestId,
      attempt,
      lineId,
      model: model ?? '',
      wire: opened.wire,
      decided,
      handedOverAt: clock(),
    }
    if (placed.isRecorded) this.#last = { ...incoming, asked, sent }
    const handed = handOver({ captured, opened, incoming, decided, outgoing })
    return this.#prepared(handed, decision, sent)
  }

  /**
   * The line that the list continues. A list that cannot be matched is measured by itself and not recorded:
   * one that is only what is new to a history that the provider holds, and one of another conversation, such
   * as a title request, which is never folded either (R58).
   */
  #place(state: BranchState, opened: OpenedRequest, incoming: IncomingRequest): Placed {
    const { messages, system } = incoming
    const alone = (): Placed => ({
      line: appendMessages(emptyLine(''), messages),
      isRecorded: false,
      isForeign: false,
      warnings: [],
    })
    if (opened.read.continues !== undefined) return alone()
    const lines = state.lines().map(({ line }) => line)
    const placed = placeList({ lines, messages, system, newLineId: this.#options.newId() })
    return placed.type === 'foreign'
      ? { ...alone(), isForeign: true, warnings: [foreignListWarning] }
      : { ...placed, isRecorded: true, isForeign: false, warnings: [] }
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
      readonly options: PrepareOptions
      readonly retried: SentRequest | null
    },
  ): Promise<Omit<DecideInput, 'exact'>> {
    const { opened, incoming, placed, model, options, retried } = facts
    const { line } = placed
    const policy = policyInForce(placed.isRecorded ? this.#policy : withoutBound(this.#policy))
    const { order, sources } = listSources(line, opened, incoming)
    await addStoredSources(sources, { state, line, wire: opened.wire })
    return {
      requestId: retried?.requestId ?? this.#options.newId(),
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
      keepsTurnHead: opened.read.keepsTurnHead === true,
      stages: retried ? [] : stages,
      contextTool: contextToolIn(opened, this.#options.contextToolName),
      memory: this.#options.memory,
    }
  }

  /** The input of the newest request, over its line and under the policy as they stand now. */
  async #currentInput(
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
      ceiling: await this.#ceiling(policy, input.model, this.#route),
      anchor: state.line(line.id)?.anchor ?? null,
      scale: state.scale(input.model ?? ''),
    }
  }

  #ceiling(
    policy: ContextPolicy,
    model: string | undefined,
    options: PrepareOptions,
  ): ReturnType<typeof ceilingFor> {
    const { findModel } = this.#options
    const provider = options.provider ?? this.#options.provider
    return ceilingFor({ policy, findModel, model, provider, options })
  }

  #decision(
    state: BranchState,
    input: Omit<DecideInput, 'exact'>,
    decided: DecidedRequest,
    facts: Pick<ContextDecision, 'attempt' | 'warnings'>,
  ): ContextDecision {
    const { line } = decided
    return {
      ...decided.facts,
      ...facts,
      v: 1,
      branchId: this.#options.branchId,
      lineId: line.id,
      ...(line.parent ? { parentLineId: line.parent.lineId } : {}),
      requestId: input.requestId,
      sequence: state.nextSequence(),
      at: input.at,
      ...(input.model === undefined ? {} : { model: input.model }),
      format: input.wire.format,
      sent: decided.refusal === null,
    }
  }

  /** Everything of this step in one transaction, before the request is handed over. */
  async #store(
    state: BranchState,
    step: {
      readonly incoming: IncomingRequest
      readonly decided: DecidedRequest
      readonly decision: ContextDecision
      readonly isRecorded: boolean
    },
  ): Promise<void> {
    const { incoming, decided, decision } = step
    if (!step.isRecorded) {
      const journal = [{ type: 'decision' as const, record: decision }]
      return state.commit({ lineIds: [], bodies: [], journal, durability: 'relaxed' })
    }
    const { line } = decided
    const added = line.record.slice(state.line(line.id)?.line.record.length ?? line.parent?.index ?? 0)
    // A refused list counts as carried too: an answer that follows it all the same proves that it was read.
    state.put({ ...line, carried: line.view }, state.line(line.id)?.anchor ?? null)
    state.setRow({
      lineId: line.id,
      policy: { ...this.#policy },
      format: decision.format,
      ...(decision.model === undefined ? {} : { model: decision.model }),
      ...(this.#options.provider === undefined ? {} : { provider: this.#options.provider }),
    })
    state.remember(incoming.messages)
    await state.commit({
      lineIds: [line.id],
      bodies: newBodies(incoming, added),
      journal: [
        ...decided.folds.map((record) => ({ type: 'fold' as const, record })),
        { type: 'decision' as const, record: decision },
      ],
      durability: 'strict',
    })
  }

  #tell(decided: DecidedRequest, decision: ContextDecision, forkedFrom: string | undefined): void {
    const { emit } = this.#options
    const { requestId, lineId, before, method } = decision
    const counted = decided.countedBefore
    if (!this.#policyResolved)
      emit({ type: 'policy-set', policy: { ...this.#policy }, resolved: ceilingOf(decision) })
    this.#policyResolved = true
    const parent = decided.line.parent
    if (forkedFrom !== undefined)
      emit({ type: 'line-forked', lineId, parentLineId: forkedFrom, index: parent?.index ?? 0 })
    emit({ type: 'request-measured', lineId, requestId, estimate: before, counted, method })
    for (const fold of decided.folds)
      emit({ type: 'stage-applied', lineId, requestId, stage: fold.stage, fold })
    emit({ type: 'request-decided', lineId, requestId, decision })
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
