import type { BranchState } from './branch-state.ts'
import { type Ceiling, resolveCeiling } from './engine/ceiling.ts'
import type { SourceMessage } from './engine/compile.ts'
import type { DecideInput } from './engine/decide-input.ts'
import { defaultStages, repairStages } from './engine/default-stages.ts'
import type { Digest } from './engine/digest.ts'
import type { ReadRequest, WireFormat } from './engine/format.ts'
import type { MeasureMemory } from './engine/measure.ts'
import { messageOrder } from './engine/place.ts'
import { type ContextPolicy, type PolicyInForce, policyInForce } from './engine/policy.ts'
import type { Line } from './engine/record.ts'
import type { RepairRequest } from './engine/repair.ts'
import { type Refusal, resumptionsLeft, standingRefusal, type TurnState, turnOf } from './engine/turn.ts'
import { reportedFor, toolsFor } from './held-tokens.ts'
import { askedOf } from './last-request.ts'
import type { Placed } from './placing.ts'
import type { FindModel, ModelFacts, Summarize } from './ports.ts'
import type { CallOptions } from './prepare-options.ts'
import type { IncomingRequest } from './request-intake.ts'
import { invalid, type OpenedRequest } from './request-reading.ts'
import { type SummaryTransport, summariesBy } from './summarizing.ts'

/** A request as it was read, with what was said beside it: enough to decide it over any view, at any time. */
export interface StatedRequest extends Pick<Placed, 'isRecorded' | 'isForeign'> {
  readonly opened: OpenedRequest
  readonly incoming: IncomingRequest
  readonly model: string | undefined
  readonly call: CallOptions
}

/** What a branch brings to every decision of it. */
interface InputSettings {
  readonly findModel: FindModel
  readonly summarize?: Summarize
  readonly contextToolName: string
  readonly provider?: string
  readonly memory: MeasureMemory
}

export interface InputFacts {
  readonly state: BranchState
  readonly stated: StatedRequest
  readonly line: Line
  readonly policy: ContextPolicy
  readonly transport?: SummaryTransport | undefined
  readonly digest: Digest | null
  readonly requestId: string
  readonly at: number
  /** Why the request is to be made smaller whatever its size is. */
  readonly repairAsked?: RepairRequest | null
}

/** What the turn of a line has left for a request, and what was refused in it before. */
export interface TurnFacts {
  readonly turn: TurnState
  /** Names what it is asked under, beside what it holds. */
  readonly asked: string
  /** The refusal that is its answer, whatever its size (R52). */
  readonly standing: Refusal | null
}

function turnFacts({ state, stated, line, policy }: Omit<InputFacts, 'digest'>): TurnFacts {
  const { opened, model, call, isRecorded } = stated
  const asked = askedOf(policy, model, { ...call, heldPrefix: opened.read.heldPrefix })
  const turn = turnOf(line, state.line(line.id)?.turn ?? null)
  return { turn, asked, standing: isRecorded ? standingRefusal(turn, line, asked) : null }
}

/** The same request, decided as it stands: nothing folds it, and nothing makes it fit. */
export function asItStands<Input extends Pick<DecideInput, 'repair'>>(
  input: Input,
): Input & Pick<DecideInput, 'stages' | 'repair'> {
  return { ...input, stages: null, repair: { ...input.repair, asked: null, stages: null } }
}

/**
 * All that a request is decided by. Must be the one way to it, so that what is said of the next request, and what
 * is admitted to it, is what will be decided (R224).
 */
export async function decisionInput(
  facts: InputFacts,
  settings: InputSettings,
): Promise<Omit<DecideInput, 'exact'> & TurnFacts> {
  const { state, stated, line, transport, digest, requestId, at } = facts
  const { opened, incoming, model, call, isRecorded, isForeign } = stated
  const { findModel, summarize, contextToolName, memory } = settings
  const policy = policyInForce(isRecorded ? facts.policy : withoutBound(facts.policy))
  const provider = call.provider ?? settings.provider
  const { order, sources } = listSources(line, opened, incoming)
  await addStoredSources(sources, { state, line, wire: opened.wire })
  const turn = turnFacts(facts)
  const summaries = summariesBy({ compaction: policy.compaction, summarize, transport })
  const known = await knownModel(
    { policy: facts.policy, findModel, model, provider, url: call.url },
    summaries !== 'off',
  )
  return {
    ...turn,
    requestId,
    at,
    line,
    wire: opened.wire,
    model,
    fields: incoming.fields,
    leading: incoming.leading.map((message) => message.snapshot),
    order,
    sources,
    policy,
    ceiling: ceilingOf({ policy: facts.policy, known, options: call }),
    scale: state.scale(model ?? ''),
    anchor: state.line(line.id)?.anchor ?? null,
    run: isForeign ? 'bounded' : (call.run ?? policy.run),
    remote: remoteOf(state, opened),
    held: heldOf(state, opened, call),
    ...statedFacts(opened, contextToolName),
    stages: turn.standing ? null : defaultStages,
    summaries,
    repair: {
      window: windowOf(known),
      readerWindow: await readerWindow(policy, { findModel, provider, url: call.url }),
      asked: facts.repairAsked ?? null,
      stages: repairStages,
    },
    resumptions: resumptionsLeft(turn.turn),
    digest,
    memory,
  }
}

/** What is not recorded could not be read back, so its bodies stay whole. */
function withoutBound({ toolResultMaxChars: _, ...policy }: ContextPolicy): ContextPolicy {
  return policy
}

