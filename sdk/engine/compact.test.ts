import { describe, expect, it } from 'vitest'
import { madeDecideInput } from '../testing/made-decide-input.ts'
import { withNote } from '../testing/made-entries.ts'
import { ask, lineOfMessages, say } from '../testing/stage-context.ts'
import { type Compacted, type CompactOptions, compactEntries } from './compact.ts'
import { answerCounts, runPlan, type SummaryOutcome } from './plan.ts'
import type { Line } from './record.ts'

const words = (letter: string): string => letter.repeat(400)
const { line: plain, sources } = lineOfMessages(
  'abcdefgh'.split('').map((letter, at) => (at % 2 === 0 ? ask(words(letter)) : say(words(letter)))),
)

const written = (text: string): SummaryOutcome => ({ type: 'written', text, source: 'model', usage: null })

/** Compacts at a token a character. */
function compact(line: Line, options: Partial<CompactOptions> = {}): Compacted {
  const plan = compactEntries(madeDecideInput({ line, sources }, { order: plain.view }), {
    start: 0,
    end: undefined,
    keep: new Set(),
    foldId: 'q/1',
    summary: written('so'),
    ...options,
  })
  return runPlan(
    plan,
    answerCounts((texts) => texts.map(({ length }) => length)),
  )
}

/** The line with notes in the places of single entries. */
function noted(...members: readonly number[]): Line {
  return members.reduce((line, member) => withNote(line, { members: [member], summary: words('n') }), plain)
}

describe('compacting a range', () => {
  it('[R72] puts one note in the place of its first entry', () => {
    const outcome = compact(plain, { start: 1, end: 4 })
    expect(outcome).toMatchObject({ type: 'compacted', indexes: [1, 2, 3], noteIndex: 8 })
    expect(outcome.type === 'compacted' && outcome.line.view).toEqual([0, 8, 4, 5, 6, 7])
  })

  it('leaves the newest two entries where no end is named, however many notes are about them', () => {
    expect(compact(plain)).toMatchObject({ indexes: [0, 1, 2, 3, 4, 5] })
    expect(compact(noted(6))).toMatchObject({ indexes: [0, 1, 2, 3, 4] })
    expect(compact(plain, { end: 8 })).toMatchObject({ indexes: [0, 1, 2, 3, 4, 5, 6, 7] })
  })

  it('[R88] leaves what is kept', () => {
    expect(compact(plain, { end: 4, keep: new Set([0, 2]) })).toMatchObject({ indexes: [1, 3] })
  })

  it('makes one note of several only where somebody gave its words, and none of one', () => {
    const two = noted(2, 3)
    const range = { start: 2, end: 4 }
    const outcome = compact(two, range)
    expect(outcome).toMatchObject({ type: 'compacted', indexes: [], noteIndex: 10 })
    expect(compact(two, { ...range, summary: undefined })).toMatchObject({ type: 'nothing' })
    expect(compact(two, { start: 2, end: 3 })).toMatchObject({ type: 'nothing' })
    expect(compact(two, { start: 1, end: 3 })).toMatchObject({ type: 'compacted', indexes: [1] })
    expect(compact(plain, { start: 8 })).toMatchObject({ type: 'nothing' })
  })

  it('[R106] lands only where the note is shorter than what it stands for, to the token', () => {
    const range = { start: 1, end: 3 }
    const lands = (length: number) =>
      compact(plain, { ...range, summary: written('x'.repeat(length)) }).type === 'compacted'
    const longest = Array.from({ length: 900 }, (_, length) => length + 1).findLast(lands) ?? 0
    expect(longest).toBeGreaterThan(1)
    const outcome = compact(plain, { ...range, summary: written('x'.repeat(longest)) })
    const note = outcome.type === 'compacted' ? outcome.line.record.at(-1) : undefined
    const before = JSON.stringify([say(words('b')), ask(words('c'))]).length
    // Two line breaks are written with two signs each.
    const after = JSON.stringify([ask('')]).length + (note?.chars ?? 0) + 2
    expect(after).toBe(before - 1)
    expect(compact(plain, { ...range, summary: written('x'.repeat(longest + 1)) })).toEqual({
      type: 'nothing',
      reason: 'the note would be no shorter than what it stands for',
    })
  })
})
