import { describe, expect, it } from 'vitest'
import { DecidedChat } from '../testing/decided-chat.ts'
import { madeNote } from '../testing/made-entries.ts'
import type { DecidedRequest } from './decide.ts'
import type { JsonObject } from './json.ts'

const ask: JsonObject = { role: 'user', content: [{ type: 'text', text: 'go' }] }

function round(id: string): readonly JsonObject[] {
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: id.repeat(600) }] },
  ]
}

/** A task and rounds of which the third and the fifth have been folded, by a note each, over the second and fourth. */
function send(options: { readonly promptCaching: boolean; readonly ceiling: number }): DecidedRequest {
  const chat = new DecidedChat()
  const list = [ask, ...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].flatMap(round)]
  chat.send(list, { ceiling: null })
  const { record } = chat.line
  // Entry 0 is the task; each round is an answer, a call and a result.
  const rounds = [1, 4, 7, 10, 13, 16, 19, 22].map((first) => [first, first + 1, first + 2])
  const [a = [], b = [], c = [], d = [], e = [], f = [], g = [], h = []] = rounds
  const notes = [madeNote(record.length, { members: c }), madeNote(record.length + 1, { members: e })]
  chat.line = {
    ...chat.line,
    record: [...record, ...notes],
    view: [0, ...a, ...b, record.length, ...d, record.length + 1, ...f, ...g, ...h],
  }
  const { promptCaching, ceiling } = options
  return chat.send(list, { ceiling, policy: { promptCaching } })
}

describe('the newest note', () => {
  it('[R276] is what ordinary stages do not reach before while the cache is placed', () => {
    const before = [4, 5, 6, 10, 11, 12]
    const placed = send({ promptCaching: true, ceiling: 6000 })
    expect(placed.folds.length).toBeGreaterThan(0)
    expect(placed.line.view.filter((index) => before.includes(index))).toEqual(before)
    const off = send({ promptCaching: false, ceiling: 6000 })
    expect(off.line.view.filter((index) => before.includes(index))).not.toEqual(before)
  })

  it('[R274] is the note that is marked, and no older one', () => {
    const { messages, line } = send({ promptCaching: true, ceiling: 100_000 })
    const notes = line.record.filter((entry) => entry.note).map(({ index }) => index)
    const marked = messages.flatMap(({ snapshot, indexes }) =>
      JSON.stringify(snapshot).includes('cache_control') ? [indexes.at(-1) ?? -1] : [],
    )
    expect(marked).toContain(notes[1])
    expect(marked).not.toContain(notes[0])
  })
})
