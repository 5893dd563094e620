import type { SourceMessage } from '../engine/compile.ts'
import { ownName } from '../engine/digest.ts'
import { type FoldInput, type FoldStages, runFold } from '../engine/fold.ts'
import type { FoldOutcome } from '../engine/fold-run.ts'
import type { DraftKind } from '../engine/format.ts'
import { understand } from '../engine/intake.ts'
import { keptEntries } from '../engine/keep.ts'
import type { RequestSize } from '../engine/measure.ts'
import { runPlan, type SummaryJob, type SummaryOutcome } from '../engine/plan.ts'
import { type Entry, emptyLine, type Line } from '../engine/record.ts'
import { initialScale, type Scale, scaleFactor } from '../engine/scale.ts'
import { toolIo } from '../engine/stages/tool-io.ts'
import { openAiChat } from '../wire/openai-chat/index.ts'

/** A line from letters: `s` system, `u` instruction, `a` answer, `c` call, `r` result of the oldest open call. */
export function lineOf(letters: string, options: { readonly read?: number } = {}): Line {
  const kinds: Record<string, DraftKind> = {
    s: 'system',
    u: 'instruction',
    a: 'answer',
    c: 'call',
    r: 'result',
  }
  const record: Entry[] = []
  let round = -1
  const open: string[] = []
  for (const [index, letter] of [...letters].entries()) {
    if (letter === 'a') round = index
    if (letter === 'c') open.push(`call${index}`)
    const callId = letter === 'c' ? open.at(-1) : letter === 'r' ? open.shift() : undefined
    record.push({
      index,
      kind: kinds[letter] ?? 'instruction',
      key: `${index}`,
      round: 'acr'.includes(letter) ? round : -1,
      source: { hash: `${index}`, first: index, draft: 0, of: 1 },
      chars: 10,
      ...(letter === 's' ? { slot: true as const } : {}),
      ...(letter === 'c' ? { name: `tool${index}` } : {}),
      ...(callId === undefined ? {} : { callId }),
    })
  }
  const view = record.map((entry) => entry.index)
  const delivered = new Set(view.slice(0, options.read ?? view.length))
  return { ...emptyLine('line'), record, view, delivered, window: { from: 0, to: view.length } }
}

export interface ToyFoldOptions {
  readonly ceiling: number
  readonly target?: number
  readonly scale?: Scale
  /** Tokens of a note; 1. */
  readonly noteTokens?: number | ((note: Entry) => number)
  /** Tokens of a copy; 10. */
  readonly copyTokens?: number
  readonly stages?: Partial<FoldStages>
  readonly margin?: number
  /** Absent: it is not known. */
  readonly readerLimit?: number
  readonly keepsTurnHead?: boolean
  readonly placesMarks?: boolean
  /** What comes of each summary request; absent: there is nobody to ask. */
  readonly summarize?: (job: SummaryJob) => SummaryOutcome
}

/** Folds a line in which every entry has ten tokens, and a note as many as it is given. */
export function foldToy(line: Line, options: ToyFoldOptions): FoldOutcome {
  const { noteTokens = 1, copyTokens = 10, scale = initialScale, placesMarks = false, summarize } = options
  const tokensOf = (entry: Entry | undefined): number => {
    if (entry?.copy) return copyTokens
    return entry?.note === undefined ? 10 : typeof noteTokens === 'number' ? noteTokens : noteTokens(entry)
  }
  const size = (candidate: Line): RequestSize => {
    const entries = new Map(candidate.view.map((index) => [index, tokensOf(candidate.record[index])]))
    return { counted: [...entries.values()].reduce((sum, tokens) => sum + tokens, 0), entries, parts: [] }
  }
  const input: FoldInput = {
    line,
    size: size(line),
    factor: scaleFactor(scale),
    factorFor: scaleFactor,
    scale,
    ceiling: options.ceiling,
    readerLimit: options.readerLimit ?? null,
    contextFoldTarget: options.target ?? 0.6,
    requestId: 'q',
    passesBefore: 0,
    reason: 'threshold',
    at: 7,
    stages: { ordinary: [toolIo(6), toolIo(2)], summaries: [], resets: [], ...options.stages },
    summaries: summarize ? 'available' : 'missing',
    placesMarks,
    context: (candidate) => ({
      sources: wordsOf(candidate),
      wire: openAiChat,
      placesMarks,
      rules: { contextTool: null },
      contextTool: null,
      tools: [],
      summaryBodies: false,
      keep: keptEntries(candidate, { keepsTurnHead: options.keepsTurnHead ?? false, placesMarks }),
      from: placesMarks ? candidate.view.findLastIndex((index) => candidate.record[index]?.note) + 1 : 0,
      margin: options.margin ?? 0,
      // biome-ignore lint/correctness/useYield: nothing has a text here.
      *measureChange() {
        return null
      },
    }),
    // biome-ignore lint/correctness/useYield: the sizes are known.
    *measure(candidate) {
      return size(candidate)
    },
  }
  return runPlan(runFold(input), (wish) => {
    if (wish.type === 'needs-counts') return { type: 'counts', tokens: wish.texts.map(() => 1) }
    if (wish.type !== 'needs-summary' || !summarize) throw new TypeError('nothing was to be asked for')
    return { type: 'summary', outcome: summarize(wish.job) }
  })
}

/** A word for each instruction and answer, so that there is something to summarise. */
function wordsOf({ record }: Line): ReadonlyMap<number, SourceMessage> {
  return new Map(
    record.flatMap(({ index, kind }) => {
      if (kind !== 'instruction' && kind !== 'answer') return []
      const role = kind === 'answer' ? 'assistant' : 'user'
      const known = understand(JSON.stringify({ role, content: `word${index}` }), openAiChat, ownName)
      return [[index, { native: known.snapshot, known }] as const]
    }),
  )
}

/** The kinds of a folded view by their first letters; `n` is a note, `k` a copy. */
export function kindsOf({ line }: Pick<FoldOutcome, 'line'>): string {
  const letters = { note: 'n', copy: 'k' } as const
  return line.view
    .map((index) => {
      const kind = line.record[index]?.kind ?? 'system'
      return kind === 'note' || kind === 'copy' ? letters[kind] : kind[0]
    })
    .join('')
}
