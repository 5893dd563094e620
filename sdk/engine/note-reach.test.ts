import { describe, expect, it } from 'vitest'
import { madeNote } from '../testing/made-entries.ts'
import { ask, call, lineOfMessages, say } from '../testing/stage-context.ts'
import { openAiChat } from '../wire/openai-chat/index.ts'
import { compileItems } from './compile.ts'
import { noteHolders, noteReach } from './note-reach.ts'
import type { Entry, Line } from './record.ts'

const { line: plain, sources } = lineOfMessages([
  ask('Look.'),
  ...call({ id: 'a', name: 'look', result: 'x' }),
  ...call({ id: 'b', name: 'see', result: 'y' }),
  say('Done.'),
])

/** Two rounds at 1 to 3 and at 4 to 6; notes at 8 for both results, and at 9 for the first one again. */
function noted(view: readonly number[]): Line {
  const note = (index: number, results: readonly number[]): Entry =>
    madeNote(index, {
      foldId: `f${index}`,
      members: results.flatMap((result) => [result - 1, result]),
      calls: results.map((result) => ({
        index: result,
        function: `tool${result}`,
        arguments: '',
        outputChars: 1,
      })),
    })
  return { ...plain, record: [...plain.record, note(8, [3, 6]), note(9, [3])], view }
}

function notesIn(line: Line): readonly string[] {
  const { view } = line
  const { items } = compileItems({ wire: openAiChat, line, view, sources, rules: { contextTool: null } })
  return items.flatMap((item) => (item.type === 'note' ? [item.text] : []))
}

describe('what a note stands for', () => {
  it('[R123] is held by the newest of several notes, in whatever order they stand', () => {
    for (const view of [
      [0, 1, 8, 9, 4, 7],
      [0, 1, 9, 8, 4, 7],
    ])
      expect(Object.fromEntries(noteHolders(noted(view)))).toEqual({ 2: 9, 3: 9, 5: 8, 6: 8 })
  })

  it('[R123] is listed once, and again by the older note where the newer one has left', () => {
    const [older, newer] = notesIn(noted([0, 1, 8, 9, 4, 7]))
    expect(older).toContain('1 earlier tool call and its result')
    expect(older).toContain('#6 tool6')
    expect(older).not.toContain('#3')
    expect(newer).toContain('#3 tool3')
    expect(notesIn(noted([0, 1, 8, 4, 7]))[0]).toContain('#3 tool3')
  })

  it('[R117, R123] leaves the text of an older note as it was while its call stood in the view', () => {
    const standing = notesIn(noted([0, 1, 8, 2, 3, 4, 7]))[0]
    expect(notesIn(noted([0, 1, 8, 9, 4, 7]))[0]).toBe(standing)
  })

  it('is nothing that stands in the view', () => {
    const reaches = noteReach(noted([0, 1, 8, 9, 4, 5, 6, 7]))
    expect([2, 3, 5, 6].filter((index) => reaches(9, index))).toEqual([2, 3])
    expect([2, 3, 5, 6].filter((index) => reaches(8, index))).toEqual([])
  })
})
