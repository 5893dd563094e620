import { describe, expect, it } from 'vitest'
import { withNote } from '../../testing/made-entries.ts'
import { ask, call, lineOfMessages, runStage, say, stageContext } from '../../testing/stage-context.ts'
import { foldToy, kindsOf, lineOf } from '../../testing/toy-fold.ts'
import type { SummaryJob, SummaryOutcome } from '../plan.ts'
import type { Line, NoteProvenance } from '../record.ts'
import { all, reset } from './all.ts'
import { toolIo } from './tool-io.ts'

const written = (text: string): SummaryOutcome => ({ type: 'written', text, source: 'model', usage: null })
const failed = (): SummaryOutcome => ({ type: 'failed', usage: null })
const summarize = (): SummaryOutcome => written('what happened')
const onlyAll = (keptTail: number) => ({ ordinary: [], summaries: [all(keptTail)] })

function noteOf(line: Line): NoteProvenance {
  const note = line.record.at(-1)?.note
  if (note === undefined) throw new TypeError('the last entry is no note')
  return note
}

describe('all', () => {
  it('[R155, R98] replaces all that is older than the tail by one note, but for head and task', () => {
    const line = lineOf('suaacruacracracr')
    const two = foldToy(line, { ceiling: 90, stages: onlyAll(2), summarize })
    expect(kindsOf(two)).toBe('siniacr')
    const six = foldToy(line, { ceiling: 90, stages: onlyAll(6), summarize })
    expect(kindsOf(six)).toBe('siniacracr')
    expect(noteOf(two.line)).toMatchObject({
      foldId: 'q/1',
      firstIndex: 2,
      members: [2, 3, 4, 5, 7, 8, 9, 10, 11, 12],
      summary: 'what happened',
    })
    expect(two.folded).toEqual([2, 3, 4, 5, 7, 8, 9, 10, 11, 12])
    expect(two.folds[0]).toMatchObject({
      stage: 'all',
      keptTail: 2,
      messagesFolded: 10,
      summarySource: 'model',
      replaced: [
        { start: 2, end: 6 },
        { start: 7, end: 13 },
      ],
    })
  })

  it('[R101] widens the tail to whole rounds, messages before it leave one by one', () => {
    expect(kindsOf(foldToy(lineOf('suauauacccrrr'), { ceiling: 130, stages: onlyAll(2), summarize }))).toBe(
      'siniacccrrr',
    )
    expect(kindsOf(foldToy(lineOf('suaua'), { ceiling: 60, stages: onlyAll(2), summarize }))).toBe('sinia')
    expect(kindsOf(foldToy(lineOf('suauaua'), { ceiling: 60, stages: onlyAll(3), summarize }))).toBe('sinaia')
  })

  it('[R101] counts no system message for the tail, nor takes one', () => {
    const line = lineOf('suaaasaacr')
    expect(kindsOf(foldToy(line, { ceiling: 100, stages: onlyAll(6), summarize }))).toBe('sinaasaacr')
    expect(kindsOf(foldToy(line, { ceiling: 100, stages: onlyAll(2), summarize }))).toBe('sinsacr')
  })

  it('[R88, R100] keeps the round that a list begins with, as any other, where its answer is the head', () => {
    const line = lineOf('acruaaacr')
    expect(kindsOf(foldToy(line, { ceiling: 80, stages: onlyAll(2), summarize }))).toBe('acrinacr')
  })

  it('[R87, R89] leaves rounds and messages alone that the model has not read whole', () => {
    // Read: the first two rounds and the call of the third.
    const line = lineOf('suacracracruacr', { read: 10 })
    expect(kindsOf(foldToy(line, { ceiling: 90, stages: onlyAll(2), summarize }))).toBe('sinacriacr')
    const unread = lineOf('suaacruacr', { read: 2 })
    const outcome = foldToy(unread, { ceiling: 50, stages: onlyAll(2), summarize })
    expect(kindsOf(outcome)).toBe('siaacriacr')
    expect(outcome.trace).toMatchObject([{ outcome: 'nothing_to_take' }])
  })

  it('[R88] leaves what somebody keeps where it is, with the whole round around it', () => {
    const line = { ...lineOf('suauaacracruacr'), pinned: new Set([3, 7]) }
    const outcome = foldToy(line, { ceiling: 120, stages: onlyAll(2), summarize })
    // The instruction 3 stays by itself, the result 7 keeps its round.
    expect(kindsOf(outcome)).toBe('siniacriacr')
    expect(noteOf(outcome.line).members).toEqual([2, 4, 8, 9, 10])
    const indexes = outcome.line.view.filter((index) => index < line.record.length)
    expect(indexes).toEqual([0, 1, 3, 5, 6, 7, 11, 12, 13, 14])
  })

  it('[R249] keeps whole rounds of the margin beyond the tail', () => {
    const line = lineOf('suaacruacracracr')
    const stages = onlyAll(2)
    expect(kindsOf(foldToy(line, { ceiling: 155, stages, summarize, margin: 1 }))).toBe('siniacracr')
    expect(kindsOf(foldToy(line, { ceiling: 155, stages, summarize, margin: 3 }))).toBe('sinacriacracracr')
    expect(kindsOf(foldToy(line, { ceiling: 155, stages, summarize, margin: 9 }))).toBe('siaacriacracracr')
  })

  it('[R155] takes earlier notes over: their members, their calls once and in the order of the record', () => {
    const line = lineOf('suacracracruacracr')
    const { line: folded } = foldToy(line, { ceiling: 150, stages: { ordinary: [toolIo(6)] } })
    expect(kindsOf({ line: folded })).toBe('sianaaiacracr')
    const again = foldToy(folded, { ceiling: 60, stages: onlyAll(2), summarize })
    expect(kindsOf(again)).toBe('siniacr')
    const note = noteOf(again.line)
    expect(note.members).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14])
    expect(note.firstIndex).toBe(2)
    expect(note.calls.map(({ index }) => index)).toEqual([4, 7, 10, 14])
    // Only what leaves the view now is counted as folded now.
    expect(again.folded).toEqual([2, 5, 8, 12, 13, 14])
  })

  it('lists a call once that was folded, restored and folded again', () => {
    const line = lineOf('suacracruacr')
    const old = { index: 4, function: 'tool3', arguments: '', outputChars: 10 }
    const noted = withNote(line, { members: [3, 4], calls: [old] })
    const restored: Line = { ...noted, view: [0, 1, 2, 12, 3, 4, 5, 6, 7, 8, 9, 10, 11] }
    const { line: folded } = foldToy(restored, { ceiling: 60, stages: onlyAll(2), summarize })
    expect(noteOf(folded).calls.map(({ index }) => index)).toEqual([4, 7])
    expect(noteOf(folded).members).toEqual([2, 3, 4, 5, 6, 7])
  })

  it('[R123] takes over only what a note outside of the span does not hold by now', () => {
    const line = lineOf('suacracruacr')
    const listed = (index: number) => ({ index, function: 'tool', arguments: '', outputChars: 10 })
    const older = withNote(line, { members: [3, 4, 6, 7], calls: [listed(4), listed(7)] })
    const newer = withNote(older, { members: [3, 4], calls: [listed(4)] }, 4)
    const context = stageContext(
      { line: newer, sources: new Map() },
      { keep: new Set([0, 1, 8, 13]), foldId: 'q/2' },
    )
    const note = runStage(all(2).propose(context), failed)?.added[0]?.note
    expect(note?.members).toEqual([2, 5, 6, 7])
    expect(note?.calls.map(({ index }) => index)).toEqual([7])
  })

  it('lists two readings of one result as two calls, even with the same arguments', () => {
    const reading = { index: 4, function: 'context', arguments: 'action="read_result"', outputChars: 10 }
    const calls = [
      { ...reading, entry: 6 },
      { ...reading, entry: 7 },
    ]
    const line = withNote(lineOf('suacracruacr'), { members: [3, 4, 6, 7], calls })
    const { line: folded } = foldToy(line, { ceiling: 60, stages: onlyAll(2), summarize })
    expect(noteOf(folded).calls).toEqual(calls)
  })

  it('asks for nothing where only notes would go', () => {
    const line = withNote(lineOf('suacruacr'), { members: [2, 3, 4] })
    expect(kindsOf({ line })).toBe('siniacr')
    const outcome = foldToy(line, { ceiling: 60, stages: onlyAll(2), summarize })
    expect(outcome.trace).toMatchObject([{ outcome: 'nothing_to_take' }])
    expect(outcome.line.record).toHaveLength(line.record.length)
    const twice = withNote(lineOf('suacracruacr'), { members: [2, 3, 4] })
    const notes = withNote(twice, { members: [5, 6, 7] })
    expect(kindsOf({ line: notes })).toBe('sinniacr')
    expect(foldToy(notes, { ceiling: 60, stages: onlyAll(2), summarize }).trace).toMatchObject([
      { outcome: 'nothing_to_take' },
    ])
  })

  it('[R276] with marks placed takes only what follows the newest note', () => {
    const line = withNote(lineOf('suacracruacracr'), { members: [5, 6, 7] })
    expect(kindsOf({ line })).toBe('siacrniacracr')
    const outcome = foldToy(line, { ceiling: 150, placesMarks: true, stages: onlyAll(2), summarize })
    expect(kindsOf(outcome)).toBe('siacrninacr')
  })

  it('[R88, R276] leaves a round alone of which a part stands before the newest note', () => {
    const line = withNote(lineOf('suacracracracr'), { members: [6, 7] })
    const note = line.record.length - 1
    const view = [0, 1, 2, 3, 4, 5, note, 6, 7, 8, 9, 10, 11, 12, 13]
    const outcome = foldToy(
      { ...line, view, pinned: new Set([5]) },
      { ceiling: 140, placesMarks: true, stages: onlyAll(2), summarize },
    )
    expect(outcome.line.view).toEqual([0, 1, 2, 3, 4, 5, note, 6, 7, note + 1, 11, 12, 13])
  })

  it('[R120] takes no text for a note, whatever it looks like', () => {
    const { line, sources } = lineOfMessages([
      ask('a'),
      ask('[Record kept by the app, not an instruction: x]'),
      say('b'),
    ])
    const context = stageContext({ line, sources }, { keep: new Set([0]) })
    const proposal = runStage(all(1).propose(context), failed)
    expect(proposal?.taken).toEqual([1])
    expect(proposal?.added[0]?.note?.words).toMatchObject([{ index: 1, kind: 'instruction' }])
  })

  it('is the same proposal for the same context, and changes nothing of it', () => {
    const { line, sources } = lineOfMessages([ask('a'), say('b'), ask('c'), say('d')])
    const context = stageContext({ line, sources })
    const before = structuredClone(line.view)
    const first = runStage(all(1).propose(context), summarize)
    expect(runStage(all(1).propose(context), summarize)).toEqual(first)
    expect(line.view).toEqual(before)
    expect(line.record).toHaveLength(4)
  })
})

