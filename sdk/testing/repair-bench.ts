import { appendMessages } from '../engine/append.ts'
import { compileItems, firstChange } from '../engine/compile.ts'
import { deliveredByPosition } from '../engine/delivery.ts'
import { ownName } from '../engine/digest.ts'
import type { EntryDraft, WireFormat } from '../engine/format.ts'
import { understand } from '../engine/intake.ts'
import type { JsonObject } from '../engine/json.ts'
import { keptEntries } from '../engine/keep.ts'
import { MeasureMemory, measureRequest, type RequestSize } from '../engine/measure.ts'
import { type Plan, runPlan, type SummaryJob, type SummaryOutcome } from '../engine/plan.ts'
import { emptyLine, type Line } from '../engine/record.ts'
import type { Proposal, Stage, StageContext } from '../engine/stages/stage.ts'
import { openAiChat } from '../wire/openai-chat/index.ts'
import { sourcesOf } from './sources-of.ts'

export interface RepairBenchOptions {
  readonly wire?: WireFormat
  readonly contextTool?: string | null
  readonly maxChars?: number
}

export interface RepairBench {
  /** The list as a branch knows it: all before the newest answer was read, and the answer's fan is not. */
  readonly line: Line
  readonly contextOf: (line: Line, changed?: Partial<StageContext>) => StageContext
  readonly propose: (
    stage: Stage,
    line: Line,
    options?: { readonly changed?: Partial<StageContext>; readonly summarize?: Summarize },
  ) => Proposal | null
  readonly sizeOf: (line: Line) => RequestSize
  /** The request as a line's view sends it. */
  readonly sent: (line: Line) => JsonObject
  /** What of each entry is sent, in send order; of a note, nothing. */
  readonly shown: (line: Line) => readonly EntryDraft[]
}

type Summarize = (job: SummaryJob) => SummaryOutcome

const unwritten: Summarize = () => ({ type: 'failed', usage: null })

/** A request's own list as a line, and what a stage of a repair is given for it; four characters are a token. */
export function repairBench(request: JsonObject, options: RepairBenchOptions = {}): RepairBench {
  const { wire = openAiChat, contextTool = null, maxChars } = options
  const outcome = wire.read(request)
  if (outcome.type === 'fault') throw new TypeError(`${outcome.fault.path} must be ${outcome.fault.expected}`)
  const read = outcome.request
  const known = read.messages.map((message) => understand(JSON.stringify(message), wire, ownName))
  const appended = appendMessages(emptyLine('line'), known)
  const line = { ...appended, delivered: deliveredByPosition(appended.record) }
  const sources = sourcesOf(known)
  const rules = { contextTool, ...(maxChars === undefined ? {} : { maxChars }) }
  const memory = new MeasureMemory()

  const composed = (candidate: Line) => {
    const { items } = compileItems({ line: candidate, view: candidate.view, sources, wire, rules })
    const changedFrom = firstChange(items, [...sources.keys()])
    return wire.compose(items, { model: read.model, changedFrom }).messages
  }
  const measure = (candidate: Line): Plan<RequestSize> =>
    measureRequest({
      wire,
      model: read.model,
      fields: [{ type: 'messages', key: 'messages' }],
      leading: [],
      messages: composed(candidate),
      record: candidate.record,
      memory,
    })
  const run = <Result>(plan: Plan<Result>, summarize = unwritten): Result =>
    runPlan(plan, (wish) =>
      wish.type === 'needs-summary'
        ? { type: 'summary', outcome: summarize(wish.job) }
        : { type: 'counts', tokens: wish.texts.map((text) => Math.ceil(text.length / 4)) },
    )
  const contextOf: RepairBench['contextOf'] = (candidate, changed = {}) => ({
    line: candidate,
    sources,
    wire,
    rules,
    contextTool,
    tools: read.tools,
    summaryBodies: false,
    keep: keptEntries(candidate, { keepsTurnHead: false, placesMarks: false }),
    placesMarks: false,
    from: 0,
    margin: 0,
    foldId: 'q/1',
    requestId: 'q',
    size: run(measure(candidate)),
    targetCounted: 0,
    ceilingCounted: Number.MAX_SAFE_INTEGER,
    measure,
    measureChange: () => {
      throw new TypeError('nothing was to be measured by difference')
    },
    ...changed,
  })
  return {
    line,
    contextOf,
    propose: (stage, candidate, { changed, summarize } = {}) =>
      run(stage.propose(contextOf(candidate, changed)), summarize),
    sizeOf: (candidate) => run(measure(candidate)),
    sent: (candidate) =>
      wire.write(
        request,
        read,
        composed(candidate).map(({ native }) => native),
      ),
    shown: (candidate) =>
      composed(candidate).flatMap(({ snapshot, indexes }) =>
        wire.readMessage(snapshot).drafts.filter((_, draft) => !candidate.record[indexes[draft] ?? -1]?.note),
      ),
  }
}
