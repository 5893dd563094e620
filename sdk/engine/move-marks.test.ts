import { describe, expect, it } from 'vitest'
import { madeNote } from '../testing/made-entries.ts'
import { assistant, long, marksOf, messagesOf, short, text, think, user } from '../testing/marked-messages.ts'
import { anthropic } from '../wire/anthropic/index.ts'
import { cacheMarks } from '../wire/anthropic/marks.ts'
import { ownName } from './digest.ts'
import type { WireMessage } from './format.ts'
import { understand } from './intake.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { moveMarks } from './move-marks.ts'
import type { Entry } from './record.ts'

describe("a mark of the app's on what is not sent any more", () => {
  const record = [0, 1, 2, 3, 4].map(
    (index) => ({ index, kind: 'answer', key: '', round: -1, chars: 1 }) as Entry,
  )
  const noteOf = (firstIndex: number): Entry => madeNote(5, { members: [firstIndex] })

  function move(list: readonly JsonObject[], sent: readonly WireMessage[], note?: Entry): readonly string[] {
    const known = list.map((message, first) => ({
      first,
      known: understand(JSON.stringify(message), anthropic, ownName),
    }))
    // What is sent whole is the very copy that was understood.
    const messages = sent.map((message) => {
      const own = known[message.indexes[0] ?? -1]?.known.snapshot
      return own && JSON.stringify(own) === JSON.stringify(message.snapshot)
        ? { ...message, snapshot: own }
        : message
    })
    const moved = moveMarks({
      marks: cacheMarks,
      list: known,
      messages,
      record: note ? [...record, note] : record,
    })
    return marksOf({ fields: [], leading: [], messages: moved })
  }

  const at = (index: number, snapshot: JsonObject): WireMessage => ({
    native: snapshot,
    snapshot,
    indexes: [index],
  })
  const plain = ['a', 'b', 'c', 'd'].map((said) => user(text(said)))

  it('moves to the last block before it that is', () => {
    const list = [user(text('a')), user(text('b')), user(text('c', short)), user(text('d'))]
    expect(move(list, [at(0, plain[0] ?? {}), at(1, plain[1] ?? {}), at(3, plain[3] ?? {})])).toEqual([
      '1 5m',
    ])
  })

  it('moves to the note that stands for it', () => {
    const list = [user(text('a')), user(text('b')), user(text('c', long)), user(text('d'))]
    const sent = [at(0, plain[0] ?? {}), at(5, user(text('note'))), at(3, plain[3] ?? {})]
    expect(move(list, sent, noteOf(1))).toEqual(['1 1h'])
  })

  it('joins the mark that stands there, and two become one', () => {
    const list = [user(text('a', short)), user(text('b', short)), user(text('c', short)), user(text('d'))]
    expect(move(list, [at(0, user(text('a', short))), at(3, plain[3] ?? {})])).toEqual(['0 5m'])
    const later = [user(text('a')), user(text('b', long)), user(text('c', short)), user(text('d'))]
    expect(move(later, [at(0, plain[0] ?? {}), at(3, plain[3] ?? {})])).toEqual(['0 1h'])
  })

  it('goes back past what may hold none, and goes where nothing stands before it', () => {
    const list = [user(text('a')), assistant(think), user(text('c', short))]
    expect(move(list, [at(0, plain[0] ?? {}), at(1, assistant(think))])).toEqual(['0 5m'])
    expect(move([user(text('a', short)), user(text('b'))], [at(1, plain[1] ?? {})])).toEqual([])
  })

  it('moves to what is left of its own message, where that stands before it', () => {
    const results = (...ids: readonly string[]): JsonObject =>
      user(
        ...ids.map((id) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: 'ok',
          ...(id === 'z' && { cache_control: short }),
        })),
      )
    const known = [user(text('a')), results('x', 'y', 'z')].map((message, position) => ({
      first: position,
      known: understand(JSON.stringify(message), anthropic, ownName),
    }))
    const left = results('x', 'y')
    const messages = [
      { native: plain[0] ?? {}, snapshot: plain[0] ?? {}, indexes: [0] },
      { native: left, snapshot: left, indexes: [1, 2] },
    ]
    const moved = moveMarks({ marks: cacheMarks, list: known, messages, record })
    expect(marksOf({ fields: [], leading: [], messages: moved })).toEqual(['1 5m'])
  })

  it('moves to the end of its own block, where it stood in what of that was shortened', () => {
    const result = (content: JsonValue): JsonObject =>
      user({ type: 'tool_result', tool_use_id: 'x', content })
    const list = [user(text('a')), result([text('much', short), text('more')])]
    expect(move(list, [at(0, plain[0] ?? {}), at(1, result('m'))])).toEqual(['1 5m'])
  })

  it('stays where its block does, also in a message that lost another', () => {
    const results = (...ids: readonly string[]): JsonObject =>
      user(
        ...ids.map((id) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: 'ok',
          ...(id === 'y' && { cache_control: short }),
        })),
      )
    const whole = results('x', 'y')
    const cut = results('y')
    expect(move([whole], [{ native: cut, snapshot: cut, indexes: [1] }])).toEqual(['0 5m'])
  })

  it('stays in the middle of what it stands in', () => {
    const said = [text('a', short), text('b')]
    const whole = user({ type: 'tool_result', tool_use_id: 'x', content: 'ok' }, ...said)
    const cut = user(...said)
    expect(move([whole], [{ native: cut, snapshot: cut, indexes: [1] }])).toEqual(['0 5m'])
  })

  it('leaves messages without marks as the list that they are', () => {
    const messages = messagesOf(...plain)
    const list = plain.map((message, first) => ({
      first,
      known: understand(JSON.stringify(message), anthropic, ownName),
    }))
    expect(moveMarks({ marks: cacheMarks, list, messages, record })).toBe(messages)
  })
})