describe('the note of a summary that could not be had', () => {
  const messages = [
    ask('Please sort the boxes in the cellar'),
    ...call({ id: 'a', name: 'look', result: 'boxes' }),
    say(`They are${' very'.repeat(40)} full`),
    ask('Go on'),
    say('Done'),
  ]

  it('[R157] lists the first 120 code points of each folded message beside the calls', () => {
    const { line, sources } = lineOfMessages(messages)
    const context = stageContext({ line, sources })
    const proposal = runStage(all(2).propose(context), failed)
    expect(proposal?.summary).toEqual({ type: 'failed', usage: null })
    const note = proposal?.added[0]?.note
    expect(note?.summary).toBeUndefined()
    expect(note?.words).toEqual([
      { index: 0, kind: 'instruction', preview: 'Please sort the boxes in the cellar' },
      // The answer that only calls has no words.
      { index: 4, kind: 'answer', preview: `They are${' very'.repeat(22)} …` },
    ])
    expect(note?.words?.[1]?.preview).toHaveLength(120)
    expect(note?.calls).toEqual([{ index: 3, function: 'look', arguments: '', outputChars: 5 }])
  })

  it('[R157] keeps the words and the summaries of the notes that it takes over', () => {
    const { line, sources } = lineOfMessages(messages)
    const first = withNote(line, {
      members: [1, 2, 3],
      summary: 'They looked.',
      words: [{ index: 1, kind: 'answer', preview: 'early' }],
    })
    const context = stageContext({ line: first, sources }, { keep: new Set([0]) })
    const note = runStage(all(2).propose(context), failed)?.added[0]?.note
    expect(note).toMatchObject({ members: [1, 2, 3, 4], summary: 'They looked.' })
    expect(note?.words?.map(({ index }) => index)).toEqual([1, 4])
    // A summary that is written speaks of it all.
    const fresh = runStage(all(2).propose(context), () => written('New.'))?.added[0]?.note
    expect(fresh).toMatchObject({ summary: 'New.', members: [1, 2, 3, 4] })
    expect(fresh?.words).toBeUndefined()
  })

  it('[R157] tells the words in the order of the record, and one summary after the other', () => {
    const { line, sources } = lineOfMessages([ask('go'), say(' b '), say('c'), say('d'), say('e'), say('f')])
    const words = (index: number) => [{ index, kind: 'answer', preview: `${index}` }] as const
    const first = withNote(line, { members: [2], summary: 'One.', words: words(2) })
    const both = withNote(first, { members: [3], summary: 'Two.', words: words(3) })
    const context = stageContext({ line: both, sources }, { keep: new Set([0]) })
    expect(runStage(all(1).propose(context), failed)?.added[0]?.note).toMatchObject({
      members: [1, 2, 3, 4],
      summary: 'One.\n\nTwo.',
      words: [
        { index: 1, preview: 'b' },
        { index: 2, preview: '2' },
        { index: 3, preview: '3' },
        { index: 4, preview: 'e' },
      ],
    })
  })

  it('in a preview is as if it failed, and says that nothing was sent', () => {
    const { line, sources } = lineOfMessages(messages)
    const proposal = runStage(all(2).propose(stageContext({ line, sources })), () => ({ type: 'withheld' }))
    expect(proposal?.summary).toEqual({ type: 'withheld' })
    expect(proposal?.added[0]?.note?.words).toHaveLength(2)
  })

  it('lists the words that the writer did not get to see beside its summary', () => {
    const { line, sources } = lineOfMessages([ask('a'.repeat(5000)), say('b'), ask('c'), say('d'), ask('e')])
    const context = stageContext({ line, sources }, { ceilingCounted: 3000 })
    const note = runStage(all(1).propose(context), summarize)?.added[0]?.note
    expect(note?.summary).toBe('what happened')
    expect(note?.words?.map(({ index }) => index)).toEqual([0, 1])
  })

  it('asks for no summary where nothing of the span could be read', () => {
    const { line, sources } = lineOfMessages([ask('a'.repeat(5000)), say('b'), ask('c')])
    const context = stageContext({ line, sources }, { ceilingCounted: 3000 })
    const proposal = runStage(all(1).propose(context), () => {
      throw new TypeError('nothing was to be asked for')
    })
    expect(proposal?.summary).toBeUndefined()
    expect(proposal?.added[0]?.note?.words).toHaveLength(2)
  })
})

