import { describe, expect, it } from 'vitest'
import { type FoldInput, type FoldOutcome, runFold } from './fold.ts'
import type { DraftKind } from './format.ts'
import { keptEntries } from './keep.ts'
import { runPlan } from './plan.ts'
import { type Entry, emptyLine, type Line } from './record.ts'
import { type Estimate, initialScale, scaleFactor } from './scale.ts'
import type { Stage } from './stages/stage.ts'
import { toolIo } from './stages/tool-io.ts'

/** A line from letters: `s` system, `u` instruction, `a` answer, `c` call, `r` result of the newest open call. */
function lineOf(letters: string, options: { readonly read?: number } = {}): Line {
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

/** Every entry has ten tokens, and a note as many as it is given. */
function fold(
  line: Line,
  options: {
    readonly ceiling: number
    readonly noteTokens?: number
    readonly stages?: readonly Stage[]
    readonly margin?: number
    readonly keepsTurnHead?: boolean
  },
): FoldOutcome {
  const size = (candidate: Line): Estimate => ({
    counted: candidate.view.reduce(
      (sum, index) => sum + (candidate.record[index]?.note ? (options.noteTokens ?? 1) : 10),
      0,
    ),
    factor: scaleFactor(initialScale),
  })
  const input: FoldInput = {
    line,
    estimate: size(line),
    ceiling: options.ceiling,
    contextFoldTarget: 0.6,
    requestId: 'q',
    reason: 'threshold',
    at: 7,
    scale: initialScale,
    stages: options.stages ?? [toolIo(6), toolIo(2)],
    context: (candidate) => ({
      line: candidate,
      sources: new Map(),
      keep: keptEntries(candidate, candidate.view, { keepsTurnHead: options.keepsTurnHead ?? false }),
      margin: options.margin ?? 0,
    }),
    // biome-ignore lint/correctness/useYield: the sizes are known.
    *measure(candidate) {
      return size(candidate)
    },
  }
  return runPlan(runFold(input), () => {
    throw new TypeError('nothing was to be counted')
  })
}

const kindsOf = (outcome: FoldOutcome): string =>
  outcome.line.view
    .map((index) => (outcome.line.record[index]?.note ? 'n' : (outcome.line.record[index]?.kind[0] ?? '')))
    .join('')

describe('tool_io', () => {
  it('[R114] replaces the calls and results older than the newest six entries by one note, then older than two', () => {
    // s u (a c r) x4: eleven entries beside the system; six from the end are two rounds.
    const line = lineOf('suacracracracr')
    const wide = fold(line, { ceiling: 1000, stages: [toolIo(6)] })
    expect(kindsOf(wide)).toBe('siacracracracr')
    const six = fold(line, { ceiling: 100, stages: [toolIo(6)] })
    expect(kindsOf(six)).toBe('sianaacracr')
    const two = fold(line, { ceiling: 100, stages: [toolIo(2)] })
    expect(kindsOf(two)).toBe('sianaaacr')
  })

  it('[R96, R97] goes on to the smaller tail only while the target is not reached', () => {
    const line = lineOf('suacracracracr')
    expect(fold(line, { ceiling: 200 }).folds).toHaveLength(1)
    const deep = fold(line, { ceiling: 100 })
    expect(deep.folds.map(({ keptTail }) => keptTail)).toEqual([6, 2])
    expect(kindsOf(deep)).toBe('sianaanacr')
  })

  it('[R100] takes and keeps rounds whole: a tail that cuts a round widens to all of it', () => {
    // The tail of six starts inside the fan of three.
    const line = lineOf('suacracccrrracr')
    expect(kindsOf(fold(line, { ceiling: 100, stages: [toolIo(6)] }))).toBe('sianacccrrracr')
  })

  it('[R87, R89] leaves a round alone that has one unread member', () => {
    const line = lineOf('suaccrracracr', { read: 6 })
    expect(kindsOf(fold(line, { ceiling: 60, stages: [toolIo(2)] }))).toBe('siaccrracracr')
  })

  it('[R249] keeps whole rounds of the margin beyond the tail', () => {
    const line = lineOf('suacracracracr')
    expect(kindsOf(fold(line, { ceiling: 100, stages: [toolIo(2)], margin: 1 }))).toBe('sianaacracr')
    expect(kindsOf(fold(line, { ceiling: 100, stages: [toolIo(2)], margin: 9 }))).toBe('siacracracracr')
  })

  it('[R98] leaves a round alone that is the head of the view', () => {
    const line = lineOf('sacruacracr')
    expect(kindsOf(fold(line, { ceiling: 60, stages: [toolIo(2)] }))).toBe('sacrianacr')
  })

  it('leaves the first round of the current turn alone where the provider wants it as it was', () => {
    const line = lineOf('suacruacracracr')
    expect(kindsOf(fold(line, { ceiling: 60, stages: [toolIo(2)] }))).toBe('sianiaaacr')
    expect(kindsOf(fold(line, { ceiling: 60, stages: [toolIo(2)], keepsTurnHead: true }))).toBe(
      'sianiacraacr',
    )
  })

  it('[R115, R119] gives the note its provenance: what it stands for, the first of it, and each call', () => {
    const outcome = fold(lineOf('suaccrracr'), { ceiling: 60, stages: [toolIo(2)] })
    const note = outcome.line.record.at(-1)?.note
    expect(note).toMatchObject({ foldId: 'q/1', firstIndex: 3, members: [3, 4, 5, 6] })
    expect(note?.calls).toEqual([
      { index: 5, function: 'tool3', arguments: '', outputChars: 10 },
      { index: 6, function: 'tool4', arguments: '', outputChars: 10 },
    ])
  })

  it('lists a call that was never answered under its own index', () => {
    const outcome = fold(lineOf('suaccruacr'), { ceiling: 60, stages: [toolIo(2)] })
    expect(outcome.line.record.at(-1)?.note?.calls).toEqual([
      { index: 5, function: 'tool3', arguments: '', outputChars: 10 },
      { index: 4, function: 'tool4', arguments: '', outputChars: null },
    ])
  })
})

describe('landing', () => {
  const line = lineOf('suacracracr')

  it('[R106, R108, R80] rolls a pass back that does not strictly lower the estimate; its note stays outside the view', () => {
    for (const noteTokens of [20, 21]) {
      const outcome = fold(line, { ceiling: 100, noteTokens, stages: [toolIo(6)] })
      expect(outcome.landed).toBe(false)
      expect(outcome.line.view).toEqual(line.view)
      expect(outcome.line.record).toHaveLength(line.record.length + 1)
      expect(outcome.folds).toMatchObject([{ outcome: 'rolled_back', before: 110, targetReached: false }])
    }
    expect(fold(line, { ceiling: 100, noteTokens: 19, stages: [toolIo(6)] }).landed).toBe(true)
  })

  it('[R298, R299, R302] records what each pass did', () => {
    const { folds } = fold(line, { ceiling: 150, stages: [toolIo(6)] })
    expect(folds).toEqual([
      {
        v: 1,
        id: 'q/1',
        at: 7,
        requestId: 'q',
        noteIndex: 11,
        replaced: [{ start: 3, end: 5 }],
        reason: 'threshold',
        stage: 'tool_io',
        keptTail: 6,
        messagesFolded: 2,
        calls: [{ index: 4, function: 'tool3', arguments: '', outputChars: 10 }],
        callsTotal: 1,
        summarySource: null,
        summaryUsage: null,
        before: 110,
        after: 91,
        ceiling: 150,
        scale: 1,
        outcome: 'landed',
        targetReached: false,
      },
    ])
  })

  it('[R298] lists fifty calls of a fold and says how many there were', () => {
    const long = lineOf(`su${'acr'.repeat(52)}uacr`)
    const { folds, line: folded } = fold(long, { ceiling: 400, stages: [toolIo(2)] })
    expect(folds[0]).toMatchObject({ callsTotal: 52, messagesFolded: 104 })
    expect(folds[0]?.calls).toHaveLength(50)
    expect(folded.record.at(-1)?.note?.calls).toHaveLength(52)
  })

  it('[R113] says that the target was missed where system and task alone are past it', () => {
    const outcome = fold(lineOf('su'), { ceiling: 20 })
    expect(outcome).toMatchObject({
      landed: false,
      folds: [],
      trace: [{ outcome: 'nothing_to_take' }, { outcome: 'nothing_to_take' }],
    })
  })
})
