import { describe, expect, it } from 'vitest'
import { call, lineOfMessages } from '../testing/stage-context.ts'
import { foldedCalls, readingResults } from './folded-calls.ts'
import { noteLines } from './note-text.ts'

const read = (id: string, args: object, name = 'context') =>
  call({ id, name, args, result: `result of ${id}` })

// Answer, call, result: the results are 2, 5, 8 and so on.
const chat = lineOfMessages([
  ...read('a', { path: '/x' }, 'open'),
  ...read('b', { action: 'read_result', index: 2 }),
  ...read('c', { action: 'status', index: 2 }),
  ...read('d', { action: 'read_result', index: '2' }),
  ...read('e', { action: 'read_result', index: 999 }),
  ...read('f', { action: 'read_result', index: 2 }, 'open'),
])
const facts = { ...chat, contextTool: 'context' }

describe('the calls that a note lists', () => {
  it('[R123] stand under the index of their result, with what it came to', () => {
    expect(foldedCalls(facts, [0, 1, 2])).toEqual([
      { index: 2, function: 'open', arguments: 'path="/x"', outputChars: 11 },
    ])
  })

  it('stand under the index that they read a result of, and only the context tool reads one', () => {
    const every = chat.line.view
    expect(foldedCalls(facts, every).map(({ index }) => index)).toEqual([2, 2, 8, 11, 14, 17])
    const without = foldedCalls({ ...facts, contextTool: null }, every)
    expect(without.map(({ index }) => index)).toEqual([2, 5, 8, 11, 14, 17])
  })

  it('[R115, R117] are hidden by their own result, whether or not what they read stands in the view', () => {
    const calls = foldedCalls(facts, [3, 4, 5])
    expect(calls).toEqual([{ ...calls[0], index: 2, entry: 5 }])
    const note = { foldId: 'f', firstIndex: 4, members: [4, 5], calls }
    const listed = (...standing: readonly number[]): readonly string[] =>
      noteLines(note, { isGone: (index) => !standing.includes(index) })
    expect(listed(0, 1, 2)).toEqual(['#2 context(action="read_result", index=2) -> 11 characters'])
    expect(listed(5)).toEqual([])
  })

  it('have no arguments where their message is not at hand', () => {
    const [listed] = foldedCalls({ ...facts, sources: new Map() }, [0, 1, 2])
    expect(listed).toEqual({ index: 2, function: 'open', arguments: '', outputChars: 11 })
  })

  it('are taken as they are where their arguments are no JSON', () => {
    const broken = call({ id: 'a', name: 'context', result: 'no' }).map((message) =>
      JSON.parse(JSON.stringify(message).replace('"arguments":"{}"', '"arguments":"{read"')),
    )
    const { line, sources } = lineOfMessages(broken)
    expect(foldedCalls({ line, sources, contextTool: 'context' }, line.view)).toMatchObject([
      { index: 2, arguments: '{read' },
    ])
  })
})

describe('the results that the context tool read', () => {
  it('[R149, R214] are those of its readings of a result, and no call is one', () => {
    expect([...readingResults(facts)]).toEqual([5])
    expect([...readingResults({ ...facts, contextTool: null })]).toEqual([])
  })
})
