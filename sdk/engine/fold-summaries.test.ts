import { describe, expect, it } from 'vitest'
import { withNote } from '../testing/made-entries.ts'
import { foldToy, kindsOf, lineOf, type ToyFoldOptions } from '../testing/toy-fold.ts'
import type { FoldRecord } from './journal.ts'
import type { SummaryJob, SummaryOutcome } from './plan.ts'
import type { Line } from './record.ts'
import { initialScale } from './scale.ts'
import { all, reset } from './stages/all.ts'
import type { Stage } from './stages/stage.ts'

/** A note that is in the view and stays there, to give a view any size. */
function weighed(letters: string): Line {
  const line = withNote(lineOf(letters), { foldId: 'weight', firstIndex: 2, members: [] }, 2)
  return { ...line, pinned: new Set([line.record.length - 1]) }
}

const written: SummaryOutcome = { type: 'written', text: 'what happened', source: 'model', usage: null }

/** Folds a weighed line of the given size without what may be summarised, and counts the summary requests. */
function foldWeighed(
  floor: number,
  options: Partial<ToyFoldOptions> & { readonly noteTokensOfFold?: number } = {},
) {
  const jobs: SummaryJob[] = []
  // The floor is s, u and the last round: fifty tokens and the weight.
  const line = weighed('suaaaaaaaaacr')
  const outcome = foldToy(line, {
    ceiling: 100_000,
    stages: { ordinary: [], summaries: [all(6), all(2)] },
    noteTokens: ({ note }) => (note?.foldId === 'weight' ? floor - 50 : (options.noteTokensOfFold ?? 1)),
    summarize: (job) => {
      jobs.push(job)
      return written
    },
    ...options,
  })
  return { line, outcome, jobs }
}

describe('the floor view, before a summary is asked for', () => {
  const tails = (folds: readonly FoldRecord[]) => folds.map(({ stage, keptTail }) => [stage, keptTail])

  it('[R105] at or under the target lets all run with the tail of six, then of two', () => {
    const { outcome, jobs } = foldWeighed(60_000)
    expect(outcome.trace[0]).toEqual({ type: 'floor', estimate: 60_000, verdict: 'passes' })
    expect(tails(outcome.folds)).toEqual([
      ['all', 6],
      ['all', 2],
    ])
    expect(jobs).toHaveLength(2)
  })

  it('[R97, R105] ends at the first pass that reaches the target', () => {
    const { outcome, jobs } = foldWeighed(59_950)
    expect(tails(outcome.folds)).toEqual([['all', 6]])
    expect(outcome.folds[0]).toMatchObject({ targetReached: true, after: 59_981 })
    expect(jobs).toHaveLength(1)
  })

  it('[R104] over the target and not over the ceiling allows one pass, with the tail of two', () => {
    for (const floor of [60_001, 99_999, 100_000]) {
      const { outcome, jobs } = foldWeighed(floor)
      expect(outcome.trace[0]).toEqual({ type: 'floor', estimate: floor, verdict: 'one_pass' })
      expect(tails(outcome.folds)).toEqual([['all', 2]])
      expect(outcome.folds[0]).toMatchObject({ outcome: 'landed', targetReached: false })
      expect(jobs).toHaveLength(1)
    }
  })

  it('[R103] over the ceiling asks for no summary and takes nothing', () => {
    const { line, outcome, jobs } = foldWeighed(100_001)
    expect(outcome.trace).toEqual([{ type: 'floor', estimate: 100_001, verdict: 'unsendable' }])
    expect(outcome.line).toEqual(line)
    expect(jobs).toEqual([])
  })

  it('[R94, R376] compares with the target that is set', () => {
    const verdict = (floor: number) => foldWeighed(floor, { target: 0.5 }).outcome.trace[0]
    expect(verdict(50_000)).toMatchObject({ verdict: 'passes' })
    expect(verdict(50_001)).toMatchObject({ verdict: 'one_pass' })
  })

  it('[R102] is taken with what the stages before it have done', () => {
    const lighten: Stage = {
      name: 'clip',
      keptTail: null,
      *propose({ line }) {
        return { view: line.view.filter((index) => index !== 13), added: [], taken: [], clipped: [] }
      },
    }
    const { outcome, jobs } = foldWeighed(170_000, {
      stages: { ordinary: [lighten], summaries: [all(2)] },
      target: 0.0006,
    })
    expect(outcome.trace.at(-2)).toMatchObject({ type: 'floor', estimate: 50 })
    expect(jobs).toHaveLength(1)
  })

  it('asks nobody where there is nobody, and says so', () => {
    const line = weighed('suaaaaaaaaacr')
    const outcome = foldToy(line, { ceiling: 100, stages: { ordinary: [], summaries: [all(6), all(2)] } })
    expect(outcome).toMatchObject({ lacksSummarizer: true, landed: false, folds: [] })
    expect(outcome.trace).toMatchObject([{ stage: 'all', keptTail: 2, outcome: 'no_summarizer' }])
    // Where nothing could be taken anyway, nobody is missed.
    const bare = foldToy(lineOf('suacr'), { ceiling: 10, stages: { ordinary: [], summaries: [all(2)] } })
    expect(bare.lacksSummarizer).toBe(false)
  })
})