/** Where each message of the app's list stands in the record, and what is sent for it. */
function listSources(
  line: Line,
  opened: OpenedRequest,
  incoming: IncomingRequest,
): { readonly order: readonly number[]; readonly sources: Map<number, SourceMessage> } {
  const order = messageOrder(line, incoming.messages)
  const sources = new Map<number, SourceMessage>()
  for (const [position, known] of incoming.messages.entries()) {
    const native = opened.read.messages[position] ?? known.snapshot
    sources.set(order[position] ?? -1, { native, known })
  }
  return { order, sources }
}

/** Adds what the view holds and the app's list does not: messages that the app cut and somebody brought back. */
async function addStoredSources(
  sources: Map<number, SourceMessage>,
  facts: { readonly state: BranchState; readonly line: Line; readonly wire: WireFormat },
): Promise<void> {
  const { state, line, wire } = facts
  const missing = new Map<number, string>()
  for (const index of line.view) {
    const entry = line.record[index]
    if (!entry?.source || entry.slot || sources.has(entry.source.first)) continue
    missing.set(entry.source.first, entry.source.hash)
  }
  const messages = await state.messages([...missing.values()], wire)
  for (const [position, first] of [...missing.keys()].entries()) {
    const known = messages[position]
    if (known) sources.set(first, { native: known.snapshot, known })
  }
}

/** The ceiling of a branch's requests, as far as it can be told without one. */
export async function ceilingFor(facts: ModelQuery): Promise<Ceiling> {
  return ceilingOf({ policy: facts.policy, known: await knownModel(facts, false), options: {} })
}

interface ModelQuery {
  readonly policy: ContextPolicy
  readonly findModel: FindModel
  readonly model: string | undefined
  readonly provider: string | undefined
  readonly url?: string | undefined
}

/** The model slice is only loaded where the policy leaves the ceiling to it, or where the window matters. */
async function knownModel(query: ModelQuery, needsWindow: boolean): Promise<ModelFacts | undefined> {
  const wanted = query.policy.maxInputTokens
  if (wanted !== undefined && wanted !== 'auto' && !needsWindow) return undefined
  return lookUp(query)
}

function lookUp({ findModel, model, provider, url }: Omit<ModelQuery, 'policy'>): ReturnType<FindModel> {
  return findModel({
    ...(model === undefined ? {} : { model }),
    ...(provider === undefined ? {} : { provider }),
    ...(url === undefined ? {} : { url }),
  })
}

function ceilingOf(facts: {
  readonly policy: ContextPolicy
  readonly known: ModelFacts | undefined
  readonly options: Pick<CallOptions, 'maxInputTokens'>
}): Ceiling {
  const { policy, known, options } = facts
  const wanted = policy.maxInputTokens
  const resolved = resolveCeiling({
    ...(wanted === undefined ? {} : { policy: wanted }),
    ...(options.maxInputTokens === undefined ? {} : { call: options.maxInputTokens }),
    ...(known?.tier ? { tier: known.tier } : {}),
    ...(known?.maxInputTokens === undefined ? {} : { model: known.maxInputTokens }),
  })
  if (resolved.type === 'fault') throw invalid(resolved)
  return resolved
}

/** Largest input that a model takes, where that is known: less than its window, where the provider says so. */
function windowOf(known: ModelFacts | undefined): number | null {
  return known?.inputLimit ?? known?.contextWindow ?? null
}

/** Of the model that the policy names for summaries; null where it names none. */
async function readerWindow(
  { compaction }: PolicyInForce,
  query: Omit<ModelQuery, 'policy' | 'model'>,
): Promise<number | null> {
  if (compaction.mode !== 'summarize' || compaction.model === undefined) return null
  return windowOf(await lookUp({ ...query, model: compaction.model }))
}

/** Name of the context tool where the request carries it: the registered name and a schema that reads results. */
function contextToolIn({ tools }: ReadRequest, registeredName: string): string | null {
  const tool = tools.find(({ name, readsResults }) => name === registeredName && readsResults)
  return tool?.name ?? null
}

/** What the request says of how its provider takes it, and of the context tool by its registered name. */
function statedFacts(
  { read }: OpenedRequest,
  registeredName: string,
): Pick<
  DecideInput,
  'keepsTurnHead' | 'bindsReasoning' | 'endMark' | 'takesNoMarks' | 'tools' | 'contextTool'
> {
  return {
    keepsTurnHead: read.keepsTurnHead === true,
    bindsReasoning: read.bindsReasoning === true,
    endMark: read.endMark ?? null,
    takesNoMarks: read.takesNoMarks === true,
    tools: read.tools,
    contextTool: contextToolIn(read, registeredName),
  }
}

/** What is known of the prefix that the provider holds for a request; null where it names none. */
function heldOf(
  state: BranchState,
  { read }: OpenedRequest,
  { cachedContentTokens }: Pick<CallOptions, 'cachedContentTokens'>,
): NonNullable<DecideInput['held']> | null {
  if (read.heldPrefix === undefined) return null
  return { tokens: cachedContentTokens ?? reportedFor(state, read.heldPrefix) }
}

/** What is on record of the history that a request continues at the provider; null where it brings its own. */
function remoteOf(state: BranchState, opened: OpenedRequest): DecideInput['remote'] {
  const { continues } = opened.read
  if (continues === undefined) return null
  return { reported: reportedFor(state, continues), tools: toolsFor(state, continues) }
}
