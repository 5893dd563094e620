import { describe, expect, it } from 'vitest'
import { madeNote } from '../testing/made-entries.ts'
import { foldToy, kindsOf, lineOf } from '../testing/toy-fold.ts'
import { defaultStages } from './default-stages.ts'
import type { Entry } from './record.ts'
import type { Stage } from './stages/stage.ts'
import { toolIo } from './stages/tool-io.ts'

describe('the stages in force', () => {
  it('[R95, R96] run in their order, each once: tool_io, clip, and what has a summary written', () => {
    const named = (stages: readonly Stage[]) => stages.map(({ name, keptTail }) => [name, keptTail])
    expect(named(defaultStages.ordinary)).toEqual([
      ['tool_io', 6],
      ['tool_io', 2],
      ['clip', null],
    ])
    expect(named(defaultStages.summaries)).toEqual([
      ['all', 6],
      ['all', 2],
    ])
    expect(named(defaultStages.resets)).toEqual([
      ['reset', 6],
      ['reset', 2],
    ])
  })
})

describe('tool_io', () => {
  it('[R114] replaces the calls and results older than the newest six entries by one note, then older than two', () => {
    // s u (a c r) x4: eleven entries beside the system; six from the end are two rounds.
    const line = lineOf('suacracracracr')
    const wide = foldToy(line, { ceiling: 1000, stages: { ordinary: [toolIo(6)] } })
    expect(kindsOf(wide)).toBe('siacracracracr')
    const six = foldToy(line, { ceiling: 100, stages: { ordinary: [toolIo(6)] } })
    expect(kindsOf(six)).toBe('sianaacracr')
    const two = foldToy(line, { ceiling: 100, stages: { ordinary: [toolIo(2)] } })
    expect(kindsOf(two)).toBe('sianaaacr')
  })

  it('[R96, R97] goes on to the smaller tail only while the target is not reached', () => {
    const line = lineOf('suacracracracr')
    expect(foldToy(line, { ceiling: 200 }).folds).toHaveLength(1)
    const deep = foldToy(line, { ceiling: 100 })
    expect(deep.folds.map(({ id, keptTail }) => [id, keptTail])).toEqual([
      ['q/1', 6],
      ['q/2', 2],
    ])
    expect(kindsOf(deep)).toBe('sianaanacr')
  })

  it('[R100] takes and keeps rounds whole: a tail that cuts a round widens to all of it', () => {
    // The tail of six starts inside the fan of three.
    const line = lineOf('suacracccrrracr')
    expect(kindsOf(foldToy(line, { ceiling: 100, stages: { ordinary: [toolIo(6)] } }))).toBe('sianacccrrracr')
  })

  it('[R111, R152] takes no member of a fan of sixteen that the tail of two begins in', () => {
    const line = lineOf(`suacracra${'c'.repeat(16)}${'r'.repeat(16)}`)
    const fan = `a${'c'.repeat(16)}${'r'.repeat(16)}`
    expect(kindsOf(foldToy(line, { ceiling: 60, stages: { ordinary: [toolIo(2)] } }))).toBe(`siana${fan}`)
  })

  it('[R87, R89] leaves a round alone that has one unread member', () => {
    const line = lineOf('suaccrracracr', { read: 6 })
    expect(kindsOf(foldToy(line, { ceiling: 60, stages: { ordinary: [toolIo(2)] } }))).toBe('siaccrracracr')
  })

  it('[R249] keeps whole rounds of the margin beyond the tail', () => {
    const line = lineOf('suacracracracr')
    expect(kindsOf(foldToy(line, { ceiling: 100, stages: { ordinary: [toolIo(2)] }, margin: 1 }))).toBe(
      'sianaacracr',
    )
    expect(kindsOf(foldToy(line, { ceiling: 100, stages: { ordinary: [toolIo(2)] }, margin: 9 }))).toBe(
      'siacracracracr',
    )
  })

  it('[R249] counts a round without calls in the margin, as a summary does', () => {
    const line = lineOf('suacruauacr')
    const margin = (rounds: number) =>
      kindsOf(foldToy(line, { ceiling: 60, stages: { ordinary: [toolIo(2)] }, margin: rounds }))
    expect(margin(1)).toBe('sianiaiacr')
    expect(margin(2)).toBe('siacriaiacr')
  })

  it('[R88, R276] leaves a round alone of which a part stands before the newest note', () => {
    const line = lineOf('suacracracracr')
    const index = line.record.length
    // The answer 5 stayed when its exchange was folded, and the exchange came back behind the note.
    const view = [0, 1, 2, 3, 4, 5, index, 6, 7, 8, 9, 10, 11, 12, 13]
    const restored = {
      ...line,
      record: [...line.record, madeNote(index, { members: [6, 7] })],
      view,
      pinned: new Set([5]),
    }
    const folded = foldToy(restored, {
      ceiling: 100,
      placesMarks: true,
      stages: { ordinary: [toolIo(2)] },
    })
    expect(folded.line.view).toEqual([0, 1, 2, 3, 4, 5, index, 6, 7, 8, index + 1, 11, 12, 13])
  })

  it('[R98] leaves a round alone that is the head of the view', () => {
    const line = lineOf('sacruacracr')
    expect(kindsOf(foldToy(line, { ceiling: 60, stages: { ordinary: [toolIo(2)] } }))).toBe('sacrianacr')
  })

  it('leaves the first round of the current turn alone where the provider wants it as it was', () => {
    const line = lineOf('suacruacracracr')
    expect(kindsOf(foldToy(line, { ceiling: 60, stages: { ordinary: [toolIo(2)] } }))).toBe('sianiaaacr')
    expect(
      kindsOf(foldToy(line, { ceiling: 60, stages: { ordinary: [toolIo(2)] }, keepsTurnHead: true })),
    ).toBe('sianiacraacr')
  })

  it('[R115, R119] gives the note its provenance: what it stands for, the first of it, and each call', () => {
    const outcome = foldToy(lineOf('suaccrracr'), { ceiling: 60, stages: { ordinary: [toolIo(2)] } })
    const note = outcome.line.record.at(-1)?.note
    expect(note).toMatchObject({ foldId: 'q/1', firstIndex: 3, members: [3, 4, 5, 6] })
    expect(note?.calls).toEqual([
      { index: 5, function: 'tool3', arguments: '', outputChars: 10 },
      { index: 6, function: 'tool4', arguments: '', outputChars: 10 },
    ])
  })

  it('lists a call that was never answered under its own index', () => {
    const outcome = foldToy(lineOf('suaccruacr'), { ceiling: 60, stages: { ordinary: [toolIo(2)] } })
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
      const outcome = foldToy(line, { ceiling: 100, noteTokens, stages: { ordinary: [toolIo(6)] } })
      expect(outcome.landed).toBe(false)
      expect(outcome.line.view).toEqual(line.view)
      expect(outcome.line.record).toHaveLength(line.record.length + 1)
      expect(outcome.folds).toMatchObject([{ outcome: 'rolled_back', before: 110, targetReached: false }])
    }
    expect(foldToy(line, { ceiling: 100, noteTokens: 19, stages: { ordinary: [toolIo(6)] } }).landed).toBe(
      true,
    )
  })

  it('[R298, R299, R302] records what each pass did', () => {
    const { folds, trace } = foldToy(line, { ceiling: 150, stages: { ordinary: [toolIo(6)] } })
    expect(trace).toEqual([
      {
        type: 'stage',
        stage: 'tool_io',
        keptTail: 6,
        before: 110,
        after: 91,
        target: 90,
        outcome: 'landed',
        indexes: [3, 4],
      },
    ])
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
        summarySource: 'host',
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
    const { folds, line: folded } = foldToy(long, { ceiling: 400, stages: { ordinary: [toolIo(2)] } })
    expect(folds[0]).toMatchObject({ callsTotal: 52, messagesFolded: 104 })
    expect(folds[0]?.calls).toHaveLength(50)
    expect(folded.record.at(-1)?.note?.calls).toHaveLength(52)
  })

  it('[R113] says that the target was missed where system and task alone are past it', () => {
    const outcome = foldToy(lineOf('su'), { ceiling: 20 })
    const skipped = { type: 'stage', stage: 'tool_io', before: 20, after: 20, target: 12, indexes: [] }
    expect(outcome).toMatchObject({ landed: false, folds: [] })
    expect(outcome.trace).toEqual([
      { ...skipped, keptTail: 6, outcome: 'nothing_to_take' },
      { ...skipped, keptTail: 2, outcome: 'nothing_to_take' },
    ])
  })
})