describe('landing a summary', () => {
  it('[R369, R108, R79, R80, R106] rolls one back that raises the estimate: the view as it was, its note outside', () => {
    // 95,837 before and 96,505 after: eight answers of ten tokens go, and a note of 748 comes.
    for (const changed of [false, true]) {
      const line = weighed('suaaaaaaaaacr')
      const view = changed ? line.view : lineOf('suaaaaaaaaacr').view
      const outcome = foldToy(
        { ...line, view },
        {
          ceiling: 100_000,
          stages: { ordinary: [], summaries: [all(2)] },
          noteTokens: ({ note }) => (note?.foldId === 'weight' ? 95_707 : changed ? 748 : 80),
          summarize: () => written,
          target: changed ? 0.6 : 0.0006,
        },
      )
      expect(outcome.folds).toMatchObject([
        changed
          ? { outcome: 'rolled_back', before: 95_837, after: 96_505, targetReached: false }
          : { outcome: 'rolled_back', before: 130, after: 130, targetReached: false },
      ])
      expect(outcome.line.view).toEqual(view)
      expect(outcome.line.record.at(-1)?.note?.foldId).toBe('q/1')
      expect(outcome.line.record).toHaveLength(line.record.length + 1)
      expect(outcome.landed).toBe(false)
      expect(outcome.folded).toEqual([])
    }
  })

  it('[R107] measures before and after at the scale that the summary request left', () => {
    const { outcome } = foldWeighed(60_000, {
      stages: { ordinary: [], summaries: [all(2)] },
      summarize: () => ({ ...written, scale: { reported: 5, counted: 4 } }),
    })
    expect(outcome.folds).toMatchObject([
      { before: 75_100, after: 75_001.25, scale: 1.25, outcome: 'landed' },
    ])
    expect(outcome.scale).toEqual({ reported: 5, counted: 4 })
  })

  it('[R369] goes on at the raised scale after a pass that was rolled back, and from a failed request too', () => {
    const { outcome } = foldWeighed(60_000, {
      noteTokensOfFold: 200,
      summarize: () => ({ type: 'failed', usage: null, scale: { reported: 5, counted: 4 } }),
    })
    expect(outcome.folds.map(({ outcome, before }) => [outcome, before])).toEqual([
      ['rolled_back', 75_100],
      ['rolled_back', 75_100],
    ])
    expect(outcome.factor).toEqual({ numerator: 5n, denominator: 4n })
  })

  it('[R298, R299] records who wrote it and what it cost', () => {
    const usage = { input: 900, output: 80, cacheRead: 10, isTotal: false, raw: null }
    const facts = (summary: SummaryOutcome) =>
      foldWeighed(60_000, { stages: { ordinary: [], summaries: [all(2)] }, summarize: () => summary }).outcome
        .folds[0]
    expect(facts({ ...written, usage })).toMatchObject({ summarySource: 'model', summaryUsage: usage })
    expect(facts({ ...written, source: 'delegate' })).toMatchObject({
      summarySource: 'delegate',
      summaryUsage: null,
    })
    expect(facts({ type: 'failed', usage })).toMatchObject({ summarySource: 'host', summaryUsage: usage })
  })

  it('in a preview shows the size without the summary, and records nothing', () => {
    const { outcome } = foldWeighed(60_001, { summarize: () => ({ type: 'withheld' }) })
    expect(outcome.folds).toEqual([])
    expect(outcome.trace.at(-1)).toMatchObject({ outcome: 'needs_summary', before: 60_081, after: 60_002 })
  })
})