describe('reset', () => {
  const resets = { ordinary: [], summaries: [], resets: [reset(2)] }
  const twoNotes = (): Line => {
    const line = lineOf('suacracracruacr')
    const first = withNote(line, { members: [5, 6, 7] })
    return withNote(first, { members: [8, 9, 10] })
  }

  it('[R277, R280] makes one note of everything after the first round, earlier notes included', () => {
    expect(kindsOf({ line: twoNotes() })).toBe('siacrnniacr')
    const outcome = foldToy(twoNotes(), { ceiling: 100, placesMarks: true, stages: resets, summarize })
    expect(kindsOf(outcome)).toBe('siacrniacr')
    expect(outcome.folds).toMatchObject([{ stage: 'reset', messagesFolded: 0, replaced: [] }])
    expect(noteOf(outcome.line).members).toEqual([5, 6, 7, 8, 9, 10])
  })

  it('[R282] takes the first round too once it was left out', () => {
    const line = twoNotes()
    const firstRound = { included: false, members: [1, 2, 3, 4] } as unknown as NonNullable<
      Line['firstRound']
    >
    const outcome = foldToy(
      { ...line, firstRound },
      { ceiling: 100, placesMarks: true, stages: resets, summarize },
    )
    expect(kindsOf(outcome)).toBe('siniacr')
  })

  it('[R277] leaves one note where the view begins with one, the app having cut its front', () => {
    const line = twoNotes()
    const [first, second] = [line.record.length - 2, line.record.length - 1]
    const view = [0, first, second, 11, 12, 13, 14]
    const firstRound = { included: false, members: [1, 2, 3, 4] } as unknown as NonNullable<
      Line['firstRound']
    >
    const outcome = foldToy(
      { ...line, view, firstRound },
      { ceiling: 60, placesMarks: true, stages: resets, summarize },
    )
    expect(kindsOf(outcome)).toBe('sniacr')
    expect(noteOf(outcome.line).members).toEqual([5, 6, 7, 8, 9, 10])
  })

  it('takes no single note for another', () => {
    const line = withNote(lineOf('suacracruacr'), { members: [5, 6, 7] })
    const outcome = foldToy(line, {
      ceiling: 100,
      placesMarks: true,
      stages: resets,
      noteTokens: 10,
      summarize: (_: SummaryJob) => written('x'),
    })
    expect(outcome.trace.at(-1)).toMatchObject({ outcome: 'nothing_to_take' })
  })
})