describe('a pass that shortens', () => {
  /** Puts a copy in the place of every result, with two bodies cut to three and four characters. */
  const shorten: Stage = {
    name: 'clip',
    keptTail: null,
    *propose({ line, foldId }) {
      const added: Entry[] = []
      const view = line.view.map((index) => {
        const entry = line.record[index]
        if (entry?.kind !== 'result') return index
        const copy = { foldId, original: index, kept: [3, 4] }
        added.push({ ...entry, index: line.record.length + added.length, kind: 'copy', copy })
        return line.record.length + added.length - 1
      })
      const clipped = added.flatMap(({ copy }) =>
        [3, 4].map((kept) => ({ index: copy?.original ?? -1, chars: 10, kept })),
      )
      return { view, added, taken: [], clipped }
    },
  }
  const stages = { ordinary: [shorten] }

  it('[R299, R300, R302] is recorded with each body, and with neither a note nor a summary', () => {
    const outcome = foldToy(lineOf('suacracr'), { ceiling: 100, copyTokens: 1, stages })
    expect(outcome.folds).toEqual([
      {
        v: 1,
        id: 'q/1',
        at: 7,
        requestId: 'q',
        replaced: [],
        reason: 'threshold',
        stage: 'clip',
        keptTail: null,
        messagesFolded: 0,
        calls: [],
        callsTotal: 0,
        clipped: [
          { index: 4, chars: 10, kept: 3 },
          { index: 4, chars: 10, kept: 4 },
          { index: 7, chars: 10, kept: 3 },
          { index: 7, chars: 10, kept: 4 },
        ],
        clippedTotal: 4,
        summarySource: null,
        summaryUsage: null,
        before: 80,
        after: 62,
        ceiling: 100,
        scale: 1,
        outcome: 'landed',
        targetReached: false,
      },
    ])
    expect(outcome.trace).toMatchObject([{ outcome: 'landed', indexes: [4, 7] }])
    expect(outcome.folded).toEqual([])
  })

  it('[R300] lists fifty bodies and says how many there were', () => {
    const line = lineOf(`su${'acr'.repeat(26)}`)
    const { folds } = foldToy(line, { ceiling: 600, copyTokens: 1, stages })
    expect(folds[0]).toMatchObject({ clippedTotal: 52 })
    expect(folds[0]?.clipped).toHaveLength(50)
  })

  it('[R78, R106] leaves no copy behind where it is rolled back', () => {
    const line = lineOf('suacracr')
    const outcome = foldToy(line, { ceiling: 100, copyTokens: 10, stages })
    expect(outcome.folds).toMatchObject([{ outcome: 'rolled_back', clippedTotal: 4 }])
    expect(outcome.line).toEqual(line)
  })
})
