import { appendMessages } from '../engine/append.ts'
import { compileItems } from '../engine/compile.ts'
import { ownName } from '../engine/digest.ts'
import type { Format, WireFormat, WireMessage } from '../engine/format.ts'
import { understand } from '../engine/intake.ts'
import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'
import { keptEntries } from '../engine/keep.ts'
import { MeasureMemory, measureRequest, type RequestSize } from '../engine/measure.ts'
import { measureChange } from '../engine/measure-change.ts'
import { answerCounts, type Plan, runPlan } from '../engine/plan.ts'
import { emptyLine, type Line } from '../engine/record.ts'
import { clip } from '../engine/stages/clip.ts'
import type { Proposal, StageContext } from '../engine/stages/stage.ts'
import { formats } from '../wire/detect.ts'
import { sourcesOf } from './sources-of.ts'

export interface ClipOptions {
  /** Contents of the results of one answer's calls, in order. */
  readonly contents: readonly JsonValue[]
  readonly format?: Extract<Format, 'openai-chat' | 'anthropic'>
  /** What the user said before. */
  readonly instruction?: string
  /** Name and arguments of the calls, where they matter. */
  readonly calls?: readonly { readonly name: string; readonly arguments: JsonObject }[]
  readonly maxChars?: number
  readonly contextTool?: string | null
  /** Tokens of a text; four characters are one where absent. */
  readonly count?: (text: string) => number
  /** Counts only what is said, without the JSON around it, and never by difference. */
  readonly wordsOnly?: boolean
}

export interface ClipBench {
  readonly line: Line
  readonly context: StageContext
  /** Record index of each result. */
  readonly results: readonly number[]
  /** What `clip` makes of a line, where so many tokens of it are over the target. */
  readonly propose: (over: number, changed?: Partial<StageContext>) => Proposal | null
  /** UTF-16 units that the last proposal had tokenized. */
  readonly tokenized: () => number
  /** Whole requests that the last proposal had measured. */
  readonly measured: () => number
  readonly sizeOf: (line: Line) => RequestSize
  /** The content of each result as a line's view sends it, in send order. */
  readonly sent: (line: Line) => readonly JsonValue[]
}

/** A line of one turn with one fan of results, and what a stage is given for it. */
export function clipBench(options: ClipOptions): ClipBench {
  const { format = 'openai-chat', maxChars, contextTool = 'context', count = quarter } = options
  const wire = wireOf(format)
  const messages = listOf(options, format).map((message) =>
    understand(JSON.stringify(message), wire, ownName),
  )
  const line = appendMessages(emptyLine('line'), messages)
  const sources = sourcesOf(messages)
  const rules = { contextTool, ...(maxChars === undefined ? {} : { maxChars }) }
  const memory = new MeasureMemory()
  let tokenized = 0
  let measured = 0
  const run = <Result>(plan: Plan<Result>): Result =>
    runPlan(
      plan,
      answerCounts((texts) => {
        tokenized += texts.reduce((sum, text) => sum + text.length, 0)
        return texts.map(count)
      }),
    )
  function* measure(candidate: Line): Plan<RequestSize> {
    measured++
    const { items } = compileItems({ line: candidate, view: candidate.view, sources, wire, rules })
    const composed = wire.compose(items, { model: undefined, changedFrom: 0 }).messages
    if (options.wordsOnly) return wordsOf(composed, wire, count)
    return yield* measureRequest({
      wire,
      model: undefined,
      fields: [{ type: 'messages', key: 'messages' }],
      leading: [],
      messages: composed,
      record: candidate.record,
      memory,
    })
  }
  const context: StageContext = {
    line,
    sources,
    wire,
    rules,
    contextTool,
    tools: [],
    summaryBodies: false,
    keep: keptEntries(line, { keepsTurnHead: false, placesMarks: false }),
    placesMarks: true,
    from: 0,
    margin: 0,
    foldId: 'q/1',
    size: run(measure(line)),
    targetCounted: 0,
    ceilingCounted: Number.MAX_SAFE_INTEGER,
    measure,
    *measureChange(before, after) {
      if (options.wordsOnly) return null
      return yield* measureChange({ wire, model: undefined, memory, before, after })
    },
  }
  return {
    line,
    context,
    results: line.record.filter(({ kind }) => kind === 'result').map(({ index }) => index),
    propose(over, changed = {}) {
      const size = run(measure(changed.line ?? line))
      tokenized = 0
      measured = 0
      return run(clip.propose({ ...context, size, targetCounted: size.counted - over, ...changed }))
    },
    tokenized: () => tokenized,
    measured: () => measured,
    sizeOf: (candidate) => run(measure(candidate)),
    sent: (candidate) => {
      const { items } = compileItems({ line: candidate, view: candidate.view, sources, wire, rules })
      const { messages: out } = wire.compose(items, { model: undefined, changedFrom: 0 })
      return out.flatMap(({ native }) => resultContents(native))
    },
  }
}

/** The line with a proposal in force. */
export function landed(line: Line, proposal: Proposal | null): Line {
  if (proposal === null) return line
  return { ...line, record: [...line.record, ...proposal.added], view: proposal.view }
}

function quarter(text: string): number {
  return Math.ceil(text.length / 4)
}

function wireOf(format: Format): WireFormat {
  const wire = formats.find((known) => known.format === format)
  if (wire === undefined) throw new TypeError(`no wire for ${format}`)
  return wire
}

function listOf(options: ClipOptions, format: Format): readonly JsonValue[] {
  const { contents, instruction = 'Read.', calls = [] } = options
  const made = contents.map((content, position) => ({
    content,
    id: `call_${position}`,
    call: calls[position] ?? { name: 'read', arguments: {} },
  }))
  const said = { role: 'user', content: instruction }
  if (format === 'anthropic')
    return [
      said,
      {
        role: 'assistant',
        content: made.map(({ id, call }) => ({
          type: 'tool_use',
          id,
          name: call.name,
          input: call.arguments,
        })),
      },
      {
        role: 'user',
        content: made.map(({ id, content }) => ({ type: 'tool_result', tool_use_id: id, content })),
      },
    ]
  return [
    said,
    {
      role: 'assistant',
      content: null,
      tool_calls: made.map(({ id, call }) => ({
        id,
        type: 'function',
        function: { name: call.name, arguments: JSON.stringify(call.arguments) },
      })),
    },
    ...made.map(({ id, content }) => ({ role: 'tool', tool_call_id: id, content })),
  ]
}

function resultContents(message: JsonValue): readonly JsonValue[] {
  if (!isObject(message)) return []
  if (message.role === 'tool') return [message.content ?? null]
  const blocks: readonly JsonValue[] = Array.isArray(message.content) ? message.content : []
  return blocks.flatMap((block) =>
    isObject(block) && block.type === 'tool_result' ? [block.content ?? null] : [],
  )
}

/** Tokens of the instruction and the results alone, counted as one text. */
function wordsOf(
  messages: readonly WireMessage[],
  wire: WireFormat,
  count: (text: string) => number,
): RequestSize {
  const entries = new Map<number, number>()
  let words = ''
  for (const { snapshot, indexes } of messages)
    for (const [ordinal, draft] of wire.readMessage(snapshot).drafts.entries()) {
      if (draft.kind !== 'instruction' && draft.kind !== 'result') continue
      entries.set(indexes[ordinal] ?? -1, count(draft.text))
      words += draft.text
    }
  return { counted: count(words), entries, parts: [] }
}
