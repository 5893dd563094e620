import { describe, expect, it } from 'vitest'
import type { Entry } from './engine/record.ts'
import { readableText } from './message-previews.ts'
import { ask, call, lineOfMessages } from './testing/stage-context.ts'

describe('what is read of a note', () => {
  const { line: plain } = lineOfMessages([
    ask('Look.'),
    ...call({ id: 'a', name: 'look', result: 'x' }, { id: 'b', name: 'see', result: 'y' }),
  ])
  const made = { key: '', round: -1, chars: 1 }
  const calls = [4, 5].map((index) => ({ index, function: `tool${index}`, arguments: '', outputChars: 1 }))
  const members = [2, 3, 4, 5]
  const note: Entry = {
    ...made,
    index: 6,
    kind: 'note',
    note: { foldId: 'f', firstIndex: 2, members, calls },
  }
  const copy: Entry = { ...made, index: 7, kind: 'copy', copy: { foldId: 'g', original: 5, kept: [1] } }
  const newer: Entry = { ...note, index: 8, note: { foldId: 'h', firstIndex: 2, members, calls } }
  const record = [...plain.record, note, copy, newer]

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
