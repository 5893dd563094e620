import { describe, expect, it } from 'vitest'
import { readableText } from './message-previews.ts'
import { madeNote, withCopy } from './testing/made-entries.ts'
import { ask, call, lineOfMessages } from './testing/stage-context.ts'

describe('what is read of a note', () => {
  const { line: plain } = lineOfMessages([
    ask('Look.'),
    ...call({ id: 'a', name: 'look', result: 'x' }, { id: 'b', name: 'see', result: 'y' }),
  ])
  const calls = [4, 5].map((index) => ({ index, function: `tool${index}`, arguments: '', outputChars: 1 }))
  const members = [2, 3, 4, 5]
  const note = madeNote(6, { members, calls })
  const newer = madeNote(8, { foldId: 'h', members, calls })
  const copied = withCopy({ ...plain, record: [...plain.record, note] }, 5, [1], 'g')
  const record = [...copied.record, newer]

  it('[R117, R122] lists no call whose copy stands in the view', () => {
    const text = readableText({ ...plain, record, view: [0, 1, 6, 7] }, note, undefined)
    expect(text).toContain('#4 tool4')
    expect(text).not.toContain('tool5')
  })

  it('is all that it once stood for where another note stands for that by now', () => {
    const line = { ...plain, record, view: [0, 1, 8] }
    expect(readableText(line, note, undefined)).toContain('2 earlier tool calls')
    expect(readableText({ ...line, view: [0, 1, 6, 8] }, note, undefined)).not.toContain('tool4')
  })
})
