import { compileRequest, type RequestFacts } from './compile-request.ts'
import type { DecideInput } from './decide-input.ts'
import type { FoldInput, FoldStages } from './fold.ts'
import { placesCache } from './fold-conditions.ts'
import { keptEntries } from './keep.ts'
import { measureChange } from './measure-change.ts'

/** What a request is compiled and measured from, whatever its view is. */
export function requestFacts(input: DecideInput): RequestFacts {
  const { policy } = input
  return {
    ...input,
    placesMarks: placesCache(input),
    rules: {
      contextTool: policy.recovery === 'user' ? null : input.contextTool,
      ...(policy.toolResultMaxChars === undefined ? {} : { maxChars: policy.toolResultMaxChars }),
    },
  }
}

type FoldFacts = Pick<
  FoldInput,
  | 'ceiling'
  | 'readerLimit'
  | 'contextFoldTarget'
  | 'requestId'
  | 'at'
  | 'stages'
  | 'summaries'
  | 'placesMarks'
  | 'context'
  | 'measure'
>

const NO_STAGES: FoldStages = { ordinary: [], summaries: [], resets: [] }

/** What a fold of this request has whatever its line is; candidates are measured with the notice, where there is one. */
export function foldFacts(input: DecideInput, facts: RequestFacts, notice: string | null): FoldFacts {
  const { wire, policy, model, memory } = input
  const { placesMarks } = facts
  return {
    ceiling: input.ceiling.ceiling,
    readerLimit: readerLimit(input),
    contextFoldTarget: policy.contextFoldTarget,
    requestId: input.requestId,
    at: input.at,
    stages: input.stages ?? NO_STAGES,
    summaries: summariesOf(input),
    placesMarks,
    context: (line): ReturnType<FoldFacts['context']> => ({
      sources: input.sources,
      wire,
      rules: facts.rules,
      placesMarks,
      contextTool: input.contextTool,
      tools: input.tools,
      summaryBodies: policy.summaryBodies,
      keep: keptEntries(line, { keepsTurnHead: input.keepsTurnHead, placesMarks }),
      from: placesMarks ? line.view.findLastIndex((index) => line.record[index]?.note) + 1 : 0,
      margin: policy.contextFoldTailMargin,
      measureChange: (before, after) => measureChange({ wire, model, memory, before, after }),
    }),
    *measure(line) {
      return (yield* compileRequest(facts, line, notice)).size
    },
  }
}

/**
 * What a request for a summary may come to: as much as the round itself, or as another model takes that writes them.
 * Of a window some is left free, for what a provider adds to a request is not counted here.
 */
function readerLimit({ repair, ceiling, policy }: DecideInput): number | null {
  const window = repair.readerWindow ?? repair.window
  const inWindow = window === null ? null : Math.floor(window * policy.contextFoldAt)
  if (repair.readerWindow !== null) return inWindow
  const limits = [inWindow, ceiling.ceiling].filter((limit) => limit !== null)
  return limits.length > 0 ? Math.min(...limits) : null
}

/** A summary is asked for on a count, for it costs more than an estimate may be worth. */
function summariesOf({ summaries, exact }: DecideInput): FoldInput['summaries'] {
  if (summaries !== 'available') return 'missing'
  return exact ? 'available' : 'on_counts_only'
}