describe('reset', () => {
  const scale = { reported: 5, counted: 4 }

  /** A line with a note of so many tokens after the first round, and the kinds of stages that ran. */
  function foldNoted(noteTokens: number, options: Partial<ToyFoldOptions> = {}) {
    const line = weighed('suacracracracr')
    // The weight stands after the first round and may be taken.
    const index = line.record.length - 1
    const view = [0, 1, 2, 3, 4, index, 5, 6, 7, 8, 9, 10, 11, 12, 13]
    const jobs: SummaryJob[] = []
    const outcome = foldToy(
      { ...line, view, pinned: new Set() },
      {
        ceiling: 20_000,
        target: 0.005,
        scale,
        placesMarks: true,
        noteTokens: ({ note }) => (note?.foldId === 'weight' ? noteTokens : 1),
        stages: { summaries: [all(6), all(2)], resets: [reset(6), reset(2)] },
        summarize: (job) => {
          jobs.push(job)
          return written
        },
        ...options,
      },
    )
    const ran = outcome.trace.flatMap((step) =>
      step.type === 'stage' ? [`${step.stage}.${step.keptTail}`] : [],
    )
    return { outcome, ran, jobs }
  }

  it('[R278] runs first and alone where the notes are over fifteen hundredths of the ceiling', () => {
    const { outcome, ran } = foldNoted(2401)
    expect(outcome.trace[0]).toEqual({ type: 'notes', estimate: 3001.25, limit: 3000, resets: true })
    expect(ran).toEqual(['reset.6', 'reset.2'])
    expect(kindsOf(outcome)).toBe('siacrnacr')
  })

  it('[R279] runs after the ordinary stages otherwise, when the target is still not reached', () => {
    const { outcome, ran } = foldNoted(2400)
    expect(outcome.trace[0]).toEqual({ type: 'notes', estimate: 3000, limit: 3000, resets: false })
    expect(ran).toEqual(['tool_io.6', 'tool_io.2', 'all.2', 'reset.2'])
    expect(kindsOf(outcome)).toBe('siacrnacr')
    expect(outcome.line.record.at(-1)?.note?.members).toEqual([5, 6, 7, 8, 9, 10])
  })

  it('[R278] waits for the ordinary stages where there is no note, and says nothing of notes', () => {
    const line = lineOf('suacracracracr')
    const { trace } = foldToy(line, {
      ceiling: 100,
      placesMarks: true,
      stages: { resets: [reset(6), reset(2)] },
      summarize: () => written,
    })
    const ran = trace.map((step) => (step.type === 'stage' ? `${step.stage}.${step.keptTail}` : step.type))
    expect(ran).toEqual(['tool_io.6', 'tool_io.2', 'floor', 'reset.2'])
  })

  it('[R279] does not run where the ordinary stages reached the target', () => {
    const { outcome, ran } = foldNoted(10, { target: 0.0085 })
    expect(ran).toEqual(['tool_io.6'])
    expect(outcome.folds[0]).toMatchObject({ targetReached: true })
  })

  it('[R253] does not run where no cache is placed', () => {
    const { ran } = foldNoted(2401, { placesMarks: false })
    expect(ran.some((stage) => stage.startsWith('reset'))).toBe(false)
  })

  it('[R281] is gated by its floor view like any summary', () => {
    const { ran, outcome, jobs } = foldNoted(2401, { ceiling: 60 })
    expect(outcome.trace.filter(({ type }) => type === 'floor')).toMatchObject([
      { verdict: 'unsendable' },
      { verdict: 'unsendable' },
    ])
    // What a reset could not do, the ordinary stages still may.
    expect(ran).toEqual(['tool_io.6', 'tool_io.2', 'all.2'])
    expect(jobs).toEqual([])
  })

  it('leaves the rest to the ordinary stages where it could not land, and is not asked for twice', () => {
    const { ran, outcome, jobs } = foldNoted(2401, {
      // The notes of the reset are too large, those of tool_io are not.
      noteTokens: ({ note }) => (note?.foldId === 'weight' ? 2401 : note?.summary === undefined ? 1 : 5000),
      stages: { summaries: [], resets: [reset(2)] },
    })
    expect(ran).toEqual(['reset.2', 'tool_io.6', 'tool_io.2'])
    expect(outcome.folds.map((fold) => fold.outcome)).toEqual(['rolled_back', 'landed', 'landed'])
    expect(jobs).toHaveLength(1)
  })

  it('is not alone where what it leaves is still over the ceiling', () => {
    const lighten: Stage = {
      name: 'clip',
      keptTail: null,
      // biome-ignore lint/correctness/useYield: it asks for nothing.
      *propose({ line }) {
        return { view: line.view.toSpliced(5, 1), added: [], taken: [], clipped: [] }
      },
    }
    // Without the note eleven entries are left, which could be sent, and the note is one token more.
    const fold = (ceiling: number) =>
      foldNoted(2401, {
        ceiling,
        target: 0.1,
        scale: initialScale,
        stages: { ordinary: [lighten], resets: [reset(6)] },
      })
    expect(fold(111).ran).toEqual(['reset.6'])
    expect(fold(110).ran).toEqual(['reset.6', 'clip.null'])
  })

  it('leaves everything to the ordinary stages where nobody can write', () => {
    const line = weighed('suacracracr')
    const outcome = foldToy(
      { ...line, pinned: new Set() },
      {
        ceiling: 1000,
        target: 0.05,
        placesMarks: true,
        noteTokens: ({ note }) => (note?.foldId === 'weight' ? 900 : 1),
        stages: { resets: [reset(2)] },
      },
    )
    expect(outcome.folds.map(({ stage }) => stage)).toEqual(['tool_io', 'tool_io'])
    expect(outcome.trace.some(({ type }) => type === 'notes')).toBe(false)
    expect(outcome.lacksSummarizer).toBe(true)
  })
})
