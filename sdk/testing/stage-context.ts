import { appendMessages } from '../engine/append.ts'
import type { SourceMessage } from '../engine/compile.ts'
import { ownName } from '../engine/digest.ts'
import type { WireFormat } from '../engine/format.ts'
import { understand } from '../engine/intake.ts'
import { type Plan, runPlan, type SummaryJob, type SummaryOutcome } from '../engine/plan.ts'
import { emptyLine, type Line } from '../engine/record.ts'
import type { StageContext } from '../engine/stages/stage.ts'
import { openAiChat } from '../wire/openai-chat/index.ts'

/** A line of real messages, all of them read, and where their texts are. */
export function lineOfMessages(
  messages: readonly object[],
  wire: WireFormat = openAiChat,
): { readonly line: Line; readonly sources: ReadonlyMap<number, SourceMessage> } {
  const known = messages.map((message) => understand(JSON.stringify(message), wire, ownName))
  const line = appendMessages(emptyLine('line'), known)
  const sources = new Map<number, SourceMessage>()
  for (const message of known)
    sources.set(
      [...sources.values()].reduce((sum, { known }) => sum + known.reading.drafts.length, 0),
      {
        native: message.snapshot,
        known: message,
      },
    )
  return { line: { ...line, delivered: new Set(line.view) }, sources }
}

/** What a stage is given, with nothing kept; measuring is the runner's business and is not asked for. */
export function stageContext(
  from: Pick<StageContext, 'line' | 'sources'>,
  options: Partial<StageContext> = {},
): StageContext {
  return {
    wire: openAiChat,
    rules: { contextTool: null },
    contextTool: null,
    tools: [],
    summaryBodies: false,
    keep: new Set(),
    placesMarks: false,
    from: 0,
    margin: 0,
    foldId: 'q/1',
    size: { counted: 0, entries: new Map(), parts: [] },
    targetCounted: 0,
    ceilingCounted: 1_000_000,
    measure: () => {
      throw new TypeError('nothing was to be measured')
    },
    measureChange: () => {
      throw new TypeError('nothing was to be measured')
    },
    ...from,
    ...options,
  }
}

/** Runs a plan of a stage; one token a character, and what comes of each summary request. */
export function runStage<Result>(
  plan: Plan<Result>,
  summarize: (job: SummaryJob) => SummaryOutcome = () => ({ type: 'failed', usage: null }),
): Result {
  return runPlan(plan, (wish) => {
    if (wish.type === 'needs-summary') return { type: 'summary', outcome: summarize(wish.job) }
    if (new Set(wish.texts).size < wish.texts.length || wish.texts.includes(''))
      throw new TypeError('a text was to be counted twice, or an empty one')
    return { type: 'counts', tokens: wish.texts.map((text) => text.length) }
  })
}

export function ask(content: string): object {
  return { role: 'user', content }
}

export function say(content: string): object {
  return { role: 'assistant', content }
}

/** An assistant message that calls, and the results of the calls that have one. */
export function call(
  ...calls: readonly {
    readonly id: string
    readonly name: string
    readonly args?: object
    readonly result?: string
  }[]
): readonly object[] {
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: calls.map(({ id, name, args = {} }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      })),
    },
    ...calls.flatMap(({ id, result }) =>
      result === undefined ? [] : [{ role: 'tool', tool_call_id: id, content: result }],
    ),
  ]
}
