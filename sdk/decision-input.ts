import type { PrepareOptions } from './branch.ts'
import type { BranchState } from './branch-state.ts'
import { type Ceiling, resolveCeiling } from './engine/ceiling.ts'
import type { SourceMessage } from './engine/compile.ts'
import type { DecideInput } from './engine/decide-input.ts'
import type { ReadRequest, WireFormat } from './engine/format.ts'
import { messageOrder } from './engine/place.ts'
import type { ContextPolicy } from './engine/policy.ts'
import type { Line } from './engine/record.ts'
import type { FindModel } from './ports.ts'
import type { IncomingRequest } from './request-intake.ts'
import { invalid, type OpenedRequest } from './request-reading.ts'

/** Where each message of the app's list stands in the record, and what is sent for it. */
export function listSources(
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
export async function addStoredSources(
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

/** The ceiling of one request. The model slice is only loaded where the policy leaves the ceiling to it. */
export async function ceilingFor(facts: {
  readonly policy: ContextPolicy
  readonly findModel: FindModel
  readonly model: string | undefined
  readonly provider: string | undefined
  readonly options: Pick<PrepareOptions, 'maxInputTokens' | 'url'>
}): Promise<Ceiling> {
  const { policy, findModel, model, provider, options } = facts
  const wanted = policy.maxInputTokens
  const known =
    wanted === undefined || wanted === 'auto'
      ? await findModel({
          ...(model === undefined ? {} : { model }),
          ...(provider === undefined ? {} : { provider }),
          ...(options.url === undefined ? {} : { url: options.url }),
        })
      : undefined
  const resolved = resolveCeiling({
    ...(wanted === undefined ? {} : { policy: wanted }),
    ...(options.maxInputTokens === undefined ? {} : { call: options.maxInputTokens }),
    ...(known?.tier ? { tier: known.tier } : {}),
    ...(known?.maxInputTokens === undefined ? {} : { model: known.maxInputTokens }),
  })
  if (resolved.type === 'fault') throw invalid(resolved)
  return resolved
}

/** Name of the context tool where the request carries it: the registered name and a schema that reads results. */
function contextToolIn({ tools }: ReadRequest, registeredName: string): string | null {
  const tool = tools.find(({ name, readsResults }) => name === registeredName && readsResults)
  return tool?.name ?? null
}

/** What the request says of how its provider takes it, and of the context tool by its registered name. */
export function statedFacts(
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
export function heldOf(
  state: BranchState,
  { read }: OpenedRequest,
  { cachedContentTokens }: Pick<PrepareOptions, 'cachedContentTokens'>,
): NonNullable<DecideInput['held']> | null {
  if (read.heldPrefix === undefined) return null
  return { tokens: cachedContentTokens ?? reportedFor(state, read.heldPrefix) }
}

/** What is on record of the history that a request continues at the provider; null where it brings its own. */
export function remoteOf(state: BranchState, opened: OpenedRequest): DecideInput['remote'] {
  const { continues } = opened.read
  if (continues === undefined) return null
  return { reported: reportedFor(state, continues) }
}

/** Tokens that were reported for what the provider holds under a name; null where nothing is on record. */
export function reportedFor(state: BranchState, name: string): number | null {
  const { responses = {} } = state.row
  return Object.hasOwn(responses, name) ? (responses[name] ?? null) : null
}
